#include "gpu/mma.cuh"
#include "learn/cuda/device.cuh"
#include "model/architecture.h"

namespace tsmini::gpu {
namespace {

// A warp owns 16 rows of a trajectory, queries or (for the gradients of keys and values) keys, and
// walks over all others, which come through shared memory a tile at a time. Products run on tensor
// cores; softmax runs online, so nothing grows with the square of the length.
//
// How rows fit the products (gpu/mma.cuh), with g = lane / 4 and t = lane % 4. A sum has no order,
// so we choose what a product's columns and rows stand for such that a lane always holds the same
// of its warp's rows: numbers 8t to 8t + 7 of rows g and g + 8 (Held), two loads of 16 bytes each.
//
// - Scores, Q · Kᵀ, eight keys at a time: a sum over the 32 numbers of a head, in four products.
//   Product s takes numbers 8t + 2s and 8t + 2s + 1 from lane t, of its own rows and of key g.
//   The lane gets the scores of rows g and g + 8 with keys 2t and 2t + 1.
// - Weighted sums, P · V: a sum over the eight keys. Let the product's columns t and t + 4 be keys
//   2t and 2t + 1, and the scores lie where the weights must: no lane asks another. Let product
//   j's column g be number 4g + j, and the lane reads four neighbours of keys 2t and 2t + 1, and
//   gets numbers 8t + j and 8t + 4 + j: over all four products what it holds of a row.
//
// Rows of a tile are 36 numbers apart: both ways of reading meet every bank once.
constexpr int head = static_cast<int>(head_size);  // numbers a head
constexpr int held = head / 4;                     // numbers of a row that a lane holds
constexpr int warp_rows = 16;
constexpr int warps = 4;
constexpr int threads = warps * warp_size;
constexpr int block_rows = warps * warp_rows;
constexpr int tile = 64;  // rows in shared memory
constexpr int tile_stride = head + 4;
constexpr int eight = 8;                            // rows of a tile that a product takes
[[maybe_unused]] constexpr int blocks_at_once = 4;  // of a multiprocessor
constexpr float scale = static_cast<float>(attention_scale);
static_assert(head == 32);

// A lane's numbers of its warp's rows.
using Held = float[2][held];
// The same as sums of products: [j][2·row + half] is number 4·half + j of those.
using Sums = float[4][4];

__device__ inline int lane_row() {
  return lane_place() / 4;
}  // g
__device__ inline int lane_part() {
  return lane_place() % 4;
}  // t

// One head of some rows.
struct Matrix {
  float* first;
  int stride;  // numbers from a row to the next

  __device__ float4& at(int row, int c) const {
    return *reinterpret_cast<float4*>(first + static_cast<std::int64_t>(row) * stride + c);
  }
};
struct ConstMatrix {
  const float* first;
  int stride;

