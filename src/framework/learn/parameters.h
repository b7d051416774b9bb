// The numbers of a network, by name, in one block of memory.
//
// Each is a leaf tensor that shares its memory with `weights` (or `buffers`, for what is not
// trained: running statistics), so that an optimiser, an average or a copy to another device is one
// operation. Initial values come from a seed, the same on every device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "tsmini/model.h"

#include "base/random.h"

namespace tsmini::learn {

class Parameters {
 public:
  explicit Parameters(std::uint64_t seed) : random_(seed, 0x9a7a) {}

  // Handles stay valid; their tensors exist after finish().
  using Handle = std::size_t;
  // Uniform within ±1 / sqrt(fan_in): what PyTorch starts linear layers and convolutions with.
  Handle add_uniform(std::string name, std::vector<std::int64_t> shape, std::int64_t fan_in);
  Handle add_normal(std::string name, std::vector<std::int64_t> shape);
  Handle add_constant(std::string name, std::vector<std::int64_t> shape, double value);
  Handle add_buffer(std::string name, std::vector<std::int64_t> shape, std::vector<float> values);

  void finish(const at::Device& device, at::ScalarType type = at::kFloat);

  const at::Tensor& operator[](Handle handle) const { return entries_[handle].tensor; }
  // Of those that are trained, in order; and the block that they share.
  std::vector<at::Tensor> trained() const;
  at::Tensor weights() const { return weights_; }
  at::Tensor buffers() const { return buffers_; }

  // All of them by name, as a model file holds them, taken from the given blocks.
  std::map<std::string, Tensor, std::less<>> to_tensors(const at::Tensor& weights,
                                                        const at::Tensor& buffers) const;
  // Throws Error(bad_input) where a name is missing, unknown or of another shape.
  void from_tensors(const std::map<std::string, Tensor, std::less<>>& tensors);

 private:
  struct Entry {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> initial;
    bool buffer = false;
    std::int64_t offset = 0;  // in its block
    at::Tensor tensor;
  };

  Handle add(std::string name, std::vector<std::int64_t> shape, std::vector<float> initial,
             bool buffer);

  Random random_;
  std::vector<Entry> entries_;
  at::Tensor weights_;
  at::Tensor buffers_;
};

}  // namespace tsmini::learn
