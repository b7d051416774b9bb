#include "learn/cuda/device.cuh"
#include "model/architecture.h"

namespace tsmini::gpu {
namespace {

// A thread holds one query (or, for the gradients of keys and values, one key) in registers and
// walks over the others, which come through shared memory a tile at a time. Softmax runs online, so
// nothing grows with the square of the length.
constexpr int head = static_cast<int>(head_size);  // numbers a head
constexpr int tile = 64;    // rows in shared memory
constexpr int threads = 128;
constexpr int slices = 2;   // blocks a trajectory and head
constexpr float scale = 0.17677669529663687F;  // 1 / sqrt(32)
static_assert(head == 32);

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
  for (int i = thread_place(); i < count * (head / 2); i += threads) {
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
  return dropout_factor(shape.dropout, *key, shape.salt,
                        attention_place(static_cast<std::uint64_t>(h),
                                        static_cast<std::uint64_t>(row),
                                        static_cast<std::uint64_t>(other)));
}

__device__ void clear_tail(const Rows& rows, int width, float* out) {
  const std::int64_t end = static_cast<std::int64_t>(row_capacity(rows)) * width;
  const int blocks = static_cast<int>(gridDim.y * gridDim.z);
  const int block = static_cast<int>(blockIdx.y * gridDim.z + blockIdx.z);
  for (std::int64_t i = static_cast<std::int64_t>(real_rows(rows)) * width + block * threads +
                        thread_place();
       i < end; i += blocks * threads)
    out[i] = 0;
}

// Rows of keys and values, or of queries and gradients, that a block walks over.
struct Tiles {
  float first[tile][head];
  float second[tile][head];
  float inner[tile];
  float logs[tile];
};

// What a block works on: one trajectory and head.
struct Task {
  int begin, length;  // rows of the trajectory
  Layout at;
  const float* base;  // its first row
};

__device__ inline Task task_of(const Rows& rows, const AttentionShape& shape, const float* qkv,
                               int h) {
  const int b = block_place();
  const int begin = first_row(rows, b);
  const Layout at = layout_of(shape, h);
  return {begin, first_row(rows, b + 1) - begin, at,
          qkv + static_cast<std::int64_t>(begin) * at.stride};
}

__device__ inline void load_keys(const Task& task, int first, int count, const float* rotary,
                                 Tiles& tiles) {
  __syncthreads();
  load_tile(task.base + task.at.key, task.at.stride, first, count, rotary, 1, tiles.first);
  load_tile(task.base + task.at.value, task.at.stride, first, count, nullptr, 1, tiles.second);
  __syncthreads();
}

__global__ void __launch_bounds__(threads)
    forward_kernel(Rows rows, AttentionShape shape, const float* qkv, const float* rotary,
                   const std::int64_t* key, float* out, float* log_sums) {
  __shared__ __align__(16) Tiles tiles;
  const int h = static_cast<int>(blockIdx.y), width = shape.heads * head;
  if (block_place() == rows.count) return clear_tail(rows, width, out);
  const Task task = task_of(rows, shape, qkv, h);
  for (int from = static_cast<int>(blockIdx.z) * threads; from < task.length;
       from += slices * threads) {
    const int position = from + thread_place();
    const bool active = position < task.length;
    const std::int64_t row = task.begin + position;
    float q[head], sum[head] = {};
    if (active)
      load_row(task.base + static_cast<std::int64_t>(position) * task.at.stride + task.at.query,
               rotary, position, scale, q);
    float largest = -INFINITY, total = 0;
    for (int first = 0; first < task.length; first += tile) {
      const int count = min(tile, task.length - first);
      load_keys(task, first, count, rotary, tiles);
      if (!active) continue;
      for (int j = 0; j < count; j += 4) {
        float s[4];
        float most = largest;
#pragma unroll
        for (int u = 0; u < 4; ++u) {
          s[u] = j + u < count ? dot(q, tiles.first[j + u]) : -INFINITY;
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
          const float keep = kept(shape, key, h, static_cast<int>(row), first + j + u);
          add_scaled(sum, p * keep, tiles.second[j + u]);
        }
      }
    }
    if (!active) continue;
    store_row(out + row * width + h * head, nullptr, 0, 1 / total, sum);
    log_sums[row * shape.heads + h] = largest + __logf(total);
  }
}

struct Backward {
  const float* qkv;
  const float* rotary;
  const std::int64_t* key;
  const float* out;
  const float* log_sums;
  const float* grad;
  float* dqkv;
};

// Gradient by the queries: a thread a query.
__device__ void query_gradient(const Rows& rows, const AttentionShape& shape, const Backward& in,
                               int slice, Tiles& tiles) {
  const int h = static_cast<int>(blockIdx.y), width = shape.heads * head;
  const Task task = task_of(rows, shape, in.qkv, h);
  for (int from = slice * threads; from < task.length; from += slices * threads) {
    const int position = from + thread_place();
    const bool active = position < task.length;
    const std::int64_t row = task.begin + position;
    float q[head], g[head], dq[head] = {};
    float inner = 0, log_sum = 0;
    if (active) {
      load_row(task.base + static_cast<std::int64_t>(position) * task.at.stride + task.at.query,
               in.rotary, position, scale, q);
      load_row(in.grad + row * width + h * head, nullptr, 0, 1, g);
      inner = dot(g, in.out + row * width + h * head);
      log_sum = in.log_sums[row * shape.heads + h];
    }
    for (int first = 0; first < task.length; first += tile) {
      const int count = min(tile, task.length - first);
      load_keys(task, first, count, in.rotary, tiles);
      if (!active) continue;
#pragma unroll 2
      for (int j = 0; j < count; ++j) {
        const float p = __expf(dot(q, tiles.first[j]) - log_sum);
        const float keep = kept(shape, in.key, h, static_cast<int>(row), first + j);
        add_scaled(dq, p * (keep * dot(g, tiles.second[j]) - inner), tiles.first[j]);
      }
    }
    if (active)
      store_row(in.dqkv + row * task.at.stride + task.at.query, in.rotary, position, scale, dq);
  }
}

// Gradient by keys and values: a thread a key; grouped queries are summed head after head.
__device__ void key_gradient(const Rows& rows, const AttentionShape& shape, const Backward& in,
                             int slice, Tiles& tiles) {
  const int group = shape.heads / shape.key_heads, width = shape.heads * head;
  const int h_begin = static_cast<int>(blockIdx.y) * group;
  const Task task = task_of(rows, shape, in.qkv, h_begin);
  for (int from = slice * threads; from < task.length; from += slices * threads) {
    const int position = from + thread_place();
    const bool active = position < task.length;
    float k[head], v[head], dk[head] = {}, dv[head] = {};
    if (active) {
      const float* row = task.base + static_cast<std::int64_t>(position) * task.at.stride;
      load_row(row + task.at.key, in.rotary, position, 1, k);
      load_row(row + task.at.value, nullptr, 0, 1, v);
    }
    for (int h = h_begin; h < h_begin + group; ++h) {
      for (int first = 0; first < task.length; first += tile) {
        const int count = min(tile, task.length - first);
        __syncthreads();
        load_tile(task.base + h * head, task.at.stride, first, count, in.rotary, scale,
                  tiles.first);
        load_tile(in.grad + static_cast<std::int64_t>(task.begin) * width + h * head, width, first,
                  count, nullptr, 1, tiles.second);
        __syncthreads();
        for (int i = thread_place(); i < count; i += threads) {
          const std::int64_t row = task.begin + first + i;
          float sum = 0;
          for (int c = 0; c < head; ++c)
            sum += tiles.second[i][c] * in.out[row * width + h * head + c];
          tiles.inner[i] = sum;
          tiles.logs[i] = in.log_sums[row * shape.heads + h];
        }
        __syncthreads();
        if (!active) continue;
#pragma unroll 2
        for (int i = 0; i < count; ++i) {
          const float p = __expf(dot(k, tiles.first[i]) - tiles.logs[i]);
          const float keep = kept(shape, in.key, h, task.begin + first + i, position);
          add_scaled(dv, p * keep, tiles.second[i]);
          add_scaled(dk, p * (keep * dot(v, tiles.second[i]) - tiles.inner[i]), tiles.first[i]);
        }
      }
    }
    if (active) {
      float* row = in.dqkv + static_cast<std::int64_t>(task.begin + position) * task.at.stride;
      store_row(row + task.at.key, in.rotary, position, 1, dk);
      store_row(row + task.at.value, nullptr, 0, 1, dv);
    }
  }
}

// Both at once, in blocks side by side: either alone waits for its longest trajectory.
__global__ void __launch_bounds__(threads)
    backward_kernel(Rows rows, AttentionShape shape, Backward in) {
  __shared__ __align__(16) Tiles tiles;
  if (block_place() == rows.count)
    return clear_tail(rows, layout_of(shape, 0).stride, in.dqkv);
  const int slice = static_cast<int>(blockIdx.z);
  if (slice < slices) {
    query_gradient(rows, shape, in, slice, tiles);
  } else if (static_cast<int>(blockIdx.y) < shape.key_heads) {
    key_gradient(rows, shape, in, slice - slices, tiles);
  }
}

}  // namespace

void attention(Stream stream, Rows rows, AttentionShape shape, const float* qkv,
               const float* rotary, const std::int64_t* key, float* out, float* log_sums) {
  launch(forward_kernel, {{rows.count + 1, shape.heads, slices}, threads, 0, stream}, rows, shape, qkv,
         rotary, key, out, log_sums);
}

void attention_backward(Stream stream, Rows rows, AttentionShape shape, const float* qkv,
                        const float* rotary, const std::int64_t* key, const float* out,
                        const float* log_sums, const float* grad, float* dqkv) {
  launch(backward_kernel, {{rows.count + 1, shape.heads, 2 * slices}, threads, 0, stream}, rows,
         shape, {qkv, rotary, key, out, log_sums, grad, dqkv});
}

}  // namespace tsmini::gpu