  __device__ float4 at(int row, int c) const {
    return *reinterpret_cast<const float4*>(first + static_cast<std::int64_t>(row) * stride + c);
  }
};

// Turns pairs of neighbouring numbers by the angles of a position; backwards with sign -1.
__device__ inline float4 turned(float4 v, const float* rotary, int position, int c, float sign) {
  if (rotary == nullptr) return v;
  const float4 angle = ConstMatrix{rotary, head}.at(position, c);
  return make_float4(v.x * angle.x - v.y * sign * angle.y, v.x * sign * angle.y + v.y * angle.x,
                     v.z * angle.z - v.w * sign * angle.w, v.z * sign * angle.w + v.w * angle.z);
}

__device__ inline float4 scaled(float4 v, float factor) {
  return make_float4(v.x * factor, v.y * factor, v.z * factor, v.w * factor);
}
__device__ inline float4 rounded(float4 v) {
  return make_float4(to_tf32(v.x), to_tf32(v.y), to_tf32(v.z), to_tf32(v.w));
}
__device__ inline float dot(float4 a, float4 b) {
  return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}

// What this lane holds of the 16 rows from `first` on.
__device__ inline void load(ConstMatrix from, int first, int end, const float* rotary, float factor,
                            Held& to) {
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const int row = min(first + lane_row() + 8 * r, end - 1);
#pragma unroll
    for (int i = 0; i < held; i += 4) {
      const int c = lane_part() * held + i;
      const float4 v = scaled(turned(from.at(row, c), rotary, row, c, 1), factor);
      to[r][i] = v.x;
      to[r][i + 1] = v.y;
      to[r][i + 2] = v.z;
      to[r][i + 3] = v.w;
    }
  }
}

// Stores what this lane holds of the 16 rows from `first` on, but for rows that are not there.
__device__ inline void store(const Sums& sums, const float (&factors)[2], const float* rotary,
                             int first, int end, Matrix to) {
  float4 rows[4];
#pragma unroll
  for (int at = 0; at < 4; ++at) {
    const int row = min(first + lane_row() + at / 2 * 8, end - 1);
    const float4 v = make_float4(sums[0][at], sums[1][at], sums[2][at], sums[3][at]);
    rows[at] = scaled(turned(v, rotary, row, lane_part() * held + at % 2 * 4, -1), factors[at / 2]);
  }
#pragma unroll
  for (int at = 0; at < 4; ++at) {
    const int row = first + lane_row() + at / 2 * 8;
    if (row < end) to.at(row, lane_part() * held + at % 2 * 4) = rows[at];
  }
}

__device__ inline void round_all(Held& rows) {
#pragma unroll
  for (int i = 0; i < 2 * held; ++i) rows[i / held][i % held] = to_tf32(rows[i / held][i % held]);
}

// The sum of what the four lanes that share a row have.
__device__ inline float row_sum(float x) {
  x += __shfl_xor_sync(~0U, x, 1);
  return x + __shfl_xor_sync(~0U, x, 2);
}
__device__ inline float row_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(~0U, x, 1));
  return fmaxf(x, __shfl_xor_sync(~0U, x, 2));
}

// Scores of the warp's rows with eight of a tile.
__device__ inline void multiply_across(const Held& rows, const float* others, float (&scores)[4]) {
  const ConstMatrix from{others, tile_stride};
  const float4 low = from.at(lane_row(), lane_part() * held);
  const float4 high = from.at(lane_row(), lane_part() * held + 4);
  const float other[held] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) scores[i] = 0;
#pragma unroll
  for (int s = 0; s < held; s += 2)
    multiply_tf32(scores, {rows[0][s], rows[1][s], rows[0][s + 1], rows[1][s + 1]},
                  {other[s], other[s + 1]});
}

// sums += weights · eight rows of a tile; weights lie as scores do.
__device__ inline void add_weighted(const float (&weights)[4], const float* others, Sums& sums) {
  const ConstMatrix from{others, tile_stride};
  const float4 even = from.at(2 * lane_part(), 4 * lane_row());
  const float4 odd = from.at(2 * lane_part() + 1, 4 * lane_row());
  const float a[4] = {to_tf32(weights[0]), to_tf32(weights[2]), to_tf32(weights[1]),
                      to_tf32(weights[3])};
  multiply_tf32(sums[0], a, {even.x, odd.x});
  multiply_tf32(sums[1], a, {even.y, odd.y});
  multiply_tf32(sums[2], a, {even.z, odd.z});
  multiply_tf32(sums[3], a, {even.w, odd.w});
}

// What attention weights are multiplied with: dropout_factor, less what is the same for all.
template <bool drops>
struct Keeping {
  float rate, kept;
  std::uint32_t salt;
  std::int64_t key;

  __device__ Keeping(const AttentionShape& shape, const std::int64_t* key_place)
      : rate(shape.dropout),
        kept(1 / (1 - shape.dropout)),
        salt(shape.salt),
        key(drops ? *key_place : 0) {}

  __device__ float factor(int h, int row, int other) const {
    if constexpr (!drops) return 1;
    const std::uint64_t place =
        attention_place(static_cast<std::uint64_t>(h), static_cast<std::uint64_t>(row),
                        static_cast<std::uint64_t>(other));
    return place_uniform(key, salt, place) < rate ? 0 : kept;
  }
};

