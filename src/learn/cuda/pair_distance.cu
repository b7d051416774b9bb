#include "learn/cuda/device.cuh"
#include "learn/cuda/pair_groups.h"
#include "learn/metric_group.h"

namespace tsmini::gpu {
namespace {

constexpr int warps = 8;
constexpr int most_each = 4;                      // numbers a lane holds at a time
constexpr int at_once = warp_size * most_each;    // dimensions a warp does

// A warp takes a pair; a lane holds four neighbouring dimensions (of every 128), so that a group of
// 4, 8, … 128 dimensions is held by neighbouring lanes. group: 1 is l1, 0 is l2.
__device__ inline float group_max(float x, int lanes) {
  for (int step = 1; step < lanes; step *= 2) x = fmaxf(x, __shfl_xor_sync(~0U, x, step));
  return x;
}

// All lanes come here, also those past the last dimension, where nothing differs.
__device__ inline float4 difference(const float* a, const float* b, int at, int dimension) {
  if (at >= dimension) return make_float4(0, 0, 0, 0);
  const float4 x = *reinterpret_cast<const float4*>(a + at);
  const float4 y = *reinterpret_cast<const float4*>(b + at);
  return make_float4(x.x - y.x, x.y - y.y, x.z - y.z, x.w - y.w);
}

__device__ inline float largest(const float4& d) {
  return fmaxf(fmaxf(fabsf(d.x), fabsf(d.y)), fmaxf(fabsf(d.z), fabsf(d.w)));
}

__global__ void forward_kernel(int count, int dimension, int group, const float* embeddings,
                               float* distances) {
  const int lane = lane_place(), i = block_place();
  const float* a = embeddings + static_cast<std::int64_t>(i) * dimension;
  const int lanes = group / most_each;
  for (int j = warp_place(); j < count; j += warps) {
    const float* b = embeddings + static_cast<std::int64_t>(j) * dimension;
    float sum = 0;
    for (int from = 0; from < dimension; from += at_once) {
      const float4 d = difference(a, b, from + lane * most_each, dimension);
      if (group == 0) sum += d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w;
      if (group == 1) sum += fabsf(d.x) + fabsf(d.y) + fabsf(d.z) + fabsf(d.w);
      if (group > 1) {
        const float most = group_max(largest(d), lanes);
        sum += lane % lanes == 0 ? most : 0.0F;
      }
    }
    sum = warp_sum(sum);
    if (lane == 0)
      distances[static_cast<std::int64_t>(i) * count + j] = group == 0 ? sqrtf(sum) : sum;
  }
}

// By row i: the gradient of every pair (i, j) and (j, i).
__global__ void backward_kernel(int count, int dimension, int group, const float* embeddings,
                                const float* distances, const float* grad, float* dembeddings) {
  __shared__ float4 sums[warps][warp_size];
  const int lane = lane_place(), warp = warp_place(), i = block_place();
  const int lanes = max(group / most_each, 1);
  const unsigned mates =
      lanes == warp_size ? ~0U : ((1U << lanes) - 1) << (lane / lanes * lanes);
  const float* a = embeddings + static_cast<std::int64_t>(i) * dimension;
  for (int from = 0; from < dimension; from += at_once) {
    const int at = from + lane * most_each;
    float4 sum = make_float4(0, 0, 0, 0);
    for (int j = warp; j < count; j += warps) {
      if (j == i) continue;
      const std::int64_t ij = static_cast<std::int64_t>(i) * count + j;
      const float g = grad[ij] + grad[static_cast<std::int64_t>(j) * count + i];
      const float* b = embeddings + static_cast<std::int64_t>(j) * dimension;
      const float4 d = difference(a, b, at, dimension);
      if (group == 0) {
        const float f = distances[ij] > 0 ? g / distances[ij] : 0.0F;
        sum.x += f * d.x;
        sum.y += f * d.y;
        sum.z += f * d.z;
        sum.w += f * d.w;
        continue;
      }
      const auto signed_by = [g](float x) { return x > 0 ? g : (x < 0 ? -g : 0.0F); };
      if (group == 1) {
        sum.x += signed_by(d.x);
        sum.y += signed_by(d.y);
        sum.z += signed_by(d.z);
        sum.w += signed_by(d.w);
        continue;
      }
      const float most = largest(d), top = group_max(most, lanes);
      const unsigned winners = __ballot_sync(~0U, most == top) & mates;
      if (lane != __ffs(static_cast<int>(winners)) - 1) continue;  // the first of equals
      if (fabsf(d.x) == top) sum.x += signed_by(d.x);
      else if (fabsf(d.y) == top) sum.y += signed_by(d.y);
      else if (fabsf(d.z) == top) sum.z += signed_by(d.z);
      else sum.w += signed_by(d.w);
    }
    __syncthreads();
    sums[warp][lane] = sum;
    __syncthreads();
    if (warp == 0 && at < dimension) {
      for (int w = 1; w < warps; ++w) {
        const float4 other = sums[w][lane];
        sum.x += other.x;
        sum.y += other.y;
        sum.z += other.z;
        sum.w += other.w;
      }
      *reinterpret_cast<float4*>(dembeddings + static_cast<std::int64_t>(i) * dimension + at) = sum;
    }
  }
}

int group_of(const EmbeddingMetric& metric, int dimension) {
  return static_cast<int>(group_size(metric, static_cast<std::size_t>(dimension)));
}

// Whether neighbouring lanes can hold a group.
bool fits_lanes(int group) {
  const bool power_of_two = (group & (group - 1)) == 0;
  return group <= 1 || (group >= most_each && group <= at_once && power_of_two);
}

}  // namespace

void pair_distances(Stream stream, int count, int dimension, EmbeddingMetric metric,
                    const float* embeddings, float* distances) {
  const int group = group_of(metric, dimension);
  if (!fits_lanes(group))
    return group_distances(stream, count, dimension, group, embeddings, distances);
  launch(forward_kernel, {count, warps * warp_size, 0, stream}, count, dimension, group, embeddings,
         distances);
}

void pair_distances_backward(Stream stream, int count, int dimension, EmbeddingMetric metric,
                             const float* embeddings, const float* distances, const float* grad,
                             float* dembeddings) {
  const int group = group_of(metric, dimension);
  if (!fits_lanes(group))
    return group_distances_backward(stream, count, dimension, group, embeddings, grad, dembeddings);
  launch(backward_kernel, {count, warps * warp_size, 0, stream}, count, dimension, group,
         embeddings, distances, grad, dembeddings);
}

}  // namespace tsmini::gpu
