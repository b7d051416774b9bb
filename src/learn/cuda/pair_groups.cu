#include "learn/cuda/pair_groups.h"

#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

constexpr int warps = 8;

// The largest difference of a group, and the first place that has it: for all lanes.
struct Largest {
  float size = 0;
  int place = 0;
};

__device__ inline Largest largest_of(const float* a, const float* b, int group) {
  Largest most;
  for (int c = lane_place(); c < group; c += warp_size) {
    const float size = fabsf(a[c] - b[c]);
    if (size > most.size) most = {size, c};
  }
  for (int step = warp_size / 2; step > 0; step /= 2) {
    const float size = __shfl_xor_sync(~0U, most.size, step);
    const int place = __shfl_xor_sync(~0U, most.place, step);
    if (size > most.size || (size == most.size && place < most.place)) most = {size, place};
  }
  return most;
}

// A block takes row i, a warp its pairs one by one, and of a pair group after group.
__global__ void forward_kernel(int count, int dimension, int group, const float* embeddings,
                               float* distances) {
  await_previous();
  const int i = block_place();
  const float* a = embeddings + static_cast<std::int64_t>(i) * dimension;
  for (int j = warp_place(); j < count; j += warps) {
    const float* b = embeddings + static_cast<std::int64_t>(j) * dimension;
    float sum = 0;
    for (int from = 0; from < dimension; from += group)
      sum += largest_of(a + from, b + from, group).size;
    if (lane_place() == 0) distances[static_cast<std::int64_t>(i) * count + j] = sum;
  }
}

// The gradient by row i: that of every pair (i, j) and (j, i), summed by each warp apart.
__global__ void backward_kernel(int count, int dimension, int group, const float* embeddings,
                                const float* grad, float* dembeddings) {
  await_previous();
  float* sums = shared_memory<float>();  // warps × dimension
  const int i = block_place();
  const float* a = embeddings + static_cast<std::int64_t>(i) * dimension;
  float* mine = sums + warp_place() * dimension;
  for (int c = lane_place(); c < dimension; c += warp_size) mine[c] = 0;
  __syncwarp();
  for (int j = warp_place(); j < count; j += warps) {
    if (j == i) continue;
    const float* b = embeddings + static_cast<std::int64_t>(j) * dimension;
    const float g = grad[static_cast<std::int64_t>(i) * count + j] +
                    grad[static_cast<std::int64_t>(j) * count + i];
    for (int from = 0; from < dimension; from += group) {
      const int at = from + largest_of(a + from, b + from, group).place;
      if (lane_place() != 0) continue;
      if (a[at] > b[at]) mine[at] += g;
      if (a[at] < b[at]) mine[at] -= g;
    }
  }
  __syncthreads();
  for (int c = thread_place(); c < dimension; c += warps * warp_size) {
    float sum = 0;
    for (int w = 0; w < warps; ++w) sum += sums[w * dimension + c];
    dembeddings[static_cast<std::int64_t>(i) * dimension + c] = sum;
  }
}

}  // namespace

void group_distances(Stream stream, int count, int dimension, int group, const float* embeddings,
                     float* distances) {
  launch(forward_kernel, {count, warps * warp_size, 0, stream}, count, dimension, group, embeddings,
         distances);
}

void group_distances_backward(Stream stream, int count, int dimension, int group,
                              const float* embeddings, const float* grad, float* dembeddings) {
  launch(backward_kernel, {count, warps * warp_size, bytes_of<float>(warps * dimension), stream},
         count, dimension, group, embeddings, grad, dembeddings);
}

}  // namespace tsmini::gpu
