#include "experiment/experiments.h"

#include <algorithm>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/enum_names.h"
#include "base/utf8.h"

namespace tsmini::experiment {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all{
      {"dataset", "Table I", "what the data is like", dataset_statistics},
      {"overall", "Table II", "hit ratios of presets, and without learning", overall,
       PaperRivals::all},
      {"ablation", "Table III", "without sub-views, without the ranking loss", ablation},
      {"attention", "Table IV", "grouped queries, a vanilla Transformer", attention},
      {"clustering", "Table V", "Rand index, with and without sub-views", clustering},
      {"parameters", "Figure 5, Table VI", "batch size and weight of the losses", parameters},
      {"length", "Figure 6", "trips of up to 800 points", length, PaperRivals::all},
      {"scale", "Table VII", "more trips to learn from", scale, PaperRivals::some},
      {"quality", "Table VIII", "points missing and moved", quality, PaperRivals::some},
      {"transfer", "Table IX", "learned in one city, used in another", transfer, PaperRivals::some,
       true},
      {"efficiency", "Table X", "parameters and times", efficiency, PaperRivals::all},
  };
  return all;
}

const Experiment& experiment_named(std::string_view name) {
  const auto& all = experiments();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Experiment& e) { return e.name == name; });
  if (found != all.end()) return *found;
  throw Error(
      ErrorCode::usage, fmt::format("there is no experiment '{}'", printable(name)),
      fmt::format("choose one of all, {}", fmt::join(names_of(all, &Experiment::name), ", ")),
      "experiment");
}

}  // namespace tsmini::experiment
