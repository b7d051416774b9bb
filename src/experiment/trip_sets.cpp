#include "experiment/trip_sets.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/split.h"

#include "base/random.h"

namespace tsmini::experiment {
namespace {

// The trips that have a mark now.
Dataset marked(const Dataset& data, const std::vector<Part>& parts) {
  DatasetBuilder builder(data.info().coordinates);
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (parts[i] != Part::none) builder.add(data[i], parts[i]);
  }
  return builder.finish(data.info().provenance);
}

void check_enough(std::size_t wanted, std::size_t there, std::string_view which) {
  if (wanted <= there) return;
  throw Error(ErrorCode::usage,
              fmt::format("{} training trips are wanted, but only {} {}", wanted, there, which),
              fmt::format("ask for {} at most, or use more data", there), "count");
}

}  // namespace

Dataset with_split(const Dataset& data, std::uint64_t seed) {
  if (data.info().has_split) return data;
  const SplitOptions shares{.train = 0.7, .validation = 0.1, .test = 0.2, .random = true};
  return marked(data, draw_split(data.size(), shares, seed));
}

Dataset with_training_set(const Dataset& data, std::size_t count) {
  std::vector<std::size_t> candidates = data.indices_of(Part::train);
  const std::vector<std::size_t> unmarked = data.indices_of(Part::none);
  candidates.insert(candidates.end(), unmarked.begin(), unmarked.end());
  check_enough(count, candidates.size(), "are marked so or not at all");
  std::vector<Part> parts(data.size(), Part::none);
  for (const Part part : {Part::validation, Part::test}) {
    for (const std::size_t index : data.indices_of(part)) parts[index] = part;
  }
  for (std::size_t k = 0; k < count; ++k) parts[candidates[k]] = Part::train;
  return marked(data, parts);
}

Dataset sample_for_tuning(const Dataset& data, std::size_t count, std::uint64_t seed) {
  const std::vector<std::size_t> train = data.indices_of(Part::train);
  check_enough(count, train.size(), "are marked so");
  const std::vector<std::size_t> drawn = draw_sample(train.size(), count, seed);
  const SplitOptions shares{.train = 0.8, .validation = 0.2, .test = 0, .random = true};
  const std::vector<Part> roles = draw_split(count, shares, Random(seed, 1).bits());
  std::vector<Part> parts(data.size(), Part::none);
  for (const std::size_t index : data.indices_of(Part::test)) parts[index] = Part::test;
  for (std::size_t k = 0; k < count; ++k) parts[train[drawn[k]]] = roles[k];
  return marked(data, parts);
}

}  // namespace tsmini::experiment
