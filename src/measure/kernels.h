// The vector kernels: one query against one group of trajectories, one trajectory in each lane.
//
// A group holds as many trajectories as the vector has lanes, transposed: value j of the group is a
// vector with point j of every trajectory. Short ones are padded by repeating their last point;
// kernels read each lane's answer at its own last point, so padding is wasted work and nothing
// else. The query's points are broadcast one by one. Both carry channels besides x and y, as the
// measure needs them (see channel_count in packed_set.h).
//
// Kernels are compiled for every SIMD target and chosen when asked for. Lanes never mix: a pair's
// distance does not depend on what runs beside it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tsmini/measure.h"

#include "base/pulse.h"

namespace tsmini {

template <class T>
struct PackedQuery {
  const T* data = nullptr;  // channel after channel, `length` values each
  std::size_t length = 0;
  T total = 0;  // edwp: the polyline's length

  const T* channel(std::size_t c) const { return data + c * length; }
};

template <class T>
struct PackedGroup {
  const T* data = nullptr;  // channel after channel, `length` vectors each
  std::size_t length = 0;   // of the longest
  std::size_t lanes = 0;
  const std::uint32_t* lengths = nullptr;  // per lane
  const T* totals = nullptr;               // per lane

  const T* channel(std::size_t c) const { return data + c * length * lanes; }
};

template <class T>
struct KernelCall {
  PackedQuery<T> query;
  PackedGroup<T> group;
  T squared_epsilon = 0;           // edr, lcss
  const T* column_wins = nullptr;  // edwp, per lane: 1 where a tie goes to the step along the group
  T* scratch = nullptr;            // scratch_rows × group.length vectors, aligned
  T* out = nullptr;                // one distance per lane, aligned
  Pulse* pulse = nullptr;          // not null; counts vectors of cells, a block of rows at a time
};

inline constexpr std::size_t scratch_rows = 8;
inline constexpr std::size_t kernel_alignment = 64;

template <class T>
using Kernel = void (*)(const KernelCall<T>&);

// How many lanes a kernel of the SIMD target in use has. T is float or double.
template <class T>
std::size_t kernel_lanes();

// The kernel of a measure for the SIMD target in use. For frechet-continuous it gives a lower
// bound.
template <class T>
Kernel<T> kernel_for(Measure measure);

// dtw or frechet from the query to the nearest stretch of consecutive points of a trajectory,
// whichever that is. The least of values errs by no more than they do: by what rounding.h says of a
// distance to the whole trajectory.
Kernel<float> piece_kernel(Measure measure);

// The kernels by family, one file each.
template <class T>
Kernel<T> warping_kernel(Measure measure);  // dtw, frechet, erp, edr, lcss
template <class T>
Kernel<T> hausdorff_kernel();
template <class T>
Kernel<T> segment_kernel(Measure measure);  // hausdorff-segment, sspd, frechet-continuous
template <class T>
Kernel<T> edwp_kernel();

}  // namespace tsmini
