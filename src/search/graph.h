// Rows linked to their neighbours on levels, each of which holds a small part of the one below: a
// hierarchical navigable small world.
//
// On the lowest level a row has up to 2 · `links` neighbours, above it up to `links`. A list that
// is not full ends with `none`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/array.h"

namespace tsmini {

struct Graph {
  static constexpr std::uint32_t none = UINT32_MAX;

  explicit Graph(std::size_t count) : links(count) {}

  std::size_t links;
  std::uint32_t entry = none;      // where a search begins: a row of the highest level
  std::uint32_t entry_levels = 0;  // above the lowest
  Array<std::uint32_t> lowest;     // 2 links a row
  Array<std::uint32_t> starts;     // of each row's first list in `upper`, or none
  Array<std::uint32_t> upper;      // lists, from the second lowest level up

  std::size_t size() const { return starts.size(); }

  std::span<const std::uint32_t> neighbours(std::uint32_t row) const {
    return lowest.part(std::size_t{row} * 2 * links, 2 * links);
  }
  // Level 1 and above. Empty where a file lies about what there is.
  std::span<const std::uint32_t> neighbours(std::uint32_t row, std::uint32_t level) const {
    const std::size_t first = (std::size_t{starts[row]} + level - 1) * links;
    if (first + links > upper.size()) return {};
    return upper.part(first, links);
  }

  // Null, or what is wrong: a search passes over links that lead nowhere, building may not meet
  // any.
  const char* flaw() const;
};

}  // namespace tsmini
