// Matrices laid out for the kernel that multiplies with them.
//
// The outputs are cut into panels as wide as the kernel's tile; in a panel the numbers of one input
// stand side by side, input after input, so that the kernel reads memory in order. Outputs are
// filled up with zeros to whole vectors; the last panel may be narrower.
#pragma once

#include <cstddef>

#include "encode/weights.h"
#include "hwy/aligned_allocator.h"

namespace tsmini::encode {

// The sizes of the kernel's tiles, in floats.
struct Geometry {
  std::size_t lanes = 4;   // of a vector
  std::size_t width = 16;  // of a panel: several vectors
};

struct Panels {
  std::size_t depth = 0;    // inputs
  std::size_t columns = 0;  // outputs, in whole vectors
  std::size_t width = 0;    // of a panel
  hwy::AlignedFreeUniquePtr<float[]> bias;
  hwy::AlignedFreeUniquePtr<float[]> values;
};

Panels panels_of(const Linear& linear, const Geometry& geometry);

// The two halves of a gate's outputs in turns, a vector of the first and a vector of the second,
// each half filled up to whole vectors.
Linear interleaved_gate(const Linear& linear, std::size_t lanes);

}  // namespace tsmini::encode
