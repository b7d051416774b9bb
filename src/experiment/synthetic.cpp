#include "experiment/synthetic.h"

#include "tsmini/city.h"

namespace tsmini::experiment {

City synthetic_city(const SyntheticOptions& options) {
  constexpr std::uint64_t seed = 1;
  const std::size_t validation = options.others / 3;
  DatasetBuilder builder;
  std::size_t made = 0;
  synthesize_city({.count = options.train + options.others,
                   .seed = seed,
                   .sampling = options.sampling,
                   .fewest_points = options.fewest_points,
                   .most_points = options.most_points},
                  [&](const Trajectory& trip) {
                    const Part part = made < options.train                ? Part::train
                                      : made < options.train + validation ? Part::validation
                                                                          : Part::test;
                    builder.add(trip, part);
                    ++made;
                  });
  return {"synthetic city", builder.finish()};
}

}  // namespace tsmini::experiment
