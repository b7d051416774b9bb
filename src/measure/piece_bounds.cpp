#include "simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/piece_bounds.cpp"
#include <algorithm>
#include <cmath>
#include <limits>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "measure/piece_bounds.h"
#include "simd/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, bound_lanes>;
using Vector = hn::VFromD<Tag>;

// How far outside [low, high], at least 0.
HWY_INLINE Vector outside(Vector low, Vector high, Vector x) {
  return hn::Max(hn::Max(hn::Sub(low, x), hn::Sub(x, high)), hn::Zero(Tag()));
}

HWY_INLINE Vector squared_to_nearest(std::span<const PlaneBox> boxes, Vector x, Vector y) {
  const Tag d;
  Vector nearest = hn::Set(d, std::numeric_limits<float>::infinity());
  for (const PlaneBox& box : boxes) {
    const Vector dx = outside(hn::Set(d, box.low_x), hn::Set(d, box.high_x), x);
    const Vector dy = outside(hn::Set(d, box.low_y), hn::Set(d, box.high_y), y);
    nearest = hn::Min(nearest, hn::MulAdd(dx, dx, hn::Mul(dy, dy)));
  }
  return nearest;
}

template <bool sums>
float bound_in_lanes(std::span<const PieceLanes::Lanes> piece, std::span<const PlaneBox> boxes) {
  const Tag d;
  Vector total = hn::Zero(d);
  for (const PieceLanes::Lanes& points : piece) {
    for (std::size_t lane = 0; lane < bound_lanes; lane += hn::Lanes(d)) {
      const Vector squared =
          squared_to_nearest(boxes, hn::Load(d, points.x + lane), hn::Load(d, points.y + lane));
      total = sums ? hn::MulAdd(hn::Sqrt(squared), hn::Load(d, points.counts + lane), total)
                   : hn::Max(total, squared);
    }
  }
  return hn::GetLane(sums ? hn::SumOfLanes(d, total) : hn::Sqrt(hn::MaxOfLanes(d, total)));
}

float bound_dtw(std::span<const PieceLanes::Lanes> piece, std::span<const PlaneBox> boxes) {
  return bound_in_lanes<true>(piece, boxes);
}
float bound_frechet(std::span<const PieceLanes::Lanes> piece, std::span<const PlaneBox> boxes) {
  return bound_in_lanes<false>(piece, boxes);
}

}  // namespace tsmini::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini {

HWY_EXPORT(bound_dtw);
HWY_EXPORT(bound_frechet);

namespace {

constexpr std::size_t box_points = 8;

std::size_t boxes_for(std::size_t points) {
  return (points + box_points - 1) / box_points;
}

float rounded_down(double x) {
  const auto rounded = static_cast<float>(x);
  return rounded > x ? std::nextafter(rounded, -std::numeric_limits<float>::infinity()) : rounded;
}
float rounded_up(double x) {
  return -rounded_down(-x);
}

PlaneBox box_around(std::span<const Planar> points, const Planar& origin) {
  PlanarBox box;
  for (const Planar& p : points) box.add(p);
  return {rounded_down(box.low.x - origin.x), rounded_down(box.low.y - origin.y),
          rounded_up(box.high.x - origin.x), rounded_up(box.high.y - origin.y)};
}

}  // namespace

PieceLanes::PieceLanes(std::span<const Planar> piece, const Planar& origin)
    : lanes_((piece.size() + bound_lanes - 1) / bound_lanes) {
  for (std::size_t i = 0; i < lanes_.size() * bound_lanes; ++i) {
    const Planar& p = piece[std::min(i, piece.size() - 1)];
    Lanes& lanes = lanes_[i / bound_lanes];
    lanes.x[i % bound_lanes] = static_cast<float>(p.x - origin.x);
    lanes.y[i % bound_lanes] = static_cast<float>(p.y - origin.y);
    lanes.counts[i % bound_lanes] = i < piece.size() ? 1 : 0;
  }
}

TripBoxes::TripBoxes(const PlanarSet& trips) : offsets_(trips.size() + 1) {
  for (std::size_t i = 0; i < trips.size(); ++i) {
    offsets_[i + 1] = offsets_[i] + boxes_for(trips.length(i));
  }
  boxes_.resize(offsets_.back());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, trips.size()), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      std::span<const Planar> left = trips[i];
      for (std::uint64_t b = offsets_[i]; b < offsets_[i + 1]; ++b) {
        const auto points = left.first(std::min(left.size(), box_points));
        boxes_[b] = box_around(points, trips.origin());
        left = left.subspan(points.size());
      }
    }
  });
}

float TripBoxes::bound(Measure measure, const PieceLanes& piece, std::size_t trip) const {
  const std::span<const PlaneBox> boxes(boxes_.data() + offsets_[trip],
                                        offsets_[trip + 1] - offsets_[trip]);
  return measure == Measure::dtw ? TSMINI_DISPATCH(bound_dtw)(piece.lanes(), boxes)
                                 : TSMINI_DISPATCH(bound_frechet)(piece.lanes(), boxes);
}

}  // namespace tsmini
#endif
