// The second half of sums over rows.
#pragma once

#include "learn/cuda/kernels.h"

namespace tsmini::gpu {

// sums[c] = the sum of partial[part · channels + c] over all parts, in an order that never changes.
// Any width. `sums` may be the first part.
void join_parts(Stream stream, int parts, int channels, const float* partial, float* sums);

}  // namespace tsmini::gpu
