// A few trajectories of unequal lengths with made-up true distances, and the bridge between the
// network's packed rows and the reference's nested vectors.
#pragma once

#include <span>
#include <string>
#include <vector>

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

// Features of a batch in one matrix.
template <typename T>
class PackedFeatures {
 public:
  explicit PackedFeatures(const std::vector<Matrix>& features);

  learn::Array<T> rows() { return {values_.data(), values_.size() / columns_, columns_, nullptr}; }
  learn::Packing packing() const {
    return {starts_.data(), starts_.size() - 1, static_cast<std::size_t>(starts_.back()), 0};
  }

 private:
  std::vector<T> values_;
  std::vector<int> starts_{0};
  std::size_t columns_;
};

// The numbers of blocks like those of the parameters, by name.
template <typename T>
Weights by_name(const learn::Parameters<T>& parameters, std::span<const T> weights,
                std::span<const T> buffers);
template <typename T>
Weights weights_of(const learn::Net<T>& net) {
  const learn::Parameters<T>& all = net.parameters();
  return by_name<T>(all, all.weights(), all.buffers());
}

// Embeddings outside training.
template <typename T>
Matrix embeddings_of(learn::Net<T>& net, const std::vector<Matrix>& features);

// Forward, distances, loss and backward: the gradient is that of the net's parameters afterwards.
template <typename T>
struct Learned {
  Matrix embeddings, distances;
  double loss = 0;
};
template <typename T>
Learned<T> learn_from(learn::Net<T>& net, const std::vector<Matrix>& features,
                      const SmallBatch& batch, const LossSettings& loss);

// Largest difference relative to the largest absolute value of `expected`; infinity where either
// has what is not a number.
double relative_error(const Matrix& actual, const Matrix& expected);

}  // namespace tsmini
