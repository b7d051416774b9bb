// The model once more, from its formulas: plain loops in double precision over nested vectors, one
// trajectory after the other, without packing and without gradients. Slow and simple; what training
// computes is compared with it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tsmini/model.h"
#include "tsmini/recipe.h"

namespace tsmini {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;                          // rows
using Weights = std::map<std::string, Vector, std::less<>>;  // by the names of the model file

// Seven numbers a point and the Fourier features behind them; fewer than seven points are extended.
Matrix reference_features(const FeatureFrame& frame, const std::vector<Planar>& points,
                          std::size_t octaves);

struct ReferenceResult {
  Matrix embeddings;
  Weights buffers;  // running statistics after the pass
};
// `training`: batch norm by the statistics of this batch, which the running ones then follow. No
// dropout.
ReferenceResult reference_embeddings(const NetSettings& settings, const FeatureFrame& frame,
                                     const Weights& weights, const std::vector<Matrix>& features,
                                     bool training);

Matrix reference_distances(const EmbeddingMetric& metric, const Matrix& embeddings);

// The two terms, each without its factor λ·100 or 1 - λ.
double reference_squared_error(const Matrix& predicted, const Matrix& truth, double focus);
double reference_rank_loss(const Matrix& predicted, const Matrix& truth,
                           const LossSettings& settings);
// `truth`: true distances in their unit, `largest`: D_max.
double reference_loss(const Matrix& predicted, const Matrix& truth, double largest,
                      const LossSettings& settings);

}  // namespace tsmini
