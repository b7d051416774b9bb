// Synthetic cities for experiments on more or longer trips than the data at hand has.
//
//   City city = synthetic_city({.train = 7000, .others = 3000, .sampling = 1,
//                               .fewest_points = 400, .most_points = 800});
#pragma once

#include <cstddef>

#include "experiment/setting.h"

namespace tsmini::experiment {

struct SyntheticOptions {
  std::size_t train = 7000;
  std::size_t others = 3000;  // a third of them for validation, the rest for the test
  double sampling = 15;       // seconds between points
  std::size_t fewest_points = 20, most_points = 200;
};

// The same trips for the same options, from a seed of its own.
City synthetic_city(const SyntheticOptions& options);

}  // namespace tsmini::experiment
