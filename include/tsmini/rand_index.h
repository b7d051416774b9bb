// How far two clusterings of the same items agree.
//
//   rand_index(std::vector<std::uint32_t>{0, 0, 1}, std::vector<std::uint32_t>{5, 5, 7});  // 1
#pragma once

#include <cstdint>
#include <span>

namespace tsmini {

// Share of pairs of items on which two clusterings agree (together in both or apart in both).
// 1 for fewer than two items. Linear in items plus clusters of a times clusters of b.
double rand_index(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

}  // namespace tsmini
