// What every verb that looks for neighbours is asked: how many of them.
#pragma once

#include <cstddef>
#include <optional>

#include <CLI/CLI.hpp>

namespace tsmini::cli {

struct NeighbourOptions {
  std::size_t k = 10;
  std::optional<double> within;  // in place of k
  bool skip_self = false;
};
void add_neighbour_options(CLI::App& verb, NeighbourOptions& options);

}  // namespace tsmini::cli
