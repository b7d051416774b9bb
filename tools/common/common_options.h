// What every verb of the programs has: --threads, --quiet, and --json where it reports.
#pragma once

#include <cstddef>

#include <CLI/CLI.hpp>

namespace tsmini::cli {

struct CommonOptions {
  bool quiet = false;
  bool json = false;
  std::size_t threads = 0;  // 0: all cores
};

enum class Reports { no, yes };
void add_common(CLI::App& verb, CommonOptions& common, Reports reports);

}  // namespace tsmini::cli
