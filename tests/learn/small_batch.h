// A few trajectories of unequal lengths with made-up true distances, and the bridge between the
// network's packed tensors and the reference's nested vectors.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "tsmini/dataset.h"

#include "learn/net.h"
#include "learn/reference_net.h"

namespace tsmini {

struct SmallBatch {
  FeatureFrame frame;
  std::vector<std::vector<Planar>> trips;
  Matrix truth;  // metres
  double largest = 0;

  std::vector<Matrix> features(const NetSettings& settings) const;
  Dataset dataset() const;
  // Every other cell that the trips touch, for a net without sub-views; none for others.
  std::vector<std::int64_t> known_cells(const NetSettings& settings) const;
};
// Random walks of these many points in a box of 3 by 2.5 km.
SmallBatch small_batch(std::uint64_t seed, const std::vector<std::size_t>& lengths);
// The lengths of the golden batch: one of the shortest kind, one that must be extended.
inline SmallBatch golden_batch() {
  return small_batch(12, {9, 7, 1, 16, 10, 12});
}

at::Tensor tensor_of(const Matrix& matrix, at::ScalarType type = at::kDouble);
Matrix matrix_of(const at::Tensor& tensor);
// `spare`: rows of capacity past the real ones, filled with nonsense.
learn::Packed pack(const std::vector<Matrix>& features, at::ScalarType type = at::kDouble,
                   std::int64_t spare = 0);

// Where each named tensor lies in the blocks of the parameters.
class NamedBlocks {
 public:
  struct Place {
    bool buffer = false;
    std::size_t offset = 0, size = 0;
  };

  explicit NamedBlocks(const learn::Parameters& parameters);
  const std::map<std::string, Place>& places() const { return places_; }
  // The numbers of the blocks by name.
  Weights read(const at::Tensor& weights, const at::Tensor& buffers) const;

 private:
  std::map<std::string, Place> places_;
};
inline Weights weights_of(const learn::Net& net) {
  return NamedBlocks(net.parameters()).read(net.parameters().weights(), net.parameters().buffers());
}

// Forward, distances, loss, with the graph for gradients.
at::Tensor loss_of(const learn::Net& net, const learn::Packed& points, const SmallBatch& batch,
                   const LossSettings& loss, const learn::Pass& pass);
// The gradient by all weights, laid out as the block of weights.
at::Tensor gradient_of(const learn::Net& net, const at::Tensor& loss);

// Largest difference relative to the largest absolute value of `expected`.
double relative_error(const at::Tensor& actual, const at::Tensor& expected);
double relative_error(const Matrix& actual, const Matrix& expected);

}  // namespace tsmini