// Which rows a block owns. Blocks along x are slots: trajectory b has those from
// first_row(b) / block_rows + b on, at least as many as it takes blocks, and at most one more. Few
// blocks have nothing to do then, however lengths are mixed. Rows past the real ones are one more
// trajectory, which is cleared.
struct Task {
  bool is_real;
  int begin, length;  // rows of the trajectory
  int first;          // of the block's in it
};

int slots_of(const Rows& rows) {
  return rows.size() / block_rows + rows.count + 1;
}

__device__ inline int first_slot(const Rows& rows, int b) {
  return first_row(rows, b) / block_rows + b;
}

// The task of this block. Every warp looks for it by itself, at 32 trajectories at once.
__device__ inline Task task_of(const Rows& rows) {
  int b = 0;
  for (int among = rows.count + 1; among > 1;) {
    const int step = (among + warp_size - 1) / warp_size, ahead = lane_place() * step;
    const unsigned begun =
        __ballot_sync(~0U, ahead < among && first_slot(rows, b + ahead) <= block_place());
    const int skipped = (__popc(begun) - 1) * step;
    b += skipped;
    among = min(step, among - skipped);
  }
  const int begin = first_row(rows, b);
  const bool is_real = b < rows.count;
  const int end = is_real ? first_row(rows, b + 1) : row_capacity(rows);
  return {is_real, begin, end - begin, (block_place() - begin / block_rows - b) * block_rows};
}

// One head of the task's trajectory.
__device__ inline ConstMatrix part_of(const Task& task, const float* all, int stride, int column) {
  return {all + static_cast<std::int64_t>(task.begin) * stride + column, stride};
}
__device__ inline Matrix part_of(const Task& task, float* all, int stride, int column) {
  return {all + static_cast<std::int64_t>(task.begin) * stride + column, stride};
}

// A thread brings four numbers of every sixteenth row, eight neighbours a row.
constexpr int rows_at_once = threads / 8;
__device__ inline int brought_row() {
  return thread_place() / 8;
}
__device__ inline int brought_column() {
  return thread_place() % 8 * 4;
}

__device__ inline void clear(const Task& task, float* all, int stride, int column) {
  const Matrix to = part_of(task, all, stride, column);
  const int end = min(task.first + block_rows, task.length);
#pragma unroll 1
  for (int row = task.first + brought_row(); row < end; row += rows_at_once)
    to.at(row, brought_column()) = make_float4(0, 0, 0, 0);
}

// Where things lie in rows of qkv.
struct Columns {
  int heads, key_heads;

  __device__ explicit Columns(const AttentionShape& shape)
      : heads(shape.heads), key_heads(shape.key_heads) {}

  __device__ int group() const { return heads / key_heads; }  // queries that share a key
  __device__ int key(int shared) const { return (heads + shared) * head; }
  __device__ int value(int shared) const { return (heads + key_heads + shared) * head; }
  __device__ int stride() const { return (heads + 2 * key_heads) * head; }
};

// Rows of keys and values, or of queries and gradients, that a block walks over. Past the end the
// last row stands again, and weighs nothing.
struct Tiles {
  float first[tile * tile_stride];
  float second[tile * tile_stride];
  float logs[tile];
  float inner[tile];
};

__device__ inline void put(float4 v, int row, int c, float* to) {
  Matrix{to, tile_stride}.at(row, c) = rounded(v);
}

__device__ inline void load_keys(ConstMatrix keys, ConstMatrix values, int first, int count,
                                 const float* rotary, Tiles& tiles) {
  __syncthreads();
#pragma unroll
  for (int i = 0; i < tile; i += rows_at_once) {
    const int row = i + brought_row(), c = brought_column();
    const int position = first + min(row, count - 1);
    put(turned(keys.at(position, c), rotary, position, c, 1), row, c, tiles.first);
    put(values.at(position, c), row, c, tiles.second);
  }
  __syncthreads();
}

