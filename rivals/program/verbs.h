// The verbs of tsmini-rivals.
#pragma once

#include <CLI/CLI.hpp>

#include "common/common_options.h"

namespace tsmini::rivals {

void add_train(CLI::App& app, cli::CommonOptions& common);
void add_embed(CLI::App& app, cli::CommonOptions& common);
void add_evaluate(CLI::App& app, cli::CommonOptions& common);
void add_list(CLI::App& app, cli::CommonOptions& common);

}  // namespace tsmini::rivals
