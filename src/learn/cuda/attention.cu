#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

// A thread holds one query (or, for the gradients of keys and values, one key) in registers and
// walks over the others, which come through shared memory a tile at a time. Softmax runs online, so
// nothing grows with the square of the length.
constexpr int head = 32;    // numbers a head
constexpr int tile = 64;    // rows in shared memory
constexpr int threads = 128;
constexpr int slices = 2;   // blocks a trajectory and head
constexpr float scale = 0.17677669529663687F;  // 1 / sqrt(32)

struct Layout {
  int query;   // floats from the start of a row to this head's query
  int key;
  int value;
  int stride;  // floats a row
};

__device__ Layout layout_of(const AttentionShape& shape, int h) {
  const int shared = h / (shape.heads / shape.key_heads);
  return {h * head, (shape.heads + shared) * head, (shape.heads + shape.key_heads + shared) * head,
          (shape.heads + 2 * shape.key_heads) * head};
}

// Turns pairs of neighbouring numbers by the angles of a position; backwards with sign -1.
__device__ inline void rotate(float& a, float& b, const float* rotary, int position, int pair,
                              float sign) {
  if (rotary == nullptr) return;
  const float c = rotary[(position * (head / 2) + pair) * 2];
  const float s = sign * rotary[(position * (head / 2) + pair) * 2 + 1];
  const float turned = a * c - b * s;
  b = a * s + b * c;
  a = turned;
}

__device__ inline void load_row(const float* row, const float* rotary, int position, float factor,
                                float (&out)[head]) {
#pragma unroll
  for (int c = 0; c < head; c += 4) {
    const float4 v = *reinterpret_cast<const float4*>(row + c);
    out[c] = v.x;
    out[c + 1] = v.y;
    out[c + 2] = v.z;
    out[c + 3] = v.w;
  }
#pragma unroll
  for (int c = 0; c < head; c += 2) {
    rotate(out[c], out[c + 1], rotary, position, c / 2, 1);
    out[c] *= factor;
    out[c + 1] *= factor;
  }
}

__device__ inline void store_row(float* row, const float* rotary, int position, float factor,
                                 float (&values)[head]) {
#pragma unroll
  for (int c = 0; c < head; c += 2) rotate(values[c], values[c + 1], rotary, position, c / 2, -1);
#pragma unroll
  for (int c = 0; c < head; c += 4)
    *reinterpret_cast<float4*>(row + c) =
        make_float4(values[c] * factor, values[c + 1] * factor, values[c + 2] * factor,
                    values[c + 3] * factor);
}

// Rows [from, from + count) of one head into shared memory, turned and scaled.
__device__ inline void load_tile(const float* base, int stride, int from, int count,
                                 const float* rotary, float factor, float (*out)[head]) {
  for (int i = static_cast<int>(threadIdx.x); i < count * (head / 2); i += threads) {
    const int row = i / (head / 2), pair = i % (head / 2);
    const float2 v = *reinterpret_cast<const float2*>(
        base + static_cast<std::int64_t>(from + row) * stride + pair * 2);
    float a = v.x, b = v.y;
    rotate(a, b, rotary, from + row, pair, 1);
    out[row][pair * 2] = a * factor;
    out[row][pair * 2 + 1] = b * factor;
  }
}

// Four sums side by side: one alone would wait for itself.
__device__ inline float dot(const float (&a)[head], const float* b) {
  float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll
  for (int c = 0; c < head; c += 4) {
    const float4 v = *reinterpret_cast<const float4*>(b + c);
    sum.x += a[c] * v.x;
    sum.y += a[c + 1] * v.y;
    sum.z += a[c + 2] * v.z;
    sum.w += a[c + 3] * v.w;
  }
  return (sum.x + sum.y) + (sum.z + sum.w);
}

__device__ inline void add_scaled(float (&sum)[head], float factor, const float* row) {
#pragma unroll
  for (int c = 0; c < head; c += 4) {
    const float4 v = *reinterpret_cast<const float4*>(row + c);
    sum[c] += factor * v.x;
    sum[c + 1] += factor * v.y;
    sum[c + 2] += factor * v.z;
    sum[c + 3] += factor * v.w;
  }
}

__device__ inline float kept(const AttentionShape& shape, const std::int64_t* key, int h, int row,
                             int other) {
  if (shape.dropout == 0) return 1;
  return dropout_factor(shape.dropout, *key, shape.salt, attention_place(h, row, other));
}