template <bool drops>
__global__ void __launch_bounds__(threads, blocks_at_once)
    forward_kernel(Rows rows, AttentionShape shape, const float* qkv, const float* rotary,
                   const std::int64_t* key, float* out, float* log_sums) {
  await_previous();
  constexpr int step = 4;  // products side by side, of eight keys each
  __shared__ __align__(16) Tiles tiles;
  const int h = static_cast<int>(blockIdx.y), width = shape.heads * head;
  const Task task = task_of(rows);
  if (!task.is_real) return clear(task, out, width, h * head);
  if (task.first >= task.length) return;
  const Columns columns(shape);
  const Keeping<drops> keeping(shape, key);
  const int shared = h / columns.group(), stride = columns.stride();
  const ConstMatrix keys = part_of(task, qkv, stride, columns.key(shared));
  const ConstMatrix values = part_of(task, qkv, stride, columns.value(shared));
  const int own = task.first + warp_place() * warp_rows;
  Held q;
  load(part_of(task, qkv, stride, h * head), own, task.length, rotary, scale, q);
  round_all(q);
  Sums sums = {};
  float largest[2] = {-INFINITY, -INFINITY}, total[2] = {};
  for (int first = 0; first < task.length; first += tile) {
    const int count = min(tile, task.length - first);
    load_keys(keys, values, first, count, rotary, tiles);
    if (own >= task.length) continue;
#pragma unroll 1
    for (int j = 0; j < count; j += step * eight) {
      float scores[step][4];
#pragma unroll
      for (int n = 0; n < step; ++n) {
        const int at = j + n * eight;
        multiply_across(q, tiles.first + at * tile_stride, scores[n]);
#pragma unroll
        for (int i = 0; i < 4; ++i)
          if (at + 2 * lane_part() + i % 2 >= count) scores[n][i] = -INFINITY;
      }
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        float most = largest[r];
#pragma unroll
        for (int n = 0; n < step; ++n)
          most = fmaxf(most, fmaxf(scores[n][2 * r], scores[n][2 * r + 1]));
        most = row_max(most);
        const float shrink = __expf(largest[r] - most);
        largest[r] = most;
        total[r] *= shrink;
#pragma unroll
        for (int i = 0; i < held; ++i) sums[i % 4][2 * r + i / 4] *= shrink;
      }
#pragma unroll
      for (int n = 0; n < step; ++n) {
        const int at = j + n * eight;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const float p = __expf(scores[n][i] - largest[i / 2]);
          total[i / 2] += p;
          scores[n][i] = p * keeping.factor(h, task.begin + own + lane_row() + i / 2 * 8,
                                            first + at + 2 * lane_part() + i % 2);
        }
        add_weighted(scores[n], tiles.second + at * tile_stride, sums);
      }
    }
  }
  if (own >= task.length) return;
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    total[r] = row_sum(total[r]);
    const int position = own + lane_row() + 8 * r;
    if (lane_part() == 0 && position < task.length)
      log_sums[static_cast<std::int64_t>(task.begin + position) * shape.heads + h] =
          largest[r] + __logf(total[r]);
  }
  store(sums, {__fdividef(1, total[0]), __fdividef(1, total[1])}, nullptr, own, task.length,
        part_of(task, out, width, h * head));
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

constexpr int backward_step = 2;  // products side by side, of eight rows each

// Rows times the next of both tiles, from row j on.
__device__ inline void multiply_both(const Held& a, const Held& b, const Tiles& tiles, int j,
                                     float (&p)[backward_step][4], float (&d)[backward_step][4]) {
#pragma unroll
  for (int n = 0; n < backward_step; ++n) {
    multiply_across(a, tiles.first + (j + n * eight) * tile_stride, p[n]);
    multiply_across(b, tiles.second + (j + n * eight) * tile_stride, d[n]);
  }
}

