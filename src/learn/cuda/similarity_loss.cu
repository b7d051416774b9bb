#include "learn/cuda/device.cuh"
#include "learn/gain_reference.h"

namespace tsmini::gpu {
namespace {

constexpr int threads = 256;
constexpr float per_ln2 = 1.4426950408889634F;

// The numbers of a list that a warp holds: a lane every 32nd.
constexpr int most_each = 32;

// The k least of values[0 … count), but for that of `skipped`, times a factor: in rising order, of
// equals the first, with their places. They are not below 0, so that their bits rise as they do;
// what is not a number counts as infinite.
__device__ inline void take_least(const float* values, float factor, int count, int skipped, int k,
                                  float* least, int* places) {
  unsigned bits[most_each];
  unsigned taken = 0;
#pragma unroll
  for (int e = 0; e < most_each; ++e) {
    const int place = e * warp_size + lane_place();
    const bool is_there = place < count && place != skipped;
    const float value = is_there ? values[place] * factor : 0.0F;
    bits[e] = __float_as_uint(value < INFINITY ? value : INFINITY);
    if (!is_there) taken |= 1U << e;
  }
  for (int r = 0; r < k; ++r) {
    unsigned mine = ~0U;
    int at = 0;
#pragma unroll
    for (int e = 0; e < most_each; ++e) {
      if (e * warp_size >= count) break;
      if (bits[e] < mine && (taken >> e & 1U) == 0) {
        mine = bits[e];
        at = e;
      }
    }
    const unsigned all = __reduce_min_sync(~0U, mine);
    const unsigned my_place =
        mine == all ? static_cast<unsigned>(at * warp_size + lane_place()) : ~0U;
    const unsigned place = __reduce_min_sync(~0U, my_place);
    if (place == my_place) taken |= 1U << at;
    if (lane_place() == 0) {
      least[r] = __uint_as_float(all);
      places[r] = static_cast<int>(place);
    }
  }
  __syncwarp();
}

// The ranking term of one list and its gradient; sums for the squared error on the way. A warp a
// list.
// scratch: of each row the sum of t and of p over the upper triangle, and the ranking's loss.
__global__ void __launch_bounds__(warp_size)
    rank_kernel(int count, int k, LossSettings settings, const float* predicted,
                const float* labels, float largest, float* scratch, float* gradient) {
  await_previous();
  // For each of the k places in the predicted order the predicted distance, whose it is, how much
  // nearer than the reference that one truly is, its gain; and the discount of a gap of so many
  // places.
  float* keys = shared_memory<float>();
  int* items = reinterpret_cast<int*>(keys + k);
  float* truths = reinterpret_cast<float*>(items + k);
  float* gains = truths + k;
  float* discounts = gains + k;
  const int i = block_place();
  const float* p = predicted + static_cast<std::int64_t>(i) * count;
  const float* d = labels + static_cast<std::int64_t>(i) * count;
  float* g = gradient + static_cast<std::int64_t>(i) * count;
  const float per_largest = 1 / largest;

  float sum_t = 0, sum_p = 0, farthest = 0;
  for (int j = lane_place(); j < count; j += warp_size) {
    g[j] = 0;
    if (j != i) farthest = fmaxf(farthest, d[j] * per_largest);
    if (j <= i) continue;
    sum_t += d[j] * per_largest;
    sum_p += p[j];
  }
  sum_t = warp_sum(sum_t);
  sum_p = warp_sum(sum_p);
  farthest = warp_max(farthest);

  // The true order first: the best possible gain.
  take_least(d, per_largest, count, i, k, keys, items);
  const float reference = fminf(farthest, keys[0] + static_cast<float>(farthest_reference));
  const float least = exp2f(reference - farthest);
  float best = 0;
  for (int r = lane_place(); r < k; r += warp_size)
    best += (exp2f(reference - keys[r]) - least) / log2f(static_cast<float>(r + 2));
  best = warp_sum(best);
  __syncwarp();
  take_least(p, 1, count, i, k, keys, items);
  for (int r = lane_place(); r < k; r += warp_size) {
    truths[r] = reference - d[items[r]] * per_largest;
    gains[r] = exp2f(truths[r]);
    const float gap = static_cast<float>(r);
    discounts[r] = 1 / log2f(gap + 1) - 1 / log2f(gap + 2);
  }
  __syncwarp();

  const float slope = static_cast<float>(settings.slope);
  const float weight = static_cast<float>((1 - settings.lambda)) /
                       (settings.rank_mean ? static_cast<float>(count) : 1.0F) /
                       fmaxf(best, 1e-10F);
  float loss = 0;
  for (int a = lane_place(); a < k; a += warp_size) {
    const float pa = keys[a], ya = truths[a], gain = gains[a];
    float slide = 0;
    for (int b = 0; b < k; ++b) {
      const float yb = truths[b];
      if (ya == yb) continue;
      const float w = weight * discounts[abs(a - b)] * fabsf(gain - gains[b]);
      // x is how far the truly nearer one is predicted ahead.
      const float x = slope * (ya > yb ? keys[b] - pa : pa - keys[b]);
      const float tail = __expf(-fabsf(x)), behind = (x > 0 ? tail : 1.0F) / (1 + tail);
      slide += (ya > yb ? w : -w) * behind;
      if (ya > yb) loss += w * (fmaxf(-x, 0.0F) + log1pf(tail)) * per_ln2;
    }
    g[items[a]] = slide * slope * per_ln2;
  }
  loss = warp_sum(loss);
  if (threadIdx.x == 0) {
    scratch[i] = sum_t;
    scratch[count + i] = sum_p;
    scratch[2 * count + i] = loss;
  }
}

__device__ inline float sum_of(const float* values, int count) {
  float sum = 0;
  for (int i = thread_place(); i < count; i += threads) sum += values[i];
  return block_sum(sum);
}

__device__ inline float focus_weight(float t, float focus) {
  const float near = fmaxf(1 - t, 0.0F);
  return focus == 1 ? near : powf(near, focus);
}

// The squared error of one row, and how it pulls on the common factor: scratch[3].
__global__ void __launch_bounds__(threads)
    pull_kernel(int count, LossSettings settings, const float* predicted, const float* labels,
                float largest, float* scratch, float* loss_rows) {
  await_previous();
  const int i = block_place();
  const float factor = sum_of(scratch, count) / fmaxf(sum_of(scratch + count, count), 1e-30F);
  const float focus = static_cast<float>(settings.focus), per_largest = 1 / largest;
  float pull = 0, loss = 0;
  for (int j = i + 1 + thread_place(); j < count; j += threads) {
    const std::int64_t ij = static_cast<std::int64_t>(i) * count + j;
    const float t = labels[ij] * per_largest, p = predicted[ij], e = p * factor - t;
    const float w = focus_weight(t, focus);
    pull += w * e * p;
    loss += w * e * e;
  }
  pull = block_sum(pull);
  loss = block_sum(loss);
  if (threadIdx.x == 0) {
    scratch[3 * count + i] = pull;
    loss_rows[i] = loss;
  }
}

__global__ void __launch_bounds__(threads)
    finish_kernel(int count, LossSettings settings, const float* predicted, const float* labels,
                  float largest, const float* scratch, const float* loss_rows, double* loss_sum,
                  float* gradient) {
  await_previous();
  const int i = block_place();
  const float sum_t = sum_of(scratch, count), sum_p = fmaxf(sum_of(scratch + count, count), 1e-30F);
  const float pull = sum_of(scratch + 3 * count, count), factor = sum_t / sum_p;
  const float pairs = 0.5F * static_cast<float>(count) * static_cast<float>(count - 1);
  const float weight = static_cast<float>(settings.lambda) * 100 / pairs;
  const float focus = static_cast<float>(settings.focus), per_largest = 1 / largest;
  for (int j = i + 1 + thread_place(); j < count; j += threads) {
    const std::int64_t ij = static_cast<std::int64_t>(i) * count + j;
    const float t = labels[ij] * per_largest, p = predicted[ij], e = p * factor - t;
    gradient[ij] += 2 * weight * (focus_weight(t, focus) * e * factor - pull * factor / sum_p);
  }
  if (i == 0) {
    const float total = weight * sum_of(loss_rows, count) + sum_of(scratch + 2 * count, count);
    if (threadIdx.x == 0) *loss_sum += total;
  }
}

}  // namespace

void similarity_loss(Stream stream, int count, const LossSettings& settings, const float* predicted,
                     const float* labels, float largest, float* scratch, double* loss_sum,
                     float* gradient) {
  const int list = count - 1;
  const int k = settings.k == 0 ? list : std::min(static_cast<int>(settings.k), list);
  launch(rank_kernel, {count, warp_size, bytes_of<float>(5 * k), stream}, count, k, settings,
         predicted, labels, largest, scratch, gradient);
  float* loss_rows = scratch + 4 * count;
  launch(pull_kernel, {count, threads, 0, stream}, count, settings, predicted, labels, largest,
         scratch, loss_rows);
  launch(finish_kernel, {count, threads, 0, stream}, count, settings, predicted, labels, largest,
         scratch, loss_rows, loss_sum, gradient);
}

}  // namespace tsmini::gpu
