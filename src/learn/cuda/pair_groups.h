// Distances among embeddings by groups of any size: what pair_distances() does where a group is no
// power of two, or too large or too small for the lanes of a warp. Slower.
#pragma once

#include "learn/cuda/kernels.h"

namespace tsmini::gpu {

void group_distances(Stream stream, int count, int dimension, int group, const float* embeddings,
                     float* distances);
void group_distances_backward(Stream stream, int count, int dimension, int group,
                              const float* embeddings, const float* grad, float* dembeddings);

}  // namespace tsmini::gpu