__device__ void clear_tail(const Rows& rows, int width, float* out) {
  const std::int64_t end = static_cast<std::int64_t>(row_capacity(rows)) * width;
  const std::int64_t step = static_cast<std::int64_t>(threads) * gridDim.y * gridDim.z;
  for (std::int64_t i = static_cast<std::int64_t>(real_rows(rows)) * width +
                        (blockIdx.y * gridDim.z + blockIdx.z) * threads + threadIdx.x;
       i < end; i += step)
    out[i] = 0;
}

__global__ void __launch_bounds__(threads)
    forward_kernel(Rows rows, AttentionShape shape, const float* qkv, const float* rotary,
                   const std::int64_t* key, float* out, float* log_sums) {
  __shared__ __align__(16) float keys[tile][head];
  __shared__ __align__(16) float values[tile][head];
  const int b = static_cast<int>(blockIdx.x), h = static_cast<int>(blockIdx.y);
  const int width = shape.heads * head;
  if (b == rows.count) return clear_tail(rows, width, out);
  const int begin = first_row(rows, b), length = first_row(rows, b + 1) - begin;
  const Layout at = layout_of(shape, h);
  const float* base = qkv + static_cast<std::int64_t>(begin) * at.stride;
  for (int from = static_cast<int>(blockIdx.z) * threads; from < length; from += slices * threads) {
    const int position = from + static_cast<int>(threadIdx.x);
    const bool active = position < length;
    float q[head], sum[head] = {};
    if (active)
      load_row(base + static_cast<std::int64_t>(position) * at.stride + at.query, rotary, position,
               scale, q);
    float largest = -INFINITY, total = 0;
    for (int first = 0; first < length; first += tile) {
      const int count = min(tile, length - first);
      __syncthreads();
      load_tile(base + at.key, at.stride, first, count, rotary, 1, keys);
      load_tile(base + at.value, at.stride, first, count, nullptr, 1, values);
      __syncthreads();
      if (!active) continue;
      for (int j = 0; j < count; j += 4) {
        float s[4];
        float most = largest;
#pragma unroll
        for (int u = 0; u < 4; ++u) {
          s[u] = j + u < count ? dot(q, keys[j + u]) : -INFINITY;
          most = fmaxf(most, s[u]);
        }
        if (most > largest) {
          const float shrink = __expf(largest - most);
          total *= shrink;
#pragma unroll
          for (int c = 0; c < head; ++c) sum[c] *= shrink;
          largest = most;
        }
#pragma unroll
        for (int u = 0; u < 4; ++u) {
          if (j + u >= count) break;
          const float p = __expf(s[u] - largest);
          total += p;
          add_scaled(sum, p * kept(shape, key, h, begin + position, first + j + u), values[j + u]);
        }
      }
    }
    if (!active) continue;
    const std::int64_t row = begin + position;
    store_row(out + row * width + h * head, nullptr, 0, 1 / total, sum);
    log_sums[row * shape.heads + h] = largest + __logf(total);
  }
}

// Gradient by the queries: a thread a query.
__global__ void __launch_bounds__(threads)
    query_kernel(Rows rows, AttentionShape shape, const float* qkv, const float* rotary,
                 const std::int64_t* key, const float* out, const float* log_sums,
                 const float* grad, float* dqkv) {
  __shared__ __align__(16) float keys[tile][head];
  __shared__ __align__(16) float values[tile][head];
  const int b = static_cast<int>(blockIdx.x), h = static_cast<int>(blockIdx.y);
  const Layout at = layout_of(shape, h);
  const int width = shape.heads * head;
  if (b == rows.count) return clear_tail(rows, at.stride, dqkv);
  const int begin = first_row(rows, b), length = first_row(rows, b + 1) - begin;
  const float* base = qkv + static_cast<std::int64_t>(begin) * at.stride;
  for (int from = static_cast<int>(blockIdx.z) * threads; from < length; from += slices * threads) {
    const int position = from + static_cast<int>(threadIdx.x);
    const bool active = position < length;
    const std::int64_t row = begin + position;
    float q[head], g[head], dq[head] = {};
    float inner = 0, log_sum = 0;
    if (active) {
      load_row(base + static_cast<std::int64_t>(position) * at.stride + at.query, rotary, position,
               scale, q);
      load_row(grad + row * width + h * head, nullptr, 0, 1, g);
      inner = dot(g, out + row * width + h * head);
      log_sum = log_sums[row * shape.heads + h];
    }
    for (int first = 0; first < length; first += tile) {
      const int count = min(tile, length - first);
      __syncthreads();
      load_tile(base + at.key, at.stride, first, count, rotary, 1, keys);
      load_tile(base + at.value, at.stride, first, count, nullptr, 1, values);
      __syncthreads();
      if (!active) continue;
#pragma unroll 2
      for (int j = 0; j < count; ++j) {
        const float p = __expf(dot(q, keys[j]) - log_sum);
        const float keep = kept(shape, key, h, static_cast<int>(row), first + j);
        add_scaled(dq, p * (keep * dot(g, values[j]) - inner), keys[j]);
      }
    }
    if (active)
      store_row(dqkv + row * at.stride + at.query, rotary, position, scale, dq);
  }
}

