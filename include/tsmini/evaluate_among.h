// How well a model serves among as many trips as there will be. Hit ratios fall as the base grows:
// what tsmini/evaluate.h says of two thousand test trips holds for two thousand.
//
//   const AmongEvaluation result = evaluate_among(model, data, data.indices_of(Part::test), city);
//   std::cout << result.recall.at(10, 10) << " of the true ten among the first ten by embedding\n";
//
// The truth comes from exact search, and the embeddings from an index as a collection has it, so
// that memory is linear in the base: about 50 bytes a point and 4 bytes a dimension.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "tsmini/dataset.h"
#include "tsmini/judgement.h"
#include "tsmini/model.h"
#include "tsmini/progress.h"

namespace tsmini {

struct AmongEvaluation {
  std::size_t queries = 0;  // that the model could take
  std::size_t base = 0;     // trips, of which a query is none of its own neighbours
  std::size_t unfit = 0;    // of the base, that the model cannot take: measured exactly
  // The recall of these queries: at(k, k) is HR@k, at(10, 50) is R10@50 and the share of the true
  // ten that `rerank` finds with 50 candidates.
  RecallCurve recall;
  // Median of |shown - true| / true over the ten nearest that `fast` answers with: as the model is
  // calibrated, and as the base is, where it was judged by its own trips.
  double relative_error = 0;
  std::optional<double> judged_relative_error;
  // What a collection of the base would know of the model; none for 1,000 trips and fewer.
  std::optional<Judgement> judgement;
  double embed_seconds = 0;  // and to index and judge
  double query_seconds = 0;
};

// The trajectories `indices` of `data` against all of `base`, but for the one of the same id.
// Throws Error(bad_input) for an empty base, ids that come twice in it, and trips of either that
// the space of the model does not reach. Progress counts trips of the base, then queries.
AmongEvaluation evaluate_among(const Model& model, const Dataset& data,
                               std::span<const std::size_t> indices, const Dataset& base,
                               const Progress& progress = {});

}  // namespace tsmini
