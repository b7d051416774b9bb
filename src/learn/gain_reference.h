// Gains of the ranking loss are powers of 2 of how near a trip truly is. They count by their
// ratios, so that any reference will do: the farthest true distance, as published, but where the
// gain of the nearest would leave what numbers hold.
#pragma once

namespace tsmini {

inline constexpr double farthest_reference = 64;  // from the nearest, in units of the largest label

}  // namespace tsmini