// Gradient by the queries of a head: a warp has 16 of them. By the formula that stands at pull() in
// learn/ops/attention_kernel.cpp: what it takes off each product, `inner`, is grad · out of a row.
template <bool drops>
__device__ void query_gradient(const Task& task, const AttentionShape& shape, const Backward& in,
                               int h, Tiles& tiles) {
  const Columns columns(shape);
  const Keeping<drops> keeping(shape, in.key);
  const int shared = h / columns.group(), stride = columns.stride(), width = shape.heads * head;
  const ConstMatrix keys = part_of(task, in.qkv, stride, columns.key(shared));
  const ConstMatrix values = part_of(task, in.qkv, stride, columns.value(shared));
  const int own = task.first + warp_place() * warp_rows;
  Held q, grad;
  load(part_of(task, in.grad, width, h * head), own, task.length, nullptr, 1, grad);
  load(part_of(task, in.out, width, h * head), own, task.length, nullptr, 1, q);
  float inner[2] = {}, logs[2] = {};
#pragma unroll
  for (int r = 0; r < 2; ++r) {
#pragma unroll
    for (int i = 0; i < held; ++i) inner[r] += grad[r][i] * q[r][i];
    inner[r] = row_sum(inner[r]);
    const std::int64_t row = task.begin + min(own + lane_row() + 8 * r, task.length - 1);
    logs[r] = in.log_sums[row * shape.heads + h];
  }
  load(part_of(task, in.qkv, stride, h * head), own, task.length, in.rotary, scale, q);
  round_all(q);
  round_all(grad);
  Sums dq = {};
  for (int first = 0; first < task.length; first += tile) {
    const int count = min(tile, task.length - first);
    load_keys(keys, values, first, count, in.rotary, tiles);
    if (own >= task.length) continue;
#pragma unroll 1
    for (int j = 0; j < count; j += backward_step * eight) {
      float p[backward_step][4], d[backward_step][4];
      multiply_both(q, grad, tiles, j, p, d);
#pragma unroll
      for (int n = 0; n < backward_step; ++n) {
        const int at = j + n * eight;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const int other = at + 2 * lane_part() + i % 2;
          const float keep =
              keeping.factor(h, task.begin + own + lane_row() + i / 2 * 8, first + other);
          const float weight = other < count ? __expf(p[n][i] - logs[i / 2]) : 0;
          p[n][i] = weight * (keep * d[n][i] - inner[i / 2]);
        }
        add_weighted(p[n], tiles.first + at * tile_stride, dq);
      }
    }
  }
  store(dq, {scale, scale}, in.rotary, own, task.length, part_of(task, in.dqkv, stride, h * head));
}

// Queries turned and scaled, gradients, and of each row the logarithm of the sum of its scores'
// exponentials, and the dot product of its result with its gradient. Rows past the end weigh
// nothing: exp(-infinity).
__device__ inline void load_queries(const Task& task, const AttentionShape& shape,
                                    const Backward& in, int h, int first, int count, Tiles& tiles) {
  const int width = shape.heads * head;
  const ConstMatrix queries = part_of(task, in.qkv, Columns(shape).stride(), h * head);
  const ConstMatrix grads = part_of(task, in.grad, width, h * head);
  const ConstMatrix outs = part_of(task, in.out, width, h * head);
  __syncthreads();
  constexpr int together = 2;  // rows whose loads are under way: there are no registers for more
#pragma unroll 1
  for (int i = 0; i < tile; i += together * rows_at_once) {
    const int c = brought_column();
    float4 q[together], grad[together], out[together];
    float log[together];
#pragma unroll
    for (int n = 0; n < together; ++n) {
      const int position = first + min(i + n * rows_at_once + brought_row(), count - 1);
      grad[n] = grads.at(position, c);
      out[n] = outs.at(position, c);
      log[n] = in.log_sums[static_cast<std::int64_t>(task.begin + position) * shape.heads + h];
      q[n] = scaled(turned(queries.at(position, c), in.rotary, position, c, 1), scale);
    }
#pragma unroll
    for (int n = 0; n < together; ++n) {
      const int row = i + n * rows_at_once + brought_row();
      put(q[n], row, c, tiles.first);
      put(grad[n], row, c, tiles.second);
      float inner = row_sum(dot(grad[n], out[n]));
      inner += __shfl_xor_sync(~0U, inner, 4);
      if (c != 0) continue;
      tiles.inner[row] = inner;
      tiles.logs[row] = row < count ? log[n] : INFINITY;
    }
  }
  __syncthreads();
}

