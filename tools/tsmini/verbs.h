// The verbs of the program. Each adds its options to the command line and runs when it is chosen.
//
// The options as CLI11 holds them are the one table that feeds the parser, --help, the completions
// and docs/cli.md.
#pragma once

#include <cstddef>
#include <memory>

#include <CLI/CLI.hpp>

namespace tsmini::cli {

// What every verb has.
struct CommonOptions {
  bool quiet = false;
  bool json = false;
  std::size_t threads = 0;  // 0: all cores
};

void add_import(CLI::App& app, CommonOptions& common);
void add_synth(CLI::App& app, CommonOptions& common);
void add_info(CLI::App& app, CommonOptions& common);
void add_export(CLI::App& app, CommonOptions& common);
void add_distance(CLI::App& app, CommonOptions& common);
void add_knn(CLI::App& app, CommonOptions& common);
void add_bench(CLI::App& app, CommonOptions& common);
void add_help(CLI::App& app);
void add_completion(CLI::App& app);

// --quiet and --threads, and --json where the verb reports.
enum class Reports { no, yes };
void add_common(CLI::App& verb, CommonOptions& common, Reports reports);

}  // namespace tsmini::cli
