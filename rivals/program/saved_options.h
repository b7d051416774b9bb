// What is asked of every verb that uses a trained rival.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace tsmini::rivals {

struct SavedOptions {
  std::string rival, data, device = "cpu";
  bool move = false;
};
void add_saved_options(CLI::App& verb, SavedOptions& options);

}  // namespace tsmini::rivals
