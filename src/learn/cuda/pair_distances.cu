#include "learn/cuda/device.cuh"
#include "learn/cuda/pair_groups.h"
#include "learn/metric_group.h"

namespace tsmini::gpu {
namespace {

constexpr int most_each = 4;                    // numbers a lane holds at a time
constexpr int at_once = warp_size * most_each;  // dimensions a warp does
constexpr int most_slabs = 4;                   // of so many dimensions
static_assert(most_slabs * at_once == widest_row);

// A warp takes a pair; a lane holds four neighbouring dimensions (of every 128), so that a group of
// 4, 8, … 128 dimensions is held by neighbouring lanes. group: 1 is l1, 0 is l2.
__device__ inline float group_max(float x, int lanes) {
  for (int step = 1; step < lanes; step *= 2) x = fmaxf(x, __shfl_xor_sync(~0U, x, step));
  return x;
}

// Four dimensions of an embedding; zeros past the last one, where nothing differs.
__device__ inline Four numbers_at(const float* embedding, int at, int dimension) {
  return at < dimension ? load_four(embedding + at) : Four{};
}

__device__ inline Four difference(const Four& a, const Four& b) {
  return {{a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2], a.at[3] - b.at[3]}};
}

__device__ inline float largest(const Four& d) {
  return fmaxf(fmaxf(fabsf(d.at[0]), fabsf(d.at[1])), fmaxf(fabsf(d.at[2]), fabsf(d.at[3])));
}

// What four dimensions bring to a distance.
__device__ inline float share_of(const Four& d, int group) {
  if (group > 1) {
    const int lanes = group / most_each;
    const float most = group_max(largest(d), lanes);
    return lane_place() % lanes == 0 ? most : 0.0F;
  }
  float sum = 0;
#pragma unroll
  for (int u = 0; u < 4; ++u) sum += group == 0 ? d.at[u] * d.at[u] : fabsf(d.at[u]);
  return sum;
}

constexpr int forward_warps = 8, slices = 4;
constexpr int rows_at_once = 4;  // that a block holds, and compares with all others

__global__ void __launch_bounds__(forward_warps* warp_size)
    forward_kernel(int count, int dimension, int group, const float* embeddings, float* distances) {
  await_previous();
  const int lane = lane_place(), first = block_place() * rows_at_once;
  Four a[rows_at_once][most_slabs];
#pragma unroll
  for (int u = 0; u < rows_at_once; ++u) {
    const float* row =
        embeddings + static_cast<std::int64_t>(min(first + u, count - 1)) * dimension;
#pragma unroll
    for (int s = 0; s < most_slabs; ++s)
      a[u][s] = numbers_at(row, s * at_once + lane * most_each, dimension);
  }
  for (int j = static_cast<int>(blockIdx.y) * forward_warps + warp_place(); j < count;
       j += slices * forward_warps) {
    const float* row = embeddings + static_cast<std::int64_t>(j) * dimension;
    float sums[rows_at_once] = {};
#pragma unroll
    for (int s = 0; s < most_slabs; ++s) {
      if (s * at_once >= dimension) break;
      const Four b = numbers_at(row, s * at_once + lane * most_each, dimension);
#pragma unroll
      for (int u = 0; u < rows_at_once; ++u) sums[u] += share_of(difference(a[u][s], b), group);
    }
#pragma unroll
    for (int u = 0; u < rows_at_once; ++u) {
      const float sum = warp_sum(sums[u]);
      if (lane == u && first + u < count)
        distances[static_cast<std::int64_t>(first + u) * count + j] = group == 0 ? sqrtf(sum) : sum;
    }
  }
}

constexpr int backward_warps = 16;
constexpr int others_at_once = 8;  // of a warp, so that their numbers are on the way together

// The gradient by row i: that of every pair (i, j) and (j, i).
__global__ void __launch_bounds__(backward_warps* warp_size)
    backward_kernel(int count, int dimension, int group, const float* embeddings,
                    const float* distances, const float* grad, float* dembeddings) {
  await_previous();
  __shared__ __align__(16) float sums[backward_warps][at_once];
  const int lane = lane_place(), warp = warp_place(), i = block_place();
  const int lanes = max(group / most_each, 1);
  const unsigned mates = lanes == warp_size ? ~0U : ((1U << lanes) - 1) << (lane / lanes * lanes);
  // What the gradient brings along, of the pairs of i and first + lane: nothing where they are one.
  const auto pull_of = [&](int first) {
    const int j = first + lane;
    if (lane >= others_at_once || j >= count || j == i) return 0.0F;
    const std::int64_t ij = static_cast<std::int64_t>(i) * count + j;
    const float g = grad[ij] + grad[static_cast<std::int64_t>(j) * count + i];
    if (group != 0) return g;
    return distances[ij] > 0 ? g / distances[ij] : 0.0F;
  };
  for (int from = 0; from < dimension; from += at_once) {
    const int at = from + lane * most_each;
    const Four a = numbers_at(embeddings + static_cast<std::int64_t>(i) * dimension, at, dimension);
    Four sum{};
    for (int first = warp * others_at_once; first < count;
         first += backward_warps * others_at_once) {
      const float pulls = pull_of(first);
#pragma unroll
      for (int u = 0; u < others_at_once; ++u) {
        const float g = __shfl_sync(~0U, pulls, u);
        const int j = min(first + u, count - 1);
        const Four d = difference(
            a, numbers_at(embeddings + static_cast<std::int64_t>(j) * dimension, at, dimension));
        const auto signed_by = [g](float x) { return x > 0 ? g : (x < 0 ? -g : 0.0F); };
        if (group <= 1) {
#pragma unroll
          for (int v = 0; v < 4; ++v) sum.at[v] += group == 0 ? g * d.at[v] : signed_by(d.at[v]);
          continue;
        }
        const float most = largest(d), top = group_max(most, lanes);
        const unsigned winners = __ballot_sync(~0U, most == top) & mates;
        bool wins = lane == __ffs(static_cast<int>(winners)) - 1;  // the first of equals
#pragma unroll
        for (int v = 0; v < 4; ++v) {
          if (!wins || fabsf(d.at[v]) != top) continue;
          sum.at[v] += signed_by(d.at[v]);
          wins = false;
        }
      }
    }
    __syncthreads();
    store_four(&sums[warp][lane * most_each], sum);
    __syncthreads();
    const int c = thread_place();
    if (c < at_once && from + c < dimension) {
      float total = 0;
      for (int w = 0; w < backward_warps; ++w) total += sums[w][c];
      dembeddings[static_cast<std::int64_t>(i) * dimension + from + c] = total;
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
  launch(
      forward_kernel,
      {{(count + rows_at_once - 1) / rows_at_once, slices}, forward_warps * warp_size, 0, stream},
      count, dimension, group, embeddings, distances);
}

void pair_distances_backward(Stream stream, int count, int dimension, EmbeddingMetric metric,
                             const float* embeddings, const float* distances, const float* grad,
                             float* dembeddings) {
  const int group = group_of(metric, dimension);
  if (!fits_lanes(group))
    return group_distances_backward(stream, count, dimension, group, embeddings, grad, dembeddings);
  launch(backward_kernel, {count, backward_warps * warp_size, 0, stream}, count, dimension, group,
         embeddings, distances, grad, dembeddings);
}

}  // namespace tsmini::gpu
