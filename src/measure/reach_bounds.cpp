#include "simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/reach_bounds.cpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "measure/reach_bounds.h"
#include "measure/rounding.h"
#include "measure/search_tables.h"
#include "simd/dispatch.h"

#ifndef TSMINI_REACH_BOUNDS_ONCE
#define TSMINI_REACH_BOUNDS_ONCE
namespace tsmini {

// Coordinates are relative to the base's origin.
struct ReachQuery {
  float value[reach_values];
  bool end_points;
  float slack;
};

}  // namespace tsmini
#endif

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, bound_lanes>;
using Vector = hn::VFromD<Tag>;

// `difference` says by how much value k differs from the query's, in lanes; for a hull, by how much
// the nearest value differs that any of its trajectories can have, so that the bound is below all
// of theirs. The x and y of an end point are taken one by one: for a hull that gives the distance
// from the box that holds its end points.
template <class Difference>
HWY_INLINE void store_bounds(const ReachQuery& query, const Difference& difference, float* bounds) {
  const Tag d;
  Vector bound = hn::Zero(d);
  for (std::size_t k = 0; k < reach_directions; ++k) {
    bound = hn::Max(bound, hn::Abs(difference(k)));
  }
  if (query.end_points) {
    const auto squared = [&](std::size_t k) {
      const Vector dx = difference(k), dy = difference(k + 1);
      return hn::MulAdd(dx, dx, hn::Mul(dy, dy));
    };
    const Vector ends = hn::Max(squared(reach_directions), squared(reach_directions + 2));
    bound = hn::Max(bound, hn::Sqrt(ends));
  }
  // Difference, square, root, this product and this difference: fewer roundings of 2^-24 than the
  // 16 that 1e-6 makes up for.
  const Vector safe = hn::Sub(hn::Mul(bound, hn::Set(d, 1 - 1e-6f)), hn::Set(d, query.slack));
  hn::StoreU(safe, d, bounds);
}

void reach_of_block(const ReachBlock& block, const ReachQuery& query, float* HWY_RESTRICT bounds) {
  const Tag d;
  for (std::size_t lane = 0; lane < bound_lanes; lane += hn::Lanes(d)) {
    const auto difference = [&](std::size_t k) {
      return hn::Sub(hn::Load(d, block.value[k] + lane), hn::Set(d, query.value[k]));
    };
    store_bounds(query, difference, bounds + lane);
  }
}

void reach_of_hulls(const ReachHulls& hulls, const ReachQuery& query, float* HWY_RESTRICT bounds) {
  const Tag d;
  for (std::size_t lane = 0; lane < bound_lanes; lane += hn::Lanes(d)) {
    const auto difference = [&](std::size_t k) {
      const Vector value = hn::Set(d, query.value[k]);
      return hn::Sub(value, hn::Min(hn::Max(value, hn::Load(d, hulls.low.value[k] + lane)),
                                    hn::Load(d, hulls.high.value[k] + lane)));
    };
    store_bounds(query, difference, bounds + lane);
  }
}

}  // namespace tsmini::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini {

HWY_EXPORT(reach_of_block);
HWY_EXPORT(reach_of_hulls);

namespace {

struct Direction {
  double x, y;
};

const std::array<Direction, reach_directions>& directions() {
  static const std::array<Direction, reach_directions> all = [] {
    std::array<Direction, reach_directions> result{};
    for (std::size_t k = 0; k < reach_directions; ++k) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(k) / reach_directions;
      result[k] = {std::cos(angle), std::sin(angle)};
    }
    return result;
  }();
  return all;
}

float reach_in(const Direction& u, std::span<const Planar> points, const Planar& origin) {
  double farthest = -std::numeric_limits<double>::infinity();
  for (const Planar& p : points) {
    farthest = std::max(farthest, u.x * (p.x - origin.x) + u.y * (p.y - origin.y));
  }
  return static_cast<float>(farthest);
}

// Two values at most √2 times the extent are rounded to single precision, which moves their
// difference by 2√2 u E = 2.83 u E (see rounding.h); as much for the difference of two points.
float slack_of(double extent) {
  return static_cast<float>(3 * unit_roundoff * extent);
}

using ReachValues = std::array<float, reach_values>;

ReachValues values_of(std::span<const Planar> points, const Planar& origin) {
  ReachValues values;
  const auto& u = directions();
  for (std::size_t k = 0; k < reach_directions; ++k) values[k] = reach_in(u[k], points, origin);
  std::size_t k = reach_directions;
  for (const Planar& end : {points.front(), points.back()}) {
    values[k++] = static_cast<float>(end.x - origin.x);
    values[k++] = static_cast<float>(end.y - origin.y);
  }
  return values;
}

}  // namespace

void ReachFiller::fill(ReachBlock& block, std::size_t lane, std::span<const Planar> points) const {
  const ReachValues values = values_of(points, origin_);
  for (std::size_t k = 0; k < reach_values; ++k) block.value[k][lane] = values[k];
}

void ReachFiller::fill_hull(ReachHulls& hulls, std::size_t lane, const ReachHulls& of,
                            std::size_t lanes) {
  for (std::size_t k = 0; k < reach_values; ++k) {
    const float *low = of.low.value[k], *high = of.high.value[k];
    hulls.low.value[k][lane] = *std::min_element(low, low + lanes);
    hulls.high.value[k][lane] = *std::max_element(high, high + lanes);
  }
}

void ReachFiller::fill_hull(ReachHulls& hulls, std::size_t lane, const ReachBlock& block) {
  fill_hull(hulls, lane, {block, block}, bound_lanes);
}

ReachBounds::ReachBounds(const SearchTables& tables, bool end_points)
    : LowerBounds(tables), end_points_(end_points) {}

class ReachBounds::Query final : public QueryBounds {
 public:
  Query(const ReachBounds& index, std::span<const Planar> points, IndexFilter allowed)
      : QueryBounds(index.tables(), std::move(allowed)),
        tables_(index.tables()),
        hulls_(tables_.reach_levels()) {
    const ReachValues values = values_of(points, tables_.origin);
    std::copy(values.begin(), values.end(), query_.value);
    query_.end_points = index.end_points_;
    query_.slack = slack_of(std::max(tables_.extent, largest_coordinate(points, tables_.origin)));
  }

 private:
  void bound_node(std::size_t level, std::size_t node, float* bounds) const override {
    if (level == 0) {
      TSMINI_DISPATCH(reach_of_block)(tables_.reach[node], query_, bounds);
    } else {
      TSMINI_DISPATCH(reach_of_hulls)
      (hulls_.at(tables_.reach_hulls, level, node), query_, bounds);
    }
  }

  const SearchTables& tables_;
  const HullLevels<ReachHulls>& hulls_;
  ReachQuery query_{};
};

std::unique_ptr<QueryBounds> ReachBounds::for_query(std::span<const Planar> query,
                                                    IndexFilter allowed) const {
  return std::make_unique<Query>(*this, query, std::move(allowed));
}

}  // namespace tsmini
#endif
