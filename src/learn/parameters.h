// The numbers of a network, by name, in one block of memory, and the gradient by them in another.
//
// `weights` are trained; `buffers` are not: running statistics, known cells. So an optimiser, an
// average or a copy to a GPU is one loop. Names, shapes and what training begins with are
// those of model/architecture.h; initial values come from a seed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/model.h"

#include "learn/array.h"
#include "learn/storage.h"
#include "model/architecture.h"

namespace tsmini::learn {

template <typename T>
class Parameters {
 public:
  // `given`: the values of the tensor that is given, of a network that has one.
  Parameters(std::vector<TensorSpec> tensors, std::span<const float> given, std::uint64_t seed);
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;

  // A vector is one row.
  Array<T> operator[](std::string_view name);

  std::span<T> weights() { return {weights_.data(), weights_.size()}; }
  std::span<const T> weights() const { return {weights_.data(), weights_.size()}; }
  std::span<T> buffers() { return {buffers_.data(), buffers_.size()}; }
  std::span<const T> buffers() const { return {buffers_.data(), buffers_.size()}; }
  // The gradient by the weights; the tape must have been walked back over all of them.
  std::span<const T> gradient() const;
  // Forgets it; call before walking back again.
  void forget_gradient();

  // All tensors by name, as a model file holds them, taken from copies of weights() and buffers().
  using Value = typename Storage<T>::Value;
  std::map<std::string, Tensor, std::less<>> to_tensors(std::span<const Value> weights,
                                                        std::span<const Value> buffers) const;
  // Takes the tensors of a model that check_tensors() has passed for the same settings.
  void from_tensors(const std::map<std::string, Tensor, std::less<>>& tensors);

  struct Entry {
    TensorSpec spec;
    std::size_t offset = 0;  // in its block
  };
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  using Block = typename Storage<T>::template Block<T>;

  std::vector<Entry> entries_;
  Block weights_, buffers_, gradient_;
  std::vector<Gradient<T>> gradients_;  // of the entries
};

}  // namespace tsmini::learn
