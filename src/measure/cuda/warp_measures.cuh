// One trajectory against 32 others, by one warp: lane l holds the pair (row, column[l]).
//
// The table of the dynamic programme is swept in strips of a few columns. A strip's columns live in
// registers (points and the last row of the table) while all rows pass by; its last column is
// handed to the next strip through a scratch buffer of the warp, [row][value][lane]. Rows are the
// points of the trajectory that all lanes share, so every read of it is one broadcast. A lane whose
// trajectory is shorter than the longest of the warp repeats its last point and takes its answer
// where it ends.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace tsmini::cuda {

inline constexpr int warp_size = 32;
inline constexpr float infinity = 3.0e38f;

// A trajectory on the device.
struct Line {
  const float2* points;
  int length;
};

__device__ inline float square_root(float x) {
#ifdef __CUDACC__
  float result;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return sqrtf(x);  // in the emulator
#endif
}

__device__ inline float squared_distance(float2 a, float2 b) {
  const float dx = a.x - b.x, dy = a.y - b.y;
  return fmaf(dx, dx, dy * dy);
}

__device__ inline float length_between(float2 a, float2 b) {
  return square_root(squared_distance(a, b));
}

// The cell of each warping measure.
struct Dtw {
  static __device__ float step(float squared, float best) { return square_root(squared) + best; }
  static __device__ float finish(float value) { return value; }
};
struct Frechet {
  static __device__ float step(float squared, float best) { return fmaxf(squared, best); }
  static __device__ float finish(float value) { return square_root(value); }
};

template <int Width>
__device__ inline void load_strip(const Line& column, int first, float2 (&q)[Width]) {
#pragma unroll
  for (int k = 0; k < Width; ++k) q[k] = column.points[min(first + k, column.length - 1)];
}

template <int Width>
__device__ inline float pick(const float (&values)[Width], int index, float otherwise) {
#pragma unroll
  for (int k = 0; k < Width; ++k) otherwise = index == k ? values[k] : otherwise;
  return otherwise;
}

template <class Cell, int Width>
__device__ inline float warp_strip(const Line& row, const Line& column, int first, bool last_strip,
                                   float* scratch, float answer) {
  float2 q[Width];
  load_strip<Width>(column, first, q);
  float c[Width];
#pragma unroll
  for (int k = 0; k < Width; ++k) c[k] = infinity;
  const bool first_strip = first == 0;
  float corner = first_strip ? 0.0f : infinity;
  float next_left = first_strip ? infinity : scratch[0];
  float2 next_p = row.points[0];
  for (int i = 0; i < row.length; ++i) {
    const float2 p = next_p;
    float left = next_left;
    const int ahead = min(i + 1, row.length - 1);
    next_p = row.points[ahead];
    if (!first_strip) next_left = scratch[ahead * warp_size];
    float diagonal = corner;
    corner = left;
#pragma unroll
    for (int k = 0; k < Width; ++k) {
      const float best = fminf(fminf(c[k], diagonal), left);
      diagonal = c[k];
      left = Cell::step(squared_distance(p, q[k]), best);
      c[k] = left;
    }
    if (!last_strip) scratch[i * warp_size] = left;
  }
  return pick<Width>(c, column.length - 1 - first, answer);
}

// Calls strip.run<Width>(first, last) from left to right. The last strip is the narrowest of four
// widths that holds what is left.
template <int Widest, class Strip>
__device__ inline void for_each_strip(int columns, const Strip& strip) {
  int first = 0;
  for (; columns - first > Widest; first += Widest) strip.template run<Widest>(first, false);
  const int rest = columns - first;
  if (rest > Widest * 3 / 4) {
    strip.template run<Widest>(first, true);
  } else if (rest > Widest / 2) {
    strip.template run<Widest * 3 / 4>(first, true);
  } else if (rest > Widest / 4) {
    strip.template run<Widest / 2>(first, true);
  } else {
    strip.template run<Widest / 4>(first, true);
  }
}

template <class Cell>
struct WarpingStrips {
  const Line& row;
  const Line& column;
  float* scratch;
  float& answer;
  template <int Width>
  __device__ void run(int first, bool last) const {
    answer = warp_strip<Cell, Width>(row, column, first, last, scratch, answer);
  }
};

template <class Cell>
struct Warping {
  static constexpr int values_per_row = 1;
  static __device__ float distance(const Line& row, const Line& column, int columns, bool,
                                   float* scratch) {
    float answer = 0;
    for_each_strip<16>(columns, WarpingStrips<Cell>{row, column, scratch, answer});
    return Cell::finish(answer);
  }
};

// Hausdorff: the scratch holds each row's smallest squared distance so far.
struct HausdorffStrips {
  const Line& row;
  const Line& column;
  float* scratch;
  float& farthest;
  template <int Width>
  __device__ void run(int first, bool last) const {
    float2 q[Width];
    load_strip<Width>(column, first, q);
    float nearest[Width];
#pragma unroll
    for (int k = 0; k < Width; ++k) nearest[k] = infinity;
    float2 next_p = row.points[0];
    float next_smallest = first == 0 ? infinity : scratch[0];
    for (int i = 0; i < row.length; ++i) {
      const float2 p = next_p;
      float smallest = next_smallest;
      const int ahead = min(i + 1, row.length - 1);
      next_p = row.points[ahead];
      if (first != 0) next_smallest = scratch[ahead * warp_size];
#pragma unroll
      for (int k = 0; k < Width; ++k) {
        const float d = squared_distance(p, q[k]);
        nearest[k] = fminf(nearest[k], d);
        smallest = fminf(smallest, d);
      }
      if (last) {
        farthest = fmaxf(farthest, smallest);
      } else {
        scratch[i * warp_size] = smallest;
      }
    }
#pragma unroll
    for (int k = 0; k < Width; ++k) farthest = fmaxf(farthest, nearest[k]);
  }
};

struct Hausdorff {
  static constexpr int values_per_row = 1;
  static __device__ float distance(const Line& row, const Line& column, int columns, bool,
                                   float* scratch) {
    float farthest = 0;
    for_each_strip<16>(columns, HausdorffStrips{row, column, scratch, farthest});
    return square_root(farthest);
  }
};

}  // namespace tsmini::cuda
