#include "rivals/neutraj/neighbourhood.h"

#include <vector>

namespace tsmini::rivals {

Tensor neighbourhoods(const Cells& cells, std::int64_t reach, std::int64_t none) {
  const std::vector<std::int64_t>& known = cells.known();
  const auto count = static_cast<std::int64_t>(known.size());
  const std::int64_t side = 2 * reach + 1, columns = cells.columns();
  Tensor all = torch::full({count, side * side}, none, torch::kInt);
  auto* const places = all.data_ptr<std::int32_t>();
  for (std::int64_t offset = 0; offset < side * side; ++offset) {
    const std::int64_t north = offset / side - reach, east = offset % side - reach;
    // Known numbers rise, and so do those of the cells at one offset from them.
    std::size_t there = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t number = known[static_cast<std::size_t>(i)];
      const std::int64_t column = number % columns + east;
      const std::int64_t wanted = number + north * columns + east;
      while (there < known.size() && known[there] < wanted) ++there;
      if (column < 0 || column >= columns || there == known.size()) continue;
      if (known[there] == wanted)
        places[i * side * side + offset] = static_cast<std::int32_t>(there);
    }
  }
  return all;
}

}  // namespace tsmini::rivals
