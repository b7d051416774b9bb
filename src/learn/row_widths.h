// Which widths of rows the kernels of a GPU take: multiples of the one, up to the other. For them
// and for whoever checks settings.
#pragma once

namespace tsmini {

inline constexpr int row_width_step = 32, widest_row = 512;

}  // namespace tsmini
