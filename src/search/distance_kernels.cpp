#include "simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/distance_kernels.cpp"
#include <algorithm>

#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "search/distance_kernels.h"
#include "search/fold-inl.h"
#include "simd/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

using Tag = hn::CappedTag<float, row_lanes>;
using Vector = hn::VFromD<Tag>;
constexpr std::size_t parts = row_lanes / hn::MaxLanes(Tag());

// What becomes of the differences of a block.
enum class Shape {
  squares,  // l2
  single,   // one vector
  several,  // the largest of several vectors
};

// The lanes of one row.
struct Lanes {
  Vector part[parts];
};

template <Shape shape>
HWY_INLINE void add_block(const float* HWY_RESTRICT query, const float* HWY_RESTRICT row,
                          std::size_t steps, Lanes& sum) {
  const Tag d;
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = p * hn::Lanes(d);
    const Vector difference = hn::Sub(hn::LoadU(d, row + first), hn::LoadU(d, query + first));
    if constexpr (shape == Shape::squares) {
      sum.part[p] = hn::Add(sum.part[p], hn::Mul(difference, difference));
    } else {
      Vector largest = hn::Abs(difference);
      if constexpr (shape == Shape::several) {
        for (std::size_t s = 1; s < steps; ++s) {
          const std::size_t i = s * row_lanes + first;
          largest =
              hn::Max(largest, hn::Abs(hn::Sub(hn::LoadU(d, row + i), hn::LoadU(d, query + i))));
        }
      }
      sum.part[p] = hn::Add(sum.part[p], largest);
    }
  }
}

// Measures `count` rows: one, or four.
template <Shape shape, std::size_t groups, std::size_t count>
HWY_INLINE void measure_rows(const LaneLayout& layout, const float* query,
                             const float* const (&row)[count], float* distances) {
  const Tag d;
  Lanes sum[count];
  for (Lanes& lanes : sum) {
    for (Vector& part : lanes.part) part = hn::Zero(d);
  }
  const std::size_t steps = shape == Shape::several ? layout.steps() : 1;
  for (std::size_t first = 0; first < layout.width(); first += steps * row_lanes) {
    HWY_UNROLL(4)
    for (std::size_t r = 0; r < count; ++r) {
      add_block<shape>(query + first, row[r] + first, steps, sum[r]);
    }
  }
  const auto finished = [](auto folded) {
    return shape == Shape::squares ? hn::Sqrt(folded) : folded;
  };
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t r = 0; r < count; ++r) {
    distances[r] = hn::GetLane(finished(fold<groups>(sum[r].part)));
  }
#else
  const auto lanes_of = [&](std::size_t r) {
    return quarter<groups, row_lanes>(sum[r % count].part);
  };
  const auto result =
      finished(one_a_row<groups>(lanes_of(0), lanes_of(1), lanes_of(2), lanes_of(3)));
  if constexpr (count == 1) {
    *distances = hn::GetLane(result);
  } else {
    hn::StoreU(result, hn::DFromV<decltype(result)>(), distances);
  }
#endif
}

template <Shape shape, std::size_t groups>
void measure(const LaneLayout& layout, const DistanceCall& call) {
  const std::size_t width = layout.width();
  const auto row = [&](std::size_t i) {
    return call.rows + (call.numbers == nullptr ? i : call.numbers[i]) * width;
  };
  // Listed rows lie anywhere: the next four are on their way while four are compared.
  const auto fetch = [&](std::size_t begin) {
    if (call.numbers == nullptr) return;
    for (std::size_t k = begin; k < std::min(begin + rows_at_once, call.count); ++k) {
      for (std::size_t at = 0; at < width; at += row_lanes) hwy::Prefetch(row(k) + at);
    }
  };
  fetch(0);
  std::size_t i = 0;
  for (; i + rows_at_once <= call.count; i += rows_at_once) {
    fetch(i + rows_at_once);
    const float* const rows[] = {row(i), row(i + 1), row(i + 2), row(i + 3)};
    measure_rows<shape, groups>(layout, call.query, rows, call.distances + i);
  }
  for (; i < call.count; ++i) {
    const float* const rows[] = {row(i)};
    measure_rows<shape, groups>(layout, call.query, rows, call.distances + i);
  }
}

template <std::size_t groups>
DistanceKernel of_groups(const LaneLayout& layout) {
  return layout.steps() == 1 ? &measure<Shape::single, groups> : &measure<Shape::several, groups>;
}

DistanceKernel kernel_of(const LaneLayout& layout) {
  if (layout.metric().kind == MetricKind::l2) return &measure<Shape::squares, row_lanes>;
  switch (layout.groups()) {
    case 1: return of_groups<1>(layout);
    case 2: return of_groups<2>(layout);
    case 4: return of_groups<4>(layout);
    case 8: return of_groups<8>(layout);
    default: return of_groups<row_lanes>(layout);
  }
}

}  // namespace tsmini::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini {

HWY_EXPORT(kernel_of);

DistanceKernel distance_kernel(const LaneLayout& layout) {
  return TSMINI_DISPATCH(kernel_of)(layout);
}

}  // namespace tsmini
#endif
