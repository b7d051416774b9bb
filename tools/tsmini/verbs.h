// The verbs of the program. Each adds its options to the command line and runs when it is chosen.
//
// The options as CLI11 holds them are the one table that feeds the parser, --help, the completions
// and docs/cli.md.
#pragma once

#include <memory>

#include <CLI/CLI.hpp>

#include "common/common_options.h"

namespace tsmini::cli {

void add_import(CLI::App& app, CommonOptions& common);
void add_synth(CLI::App& app, CommonOptions& common);
void add_info(CLI::App& app, CommonOptions& common);
void add_export(CLI::App& app, CommonOptions& common);
void add_distance(CLI::App& app, CommonOptions& common);
void add_knn(CLI::App& app, CommonOptions& common);
void add_join(CLI::App& app, CommonOptions& common);
void add_find(CLI::App& app, CommonOptions& common);
void add_duplicates(CLI::App& app, CommonOptions& common);
void add_cluster(CLI::App& app, CommonOptions& common);
void add_outliers(CLI::App& app, CommonOptions& common);
void add_map(CLI::App& app, CommonOptions& common);
void add_train(CLI::App& app, CommonOptions& common);
void add_experiment(CLI::App& app, CommonOptions& common);
void add_evaluate(CLI::App& app, CommonOptions& common);
void add_embed(CLI::App& app, CommonOptions& common);
void add_index(CLI::App& app, CommonOptions& common);
void add_model(CLI::App& app, CommonOptions& common);
void add_add(CLI::App& app, CommonOptions& common);
void add_remove(CLI::App& app, CommonOptions& common);
void add_search(CLI::App& app, CommonOptions& common);
void add_verify(CLI::App& app, CommonOptions& common);
void add_compact(CLI::App& app, CommonOptions& common);
void add_bench(CLI::App& app, CommonOptions& common);
void add_help(CLI::App& app);
void add_completion(CLI::App& app);

}  // namespace tsmini::cli
