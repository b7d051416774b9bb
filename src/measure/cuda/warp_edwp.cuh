// EDwP of one trajectory against 32 others, by one warp; see warp_measures.cuh for the scheme.
//
// The recurrence is that of docs/measures.md. A cell keeps V, U = V - Δ, the last cuts a (on the
// row's trajectory) and b (on the column's), and the lengths |ab|, |a p|, |b q| and |p q|, so that
// a step costs three square roots and two divisions. Borders at infinity stand for "only i > 1" and
// "only j > 1".
#pragma once

#include "measure/cuda/warp_measures.cuh"

namespace tsmini::cuda {

struct EdwpCell {
  float v, u;            // cost, and cost before the last piece
  float2 a, b;           // last cuts
  float ab, ap, bq, pq;  // |a b|, |a p_i|, |b q_j|, |p_i q_j|
};

// Where `point` falls on the segment from `start` to `end`, whose length is `length`: the cut, and
// its distances to both ends. A clamped cut is the end itself, bit for bit; on a segment without
// length it is the point, `point_to_end` away from both.
struct Cut {
  float2 at;
  float from_start, to_end;
};
__device__ inline Cut project(float2 start, float2 end, float length, float2 point,
                              float point_to_end) {
  const float ex = end.x - start.x, ey = end.y - start.y;
  const float dot = fmaf(ex, point.x - start.x, ey * (point.y - start.y));
  const float whole = fmaf(ex, ex, ey * ey);
  const float t = __fdividef(dot, whole);
  Cut cut{{fmaf(t, ex, start.x), fmaf(t, ey, start.y)}, t * length, length - t * length};
  if (dot <= 0) cut = {start, 0, length};
  if (dot >= whole) cut = {end, length, 0};
  if (whole == 0) cut = {point, point_to_end, point_to_end};
  return cut;
}

// What the cells of one row have in common.
struct EdwpRow {
  float2 before, here;  // p_{i-1}, p_i
  float step;           // |p_{i-1} p_i|
};

// `up` is (i-1, j), `corner` (i-1, j-1), `left` (i, j-1). `prefer_column` decides ties between the
// two edits.
__device__ inline EdwpCell edwp_cell(const EdwpRow& row, float2 q_before, float2 q, float q_step,
                                     float corner_v, float corner_pq, const EdwpCell& up,
                                     const EdwpCell& left, float scale, bool prefer_column) {
  const float pq = length_between(row.here, q);

  const float diagonal = fmaf((corner_pq + pq) * (row.step + q_step), scale, corner_v);

  const Cut x = project(up.b, q, up.bq, row.before, up.pq);
  const float before_x = length_between(row.before, x.at);
  const float row_base = fmaf((up.ab + before_x) * (up.ap + x.from_start), scale, up.u);
  const float row_cost = fmaf((before_x + pq) * (row.step + x.to_end), scale, row_base);

  const Cut y = project(left.a, row.here, left.ap, q_before, left.pq);
  const float before_y = length_between(q_before, y.at);
  const float column_base = fmaf((left.ab + before_y) * (y.from_start + left.bq), scale, left.u);
  const float column_cost = fmaf((before_y + pq) * (y.to_end + q_step), scale, column_base);

  EdwpCell cell{diagonal, corner_v, row.before, q_before, corner_pq, row.step, q_step, pq};
  const bool take_column = column_cost < row_cost || (column_cost == row_cost && prefer_column);
  if (!(diagonal <= column_cost && diagonal <= row_cost)) {
    cell = take_column
               ? EdwpCell{column_cost, column_base, y.at, q_before, before_y, y.to_end, q_step, pq}
               : EdwpCell{row_cost, row_base, row.before, x.at, before_x, row.step, x.to_end, pq};
  }
  return cell;
}

struct EdwpStrips {
  const Line& row;
  const Line& column;
  float* scratch;
  float scale;
  bool prefer_column;
  float& answer;

  static constexpr int values = 10;

  __device__ EdwpCell load(int i) const {
    const float* s = scratch + i * values * warp_size;
    const auto at = [&](int k) { return s[k * warp_size]; };
    return {at(0), at(1), {at(2), at(3)}, {at(4), at(5)}, at(6), at(7), at(8), at(9)};
  }
  __device__ void store(int i, const EdwpCell& cell) const {
    float* s = scratch + i * values * warp_size;
    const float all[values] = {cell.v,   cell.u,  cell.a.x, cell.a.y, cell.b.x,
                               cell.b.y, cell.ab, cell.ap,  cell.bq,  cell.pq};
#pragma unroll
    for (int k = 0; k < values; ++k) s[k * warp_size] = all[k];
  }

  // Columns first+1 … first+Width of the table; column 0 is its border.
  template <int Width>
  __device__ void run(int first, bool last) const {
    float2 q[Width + 1];
    load_strip<Width + 1>(column, first, q);
    EdwpCell above[Width];
    float step[Width];
    const float2 start = row.points[0];
#pragma unroll
    for (int k = 0; k < Width; ++k) {
      step[k] = length_between(q[k], q[k + 1]);
      above[k] = {infinity, infinity, start, q[k], 0, 0, 0, length_between(start, q[k + 1])};
    }
    float corner_v = first == 0 ? 0.0f : infinity;
    float corner_pq = length_between(start, q[0]);
    EdwpRow now{start, start, 0};
    for (int i = 1; i < row.length; ++i) {
      now.before = now.here;
      now.here = row.points[i];
      now.step = length_between(now.before, now.here);
      EdwpCell left;
      if (first == 0) {
        left = {infinity, infinity, now.before, q[0], 0, 0, 0, length_between(now.here, q[0])};
      } else {
        left = load(i);
      }
      float next_v = left.v, next_pq = left.pq;
#pragma unroll
      for (int k = 0; k < Width; ++k) {
        const EdwpCell cell = edwp_cell(now, q[k], q[k + 1], step[k], corner_v, corner_pq, above[k],
                                        left, scale, prefer_column);
        corner_v = above[k].v;
        corner_pq = above[k].pq;
        above[k] = cell;
        left = cell;
      }
      corner_v = next_v;
      corner_pq = next_pq;
      if (!last) store(i, left);
    }
#pragma unroll
    for (int k = 0; k < Width; ++k) {
      if (column.length - 2 - first == k) answer = above[k].v;
    }
  }
};

__device__ inline float path_length(const Line& line) {
  float sum = 0;
  for (int i = 1; i < line.length; ++i) sum += length_between(line.points[i - 1], line.points[i]);
  return sum;
}

struct Edwp {
  static constexpr int values_per_row = EdwpStrips::values;
  // `swapped`: the row is the second trajectory of the pair, which matters for ties alone.
  static __device__ float distance(const Line& row, const Line& column, int columns, bool swapped,
                                   float* scratch) {
    const float total = path_length(row) + path_length(column);
    const bool prefer_column =
        column.length > row.length || (column.length == row.length && swapped);
    float answer = 0;
    for_each_strip<8>(columns - 1,
                      EdwpStrips{row, column, scratch, 1.0f / total, prefer_column, answer});
    return total > 0 ? answer : 0.0f;
  }
};

}  // namespace tsmini::cuda