// Gradient by keys and values: a thread a key; grouped queries are summed head after head.
__global__ void __launch_bounds__(threads)
    key_kernel(Rows rows, AttentionShape shape, const float* qkv, const float* rotary,
               const std::int64_t* key, const float* out, const float* log_sums, const float* grad,
               float* dqkv) {
  __shared__ __align__(16) float queries[tile][head];
  __shared__ __align__(16) float grads[tile][head];
  __shared__ float inner[tile], logs[tile];
  const int b = static_cast<int>(blockIdx.x), group = shape.heads / shape.key_heads;
  const int width = shape.heads * head;
  const int begin = first_row(rows, b), length = first_row(rows, b + 1) - begin;
  for (int from = static_cast<int>(blockIdx.z) * threads; from < length; from += slices * threads) {
    const int position = from + static_cast<int>(threadIdx.x);
    const bool active = position < length;
    float k[head], v[head], dk[head] = {}, dv[head] = {};
    Layout at = layout_of(shape, static_cast<int>(blockIdx.y) * group);
    const float* base = qkv + static_cast<std::int64_t>(begin) * at.stride;
    if (active) {
      const float* row = base + static_cast<std::int64_t>(position) * at.stride;
      load_row(row + at.key, rotary, position, 1, k);
      load_row(row + at.value, nullptr, 0, 1, v);
    }
    for (int h = static_cast<int>(blockIdx.y) * group; h < static_cast<int>(blockIdx.y + 1) * group;
         ++h) {
      at = layout_of(shape, h);
      for (int first = 0; first < length; first += tile) {
        const int count = min(tile, length - first);
        __syncthreads();
        load_tile(base + at.query, at.stride, first, count, rotary, scale, queries);
        load_tile(grad + static_cast<std::int64_t>(begin) * width + h * head, width, first, count,
                  nullptr, 1, grads);
        __syncthreads();
        for (int i = static_cast<int>(threadIdx.x); i < count; i += threads) {
          const std::int64_t row = begin + first + i;
          float sum = 0;
          for (int c = 0; c < head; ++c) sum += grads[i][c] * out[row * width + h * head + c];
          inner[i] = sum;
          logs[i] = log_sums[row * shape.heads + h];
        }
        __syncthreads();
        if (!active) continue;
#pragma unroll 2
        for (int i = 0; i < count; ++i) {
          const float p = __expf(dot(k, queries[i]) - logs[i]);
          const float keep = kept(shape, key, h, begin + first + i, position);
          add_scaled(dv, p * keep, grads[i]);
          add_scaled(dk, p * (keep * dot(v, grads[i]) - inner[i]), queries[i]);
        }
      }
    }
    if (active) {
      float* row = dqkv + static_cast<std::int64_t>(begin + position) * at.stride;
      store_row(row + at.key, rotary, position, 1, dk);
      store_row(row + at.value, nullptr, 0, 1, dv);
    }
  }
}

}  // namespace

void attention(Stream stream, Rows rows, AttentionShape shape, const float* qkv,
               const float* rotary, const std::int64_t* key, float* out, float* log_sums) {
  forward_kernel<<<dim3(rows.count + 1, shape.heads, slices), threads, 0, stream>>>(
      rows, shape, qkv, rotary, key, out, log_sums);
}

void attention_backward(Stream stream, Rows rows, AttentionShape shape, const float* qkv,
                        const float* rotary, const std::int64_t* key, const float* out,
                        const float* log_sums, const float* grad, float* dqkv) {
  query_kernel<<<dim3(rows.count + 1, shape.heads, slices), threads, 0, stream>>>(
      rows, shape, qkv, rotary, key, out, log_sums, grad, dqkv);
  key_kernel<<<dim3(rows.count, shape.key_heads, slices), threads, 0, stream>>>(
      rows, shape, qkv, rotary, key, out, log_sums, grad, dqkv);
}

}  // namespace tsmini::gpu
