// What is asked of every verb that uses a trained rival.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "tsmini/dataset.h"

#include "common/console.h"
#include "rivals/core/saved.h"

namespace tsmini::rivals {

struct SavedOptions {
  std::string rival, data, device = "cpu";
  bool move = false;
};
void add_saved_options(CLI::App& verb, SavedOptions& options);

// Where most points are outside the box that the rival knows.
void warn_of_another_city(const cli::Console& console, const SavedRival& saved,
                          const Dataset& data);

}  // namespace tsmini::rivals