// Gradients by keys and values: a warp has 16 keys, and scores lie keys down, queries across.
// Queries that share the keys are summed head after head.
template <bool drops>
__device__ void key_gradient(const Task& task, const AttentionShape& shape, const Backward& in,
                             int shared, Tiles& tiles) {
  const Columns columns(shape);
  const Keeping<drops> keeping(shape, in.key);
  const int stride = columns.stride(), group = columns.group();
  const int own = task.first + warp_place() * warp_rows;
  Held k, v;
  load(part_of(task, in.qkv, stride, columns.key(shared)), own, task.length, in.rotary, 1, k);
  load(part_of(task, in.qkv, stride, columns.value(shared)), own, task.length, nullptr, 1, v);
  round_all(k);
  round_all(v);
  Sums dk = {}, dv = {};
  for (int h = shared * group; h < (shared + 1) * group; ++h) {
    for (int first = 0; first < task.length; first += tile) {
      const int count = min(tile, task.length - first);
      load_queries(task, shape, in, h, first, count, tiles);
      if (own >= task.length) continue;
#pragma unroll 1
      for (int j = 0; j < count; j += backward_step * eight) {
        float p[backward_step][4], d[backward_step][4];
        multiply_both(k, v, tiles, j, p, d);
#pragma unroll
        for (int n = 0; n < backward_step; ++n) {
          const int at = j + n * eight;
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            const int other = at + 2 * lane_part() + i % 2;
            const float keep =
                keeping.factor(h, task.begin + first + other, own + lane_row() + i / 2 * 8);
            const float weight = __expf(p[n][i] - tiles.logs[other]);
            p[n][i] = weight * keep;
            d[n][i] = weight * (keep * d[n][i] - tiles.inner[other]);
          }
          add_weighted(p[n], tiles.second + at * tile_stride, dv);
          add_weighted(d[n], tiles.first + at * tile_stride, dk);
        }
      }
    }
  }
  store(dk, {1, 1}, in.rotary, own, task.length,
        part_of(task, in.dqkv, stride, columns.key(shared)));
  store(dv, {1, 1}, nullptr, own, task.length,
        part_of(task, in.dqkv, stride, columns.value(shared)));
}

// The gradients of queries and of keys at once, in blocks side by side: either alone waits for its
// longest trajectory.
template <bool drops>
__global__ void __launch_bounds__(threads, blocks_at_once)
    backward_kernel(Rows rows, AttentionShape shape, Backward in) {
  await_previous();
  __shared__ __align__(16) Tiles tiles;
  const Task task = task_of(rows);
  const Columns columns(shape);
  const int shared = static_cast<int>(blockIdx.y), h = shared - shape.key_heads;
  if (!task.is_real) {
    if (h >= 0) return clear(task, in.dqkv, columns.stride(), h * head);
    clear(task, in.dqkv, columns.stride(), columns.key(shared));
    return clear(task, in.dqkv, columns.stride(), columns.value(shared));
  }
  if (task.first >= task.length) return;
  if (h >= 0) {
    query_gradient<drops>(task, shape, in, h, tiles);
  } else {
    key_gradient<drops>(task, shape, in, shared, tiles);
  }
}

}  // namespace

void attention(Stream stream, Rows rows, AttentionShape shape, const float* qkv,
               const float* rotary, const std::int64_t* key, float* out, float* log_sums) {
  launch(shape.dropout == 0 ? forward_kernel<false> : forward_kernel<true>,
         {{slots_of(rows), shape.heads}, threads, 0, stream}, rows, shape, qkv, rotary, key, out,
         log_sums);
}

void attention_backward(Stream stream, Rows rows, AttentionShape shape, const float* qkv,
                        const float* rotary, const std::int64_t* key, const float* out,
                        const float* log_sums, const float* grad, float* dqkv) {
  launch(shape.dropout == 0 ? backward_kernel<false> : backward_kernel<true>,
         {{slots_of(rows), shape.heads + shape.key_heads}, threads, 0, stream}, rows, shape,
         {qkv, rotary, key, out, log_sums, grad, dqkv});
}

}  // namespace tsmini::gpu
