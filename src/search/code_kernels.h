// Distances of codes, one byte a dimension, in whole numbers: those of l2 are squared.
//
// Query and rows are laid out by a LaneLayout of `code_lanes` lanes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "search/lane_layout.h"

namespace tsmini {

inline constexpr std::size_t code_lanes = 64;

struct CodeCall {
  const std::uint8_t* query;
  const std::uint8_t* rows;  // side by side
  std::size_t count;
  std::uint32_t* distances;
};

using CodeKernel = void (*)(const LaneLayout& layout, const CodeCall& call);

CodeKernel code_kernel(const LaneLayout& layout);

}  // namespace tsmini
