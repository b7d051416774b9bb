#include "search/graph.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace tsmini {
namespace {

// On how many levels above the lowest each row lies; empty where lists do not follow each other.
std::optional<std::vector<std::uint32_t>> levels_of(const Graph& graph) {
  std::vector<std::uint32_t> levels(graph.size());
  std::size_t next = graph.upper.size() / graph.links;  // list of the row behind
  for (std::size_t row = graph.size(); row-- > 0;) {
    const std::uint32_t start = graph.starts[row];
    if (start == Graph::none) continue;
    if (start >= next) return std::nullopt;
    levels[row] = static_cast<std::uint32_t>(next - start);
    next = start;
  }
  if (next != 0 || graph.upper.size() % graph.links != 0) return std::nullopt;
  return levels;
}

}  // namespace

const char* Graph::flaw() const {
  const auto levels = levels_of(*this);
  if (!levels) return "the levels of its graph are mixed up";
  if (size() > 0 && (entry >= size() || (*levels)[entry] != entry_levels)) {
    return "its graph has no entry";
  }
  const auto is_sound = [&](std::span<const std::uint32_t> list, std::uint32_t level) {
    return std::all_of(
        list.begin(), std::find(list.begin(), list.end(), none),
        [&](std::uint32_t row) { return row < size() && (level == 0 || (*levels)[row] >= level); });
  };
  for (std::uint32_t row = 0; row < size(); ++row) {
    bool sound = is_sound(neighbours(row), 0);
    for (std::uint32_t level = 1; level <= (*levels)[row]; ++level) {
      sound = sound && is_sound(neighbours(row, level), level);
    }
    if (!sound) return "its graph has links that lead nowhere";
  }
  return nullptr;
}

}  // namespace tsmini
