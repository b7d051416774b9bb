// Experiments in miniature: a hundred trips, two steps a run.
#pragma once

#include <cstdint>

#include "tsmini/city.h"

#include "experiment/setting.h"

namespace tsmini::experiment {

inline City small_city(const char* name, std::uint64_t seed) {
  DatasetBuilder builder;
  std::size_t made = 0;
  synthesize_city({.count = 110, .seed = seed}, [&](const Trajectory& trip) {
    const Part part = made < 60    ? Part::train
                      : made < 75  ? Part::validation
                      : made < 100 ? Part::test
                                   : Part::none;
    builder.add(trip, part);
    ++made;
  });
  return {name, builder.finish()};
}

inline Setting small_setting() {
  Setting setting;
  setting.city = small_city("porto", 1);
  setting.other = small_city("elsewhere", 2);
  setting.measures = {Measure::dtw, Measure::frechet};
  setting.steps = 2;
  setting.validations = 1;
  setting.synthetic = 35;
  return setting;
}

}  // namespace tsmini::experiment
