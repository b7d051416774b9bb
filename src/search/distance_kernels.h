// Distances from a query to rows, in single precision, on the SIMD target in use.
//
// Query and rows are laid out by a LaneLayout of `row_lanes` lanes. The order of all operations is
// that of the layout, whatever the target: every machine computes the same digits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "search/lane_layout.h"

namespace tsmini {

inline constexpr std::size_t row_lanes = 16;

struct DistanceCall {
  const float* query;
  const float* rows;             // side by side
  const std::uint32_t* numbers;  // of the rows that are meant; null: the first `count`
  std::size_t count;
  float* distances;
};

using DistanceKernel = void (*)(const LaneLayout& layout, const DistanceCall& call);

DistanceKernel distance_kernel(const LaneLayout& layout);

}  // namespace tsmini
