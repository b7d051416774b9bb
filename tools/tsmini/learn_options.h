// What `train` and `experiment` can be asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tsmini/train.h"

#include "common/measure_options.h"
#include "common/pick_options.h"

namespace tsmini::cli {

struct TrainArguments {
  std::string data, output, preset, device = "cpu", init;
  LabelKind labels = LabelKind::automatic;
  MeasureOptions measure;
  PickOptions picking;
  std::optional<std::uint64_t> steps;
  std::optional<std::size_t> batch;
  double time_budget = 0;
  std::uint64_t seed = 1;
  bool resume = false, rebox = false;
  std::vector<std::string> settings;  // KEY=VALUE
  bool measure_given = false, space_given = false;
};
// Adds the verb `train`, without what every verb has.
CLI::App& add_train_verb(CLI::App& app, TrainArguments& options);

struct ExperimentOptions {
  std::string name, data, output, other, device = "cpu", space = "zscore";
  std::vector<std::string> measures, rivals;
  std::optional<std::uint64_t> steps;
  std::optional<double> rival_seconds;
  std::uint64_t seeds = 1;
  bool full = false, quick = false, plan = false, as_released = false;
};
// Adds the verb `experiment`, likewise.
CLI::App& add_experiment_verb(CLI::App& app, ExperimentOptions& options);

}  // namespace tsmini::cli
