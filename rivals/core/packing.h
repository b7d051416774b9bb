// Padded sequences without their padding: the vectors of all in one row after another. A network
// that does most of its work on each vector by itself need not do it on padding.
//
//   Packing packing(batch.counted, batch.longest(), device);
//   Tensor x = packing.pack(batch.values);          // [sum of lengths, width]
//   Tensor y = packing.spread(linear(x));           // [count, longest, width] again
#pragma once

#include <cstdint>
#include <vector>

#include "rivals/core/tensors.h"

namespace tsmini::rivals {

class Packing {
 public:
  Packing(const std::vector<std::int64_t>& lengths, std::int64_t longest,
          const torch::Device& device);

  // [count, longest, …] to [sum of lengths, …], and back with 0 behind the ends.
  Tensor pack(const Tensor& padded) const;
  Tensor spread(const Tensor& packed) const;

  const Tensor& mask() const { return mask_; }      // [count, longest]: true within a sequence
  const Tensor& places() const { return places_; }  // within its sequence, of every packed vector

 private:
  std::int64_t count_, longest_;
  Tensor rows_;  // of packed vectors, in [count * longest]
  Tensor mask_, places_;
};

}  // namespace tsmini::rivals
