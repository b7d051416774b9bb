#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

constexpr int threads = 512;
constexpr float per_ln2 = 1.4426950408889634F;

// Sorts `size` (a power of two) keys upwards and carries their items along; equal keys by item.
__device__ void sort(float* keys, int* items, int size) {
  for (int width = 2; width <= size; width *= 2) {
    for (int step = width / 2; step > 0; step /= 2) {
      __syncthreads();
      for (int t = thread_place(); t < size / 2; t += threads) {
        const int low = 2 * t - t % step, high = low + step;
        const bool upwards = (low & width) == 0;
        const bool after = keys[low] > keys[high] ||
                           (keys[low] == keys[high] && items[low] > items[high]);
        if (after == upwards) {
          const float key = keys[low];
          keys[low] = keys[high];
          keys[high] = key;
          const int item = items[low];
          items[low] = items[high];
          items[high] = item;
        }
      }
    }
  }
  __syncthreads();
}

// The ranking term of one list and its gradient; sums for the squared error on the way.
// scratch: of each row the sum of t and of p over the upper triangle, and the ranking's loss.
__global__ void __launch_bounds__(threads)
    rank_kernel(int count, int size, LossSettings settings, const float* predicted,
                const float* labels, float largest, float* scratch, float* gradient) {
  float* keys = shared_memory<float>();
  int* items = reinterpret_cast<int*>(keys + size);
  float* truths = reinterpret_cast<float*>(items + size);
  const int i = block_place(), list = count - 1;
  const float* p = predicted + static_cast<std::int64_t>(i) * count;
  const float* d = labels + static_cast<std::int64_t>(i) * count;
  float* g = gradient + static_cast<std::int64_t>(i) * count;
  const float per_largest = 1 / largest;
  const int k = settings.k == 0 ? list : min(static_cast<int>(settings.k), list);

  float sum_t = 0, sum_p = 0;
  for (int j = thread_place(); j < count; j += threads) {
    g[j] = 0;
    if (j <= i) continue;
    sum_t += d[j] * per_largest;
    sum_p += p[j];
  }
  sum_t = block_sum(sum_t);
  sum_p = block_sum(sum_p);

  // The true order first: the best possible gain.
  for (int j = thread_place(); j < size; j += threads) {
    keys[j] = j < count && j != i ? d[j] * per_largest : INFINITY;
    items[j] = j;
  }
  sort(keys, items, size);
  const float farthest = keys[list - 1];
  float best = 0;
  for (int r = thread_place(); r < k; r += threads)
    best += (exp2f(farthest - keys[r]) - 1) / log2f(static_cast<float>(r + 2));
  best = block_sum(best);

  for (int j = thread_place(); j < size; j += threads) {
    keys[j] = j < count && j != i ? p[j] : INFINITY;
    items[j] = j;
  }
  sort(keys, items, size);
  for (int r = thread_place(); r < k; r += threads)
    truths[r] = farthest - d[items[r]] * per_largest;
  __syncthreads();

  const float slope = static_cast<float>(settings.slope);
  const float weight = static_cast<float>((1 - settings.lambda)) /
                       (settings.rank_mean ? static_cast<float>(count) : 1.0F) /
                       fmaxf(best, 1e-10F);
  float loss = 0;
  for (int a = thread_place(); a < k; a += threads) {
    const float pa = keys[a], ya = truths[a], gain = exp2f(ya);
    float slide = 0;
    for (int b = 0; b < k; ++b) {
      const float yb = truths[b];
      if (ya == yb) continue;
      const float gap = fabsf(static_cast<float>(a - b));
      const float delta = 1 / __log2f(gap + 1) - 1 / __log2f(gap + 2);
      const float w = weight * delta * fabsf(gain - exp2f(yb));
      // x is how far the truly nearer one is predicted ahead.
      const float x = slope * (ya > yb ? keys[b] - pa : pa - keys[b]);
      const float tail = __expf(-fabsf(x)), behind = x > 0 ? tail / (1 + tail) : 1 / (1 + tail);
      slide += (ya > yb ? w : -w) * behind;
      if (ya > yb) loss += w * (fmaxf(-x, 0.0F) + log1pf(tail)) * per_ln2;
    }
    g[items[a]] = slide * slope * per_ln2;
  }
  loss = block_sum(loss);
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
  int size = 2;
  while (size < count) size *= 2;
  launch(rank_kernel, {count, threads, bytes_of<float>(3 * size), stream}, count, size, settings,
         predicted, labels, largest, scratch, gradient);
  float* loss_rows = scratch + 4 * count;
  launch(pull_kernel, {count, threads, 0, stream}, count, settings, predicted, labels, largest,
         scratch, loss_rows);
  launch(finish_kernel, {count, threads, 0, stream}, count, settings, predicted, labels, largest,
         scratch, loss_rows, loss_sum, gradient);
}

}  // namespace tsmini::gpu
