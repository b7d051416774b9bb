// What an experiment is made with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/measure.h"
#include "tsmini/space.h"

#include "experiment/rival.h"

namespace tsmini::experiment {

// A data set and what tables call it. It carries a split.
struct City {
  std::string name;
  Dataset data;
};

struct Setting {
  City city;
  std::optional<City> other;  // what `transfer` travels to
  std::vector<Measure> measures{Measure::dtw, Measure::edwp, Measure::frechet, Measure::hausdorff};
  std::vector<std::uint64_t> seeds{1};
  std::optional<std::uint64_t> steps = 4000;  // of every run; none: what each preset has
  std::optional<std::uint64_t> validations;   // a run; none: what each preset has
  SpaceKind space = SpaceKind::zscore;
  std::size_t synthetic = 7000;  // trips to learn from in a synthetic city, where one is needed
  RivalChoice rivals;            // what else is trained where the paper has rivals
};

}  // namespace tsmini::experiment
