// How well a model stands in for its measure on a data set.
//
// Every trajectory is a query against all others. True distances are taken in the space and with
// the settings that the model holds, in single precision. Rows are made in blocks: memory is linear
// in the trajectories, but for the Rand index, which needs both matrices and is left out for more
// than 5,000.
//
//   Evaluation result = evaluate(Model::load("m.safetensors"), data, data.indices_of(Part::test));
//   std::cout << result.score.hr10 << " of " << result.score.base << '\n';
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "tsmini/dataset.h"
#include "tsmini/model.h"
#include "tsmini/planar_set.h"
#include "tsmini/progress.h"
#include "tsmini/retrieval.h"

namespace tsmini {

// Distances of queries to a base, row-major.
using DistanceRows = std::function<void(const PlanarSet& queries, std::span<float> distances)>;

struct EvaluateRequest {
  std::optional<std::size_t> limit;  // only the first so many queries; the base stays whole
  std::uint64_t seed = 1;            // of the clustering
  // Where true distances come from; empty: PairEngine.
  std::function<DistanceRows(const PlanarSet& base)> truth;
  // True distances that are at hand, in place of `truth`: of all to all, row-major. They need not
  // be of these very trajectories: of what they were before points were lost, say.
  std::span<const float> known;
};

struct Evaluation {
  RetrievalScore score;
  // The median of |predicted - true| / true over a sample of fewer than 8 million pairs.
  double relative_error = 0;
  double near_relative_error = 0;    // the same over the ten nearest by embedding of every query
  std::optional<double> rand_index;  // of ten clusters
  double embed_seconds = 0;
  double truth_seconds = 0;
  double search_seconds = 0;  // the 50 nearest embeddings of every query
};

inline constexpr std::size_t most_for_rand_index = 5000;

// How well the model does on the trajectories `indices`. Throws Error(bad_input) for fewer than
// two, data that leaves the model's box or is of other coordinates, and a model whose tensors do
// not fit its settings. Progress counts queries.
Evaluation evaluate(const Model& model, const Dataset& data, std::span<const std::size_t> indices,
                    const EvaluateRequest& request = {}, const Progress& progress = {});

}  // namespace tsmini
