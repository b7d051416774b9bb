#include "measure/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/bounds.cpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "measure/bounds.h"

#ifndef TSMINI_BOUNDS_ONCE
#define TSMINI_BOUNDS_ONCE
namespace tsmini {

struct PointLanes {
  const float *x, *y;
  std::size_t count;
};

struct BoxList {
  const float *min_x, *min_y, *max_x, *max_y;
  std::size_t count;
};

template <std::size_t count>
BoxList list_of(const Boxes<count>& boxes) {
  return {boxes.min_x, boxes.min_y, boxes.max_x, boxes.max_y, count};
}

}  // namespace tsmini
#endif

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, bound_lanes>;
using Vector = hn::VFromD<Tag>;

void reach_of_block(const BoundBlock& block, const BoundQuery& query, bool end_points,
                    float* HWY_RESTRICT bounds) {
  const Tag d;
  const std::size_t m = query.count;
  for (std::size_t lane = 0; lane < bound_lanes; lane += hn::Lanes(d)) {
    Vector bound = hn::Zero(d);
    for (std::size_t k = 0; k < reach_directions; ++k) {
      const Vector difference =
          hn::Sub(hn::Load(d, block.reach[k] + lane), hn::Set(d, query.reach[k]));
      bound = hn::Max(bound, hn::Abs(difference));
    }
    if (end_points) {
      const auto apart = [&](const float* xs, const float* ys, float x, float y) {
        const Vector dx = hn::Sub(hn::Load(d, xs + lane), hn::Set(d, x));
        const Vector dy = hn::Sub(hn::Load(d, ys + lane), hn::Set(d, y));
        return hn::MulAdd(dx, dx, hn::Mul(dy, dy));
      };
      const Vector ends =
          hn::Max(apart(block.first_x, block.first_y, query.x[0], query.y[0]),
                  apart(block.last_x, block.last_y, query.x[m - 1], query.y[m - 1]));
      bound = hn::Max(bound, hn::Sqrt(ends));
    }
    const Vector safe = hn::Sub(hn::Mul(bound, hn::Set(d, 1 - 1e-6f)), hn::Set(d, query.slack));
    hn::StoreU(safe, d, bounds + lane);
  }
}

struct BoxVectors {
  Vector min_x, min_y, max_x, max_y;
};

HWY_INLINE Vector squared_distance(const BoxVectors& box, Vector x, Vector y) {
  const Vector zero = hn::Zero(Tag());
  const Vector dx = hn::Max(hn::Max(hn::Sub(box.min_x, x), hn::Sub(x, box.max_x)), zero);
  const Vector dy = hn::Max(hn::Max(hn::Sub(box.min_y, y), hn::Sub(y, box.max_y)), zero);
  return hn::MulAdd(dx, dx, hn::Mul(dy, dy));
}

// A root that is never too large, and too small by 2^-11 at most: a third of the exact one's cost.
HWY_INLINE Vector root_from_below(Vector x) {
  const Tag d;
  const Vector reciprocal = hn::Min(hn::ApproximateReciprocalSqrt(x), hn::Set(d, 1e18f));
  return hn::Mul(hn::Mul(x, reciprocal), hn::Set(d, 1 - 3.0f / 8192));
}

HWY_INLINE Vector apart(const BoxVectors& a, const BoxVectors& b, Vector slack) {
  const Vector zero = hn::Zero(Tag());
  const Vector dx = hn::Max(hn::Max(hn::Sub(a.min_x, b.max_x), hn::Sub(b.min_x, a.max_x)), zero);
  const Vector dy = hn::Max(hn::Max(hn::Sub(a.min_y, b.max_y), hn::Sub(b.min_y, a.max_y)), zero);
  const Vector distance = root_from_below(hn::MulAdd(dx, dx, hn::Mul(dy, dy)));
  return hn::Max(hn::Sub(distance, slack), zero);
}

HWY_INLINE BoxVectors load_boxes(const Boxes<bound_lanes>& boxes, std::size_t lane) {
  const Tag d;
  return {hn::Load(d, boxes.min_x + lane), hn::Load(d, boxes.min_y + lane),
          hn::Load(d, boxes.max_x + lane), hn::Load(d, boxes.max_y + lane)};
}

HWY_INLINE BoxVectors repeat_box(const BoxList& boxes, std::size_t s) {
  const Tag d;
  return {hn::Set(d, boxes.min_x[s]), hn::Set(d, boxes.min_y[s]), hn::Set(d, boxes.max_x[s]),
          hn::Set(d, boxes.max_y[s])};
}

// A lane is a trajectory.
void box_sums_of_block(const BoxBlock& block, const BoundQuery& query, float* HWY_RESTRICT bounds) {
  const Tag d;
  const Vector slack = hn::Set(d, query.slack);
  const BoxVectors mine = repeat_box(list_of(query.whole), 0);
  for (std::size_t lane = 0; lane < bound_lanes; lane += hn::Lanes(d)) {
    const BoxVectors theirs = load_boxes(block.whole, lane);
    Vector to_mine = hn::Zero(d), to_theirs = hn::Zero(d);
    for (std::size_t s = 0; s < stretches; ++s) {
      to_mine = hn::MulAdd(apart(load_boxes(block.stretch[s], lane), mine, slack),
                           hn::Load(d, block.points[s] + lane), to_mine);
      to_theirs = hn::MulAdd(apart(repeat_box(list_of(query.stretch), s), theirs, slack),
                             hn::Set(d, query.points[s]), to_theirs);
    }
    hn::StoreU(hn::Mul(hn::Max(to_mine, to_theirs), hn::Set(d, 1 - 1e-5f)), d, bounds + lane);
  }
}

// A lane is a point (whole vectors may be read): the sum of the points' distances to the nearest of
// the boxes.
float sum_to_boxes(const PointLanes& points, const BoxList& boxes, float slack) {
  const Tag d;
  const Vector zero = hn::Zero(d), rounding = hn::Set(d, slack);
  Vector sum = zero;
  for (std::size_t i = 0; i < points.count; i += hn::Lanes(d)) {
    const auto inside = hn::FirstN(d, points.count - i);
    const Vector x = hn::LoadU(d, points.x + i), y = hn::LoadU(d, points.y + i);
    Vector nearest = hn::Set(d, std::numeric_limits<float>::max());
    for (std::size_t s = 0; s < boxes.count; ++s) {
      nearest = hn::Min(nearest, squared_distance(repeat_box(boxes, s), x, y));
    }
    const Vector distance = hn::Max(hn::Sub(root_from_below(nearest), rounding), zero);
    sum = hn::Add(sum, hn::IfThenElseZero(inside, distance));
  }
  return hn::GetLane(hn::SumOfLanes(d, sum)) * (1 - 1e-5f);
}

}  // namespace tsmini::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini {

HWY_EXPORT(reach_of_block);
HWY_EXPORT(box_sums_of_block);
HWY_EXPORT(sum_to_boxes);

namespace {

struct Direction {
  double x, y;
};

const std::array<Direction, reach_directions>& directions() {
  static const std::array<Direction, reach_directions> all = [] {
    std::array<Direction, reach_directions> result{};
    for (std::size_t k = 0; k < reach_directions; ++k) {
      const double angle = 2 * 3.14159265358979323846 * static_cast<double>(k) / reach_directions;
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

// Bits of a number below 2^16, spread to every second place.
std::uint32_t spread(std::uint32_t v) {
  v = (v | (v << 8)) & 0x00ff00ffu;
  v = (v | (v << 4)) & 0x0f0f0f0fu;
  v = (v | (v << 2)) & 0x33333333u;
  return (v | (v << 1)) & 0x55555555u;
}

// Trajectories by where their middle lies, along Morton's curve.
std::vector<std::size_t> order_by_place(const PlanarSet& base, float extent) {
  std::vector<std::uint32_t> keys(base.size());
  for (std::size_t i = 0; i < base.size(); ++i) {
    const Planar& middle = base[i][base.length(i) / 2];
    const auto cell = [&](double offset) {
      const double share = std::clamp((offset / extent + 1) / 2, 0.0, 1.0);
      return spread(static_cast<std::uint32_t>(share * 65535));
    };
    keys[i] =
        extent > 0 ? cell(middle.x - base.origin().x) | cell(middle.y - base.origin().y) << 1u : 0;
  }
  std::vector<std::size_t> order(base.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  return order;
}

float largest_coordinate(std::span<const Planar> points, const Planar& origin) {
  double largest = 0;
  for (const Planar& p : points) {
    largest = std::max({largest, std::abs(p.x - origin.x), std::abs(p.y - origin.y)});
  }
  return static_cast<float>(largest);
}

void fill_lane(BoundBlock& block, std::size_t lane, std::span<const Planar> points,
               const Planar& origin) {
  const auto& u = directions();
  for (std::size_t k = 0; k < reach_directions; ++k) {
    block.reach[k][lane] = reach_in(u[k], points, origin);
  }
  const auto x = [&](const Planar& p) { return static_cast<float>(p.x - origin.x); };
  const auto y = [&](const Planar& p) { return static_cast<float>(p.y - origin.y); };
  block.first_x[lane] = x(points.front());
  block.first_y[lane] = y(points.front());
  block.last_x[lane] = x(points.back());
  block.last_y[lane] = y(points.back());
}

template <std::size_t count>
void fill_box(Boxes<count>& boxes, std::size_t lane, std::span<const Planar> points,
              const Planar& origin) {
  constexpr float far = std::numeric_limits<float>::max();
  boxes.min_x[lane] = boxes.min_y[lane] = far;
  boxes.max_x[lane] = boxes.max_y[lane] = -far;
  for (const Planar& p : points) {
    const auto x = static_cast<float>(p.x - origin.x), y = static_cast<float>(p.y - origin.y);
    boxes.min_x[lane] = std::min(boxes.min_x[lane], x);
    boxes.max_x[lane] = std::max(boxes.max_x[lane], x);
    boxes.min_y[lane] = std::min(boxes.min_y[lane], y);
    boxes.max_y[lane] = std::max(boxes.max_y[lane], y);
  }
}

// Stretch s of a trajectory. One of fewer points than stretches has empty ones: they get the box of
// a neighbouring point and count for nothing.
struct StretchRange {
  std::size_t begin, end;
};
StretchRange stretch_range(std::size_t length, std::size_t s) {
  return {s * length / stretches, (s + 1) * length / stretches};
}

std::span<const Planar> stretch_points(std::span<const Planar> points, std::size_t s) {
  const StretchRange range = stretch_range(points.size(), s);
  const std::size_t begin = std::min(range.begin, points.size() - 1);
  return points.subspan(begin, std::max<std::size_t>(range.end - range.begin, 1));
}

float stretch_count(std::size_t length, std::size_t s) {
  const StretchRange range = stretch_range(length, s);
  return static_cast<float>(range.end - range.begin);
}

StretchBoxes stretches_of(std::span<const Planar> points, const Planar& origin) {
  StretchBoxes boxes;
  for (std::size_t s = 0; s < stretches; ++s) {
    fill_box(boxes, s, stretch_points(points, s), origin);
  }
  return boxes;
}

void fill_boxes(BoxBlock& block, std::size_t lane, std::span<const Planar> points,
                const Planar& origin) {
  fill_box(block.whole, lane, points, origin);
  for (std::size_t s = 0; s < stretches; ++s) {
    fill_box(block.stretch[s], lane, stretch_points(points, s), origin);
    block.points[s][lane] = stretch_count(points.size(), s);
  }
}

}  // namespace

BoundIndex::BoundIndex(const PlanarSet& base, For purpose) : origin_(base.origin()) {
  for (std::size_t i = 0; i < base.size(); ++i) {
    extent_ = std::max(extent_, largest_coordinate(base[i], origin_));
    longest_ = std::max(longest_, base.length(i));
  }
  order_ = order_by_place(base, extent_);
  blocks_.resize((base.size() + bound_lanes - 1) / bound_lanes);
  if (purpose == For::sums) boxes_.resize(blocks_.size());
  for (std::size_t slot = 0; slot < padded_size(); ++slot) {
    // Lanes behind the last trajectory repeat it.
    const auto points = base[order_[std::min(slot, order_.size() - 1)]];
    fill_lane(blocks_[slot / bound_lanes], slot % bound_lanes, points, origin_);
    if (purpose == For::farthest) continue;
    fill_boxes(boxes_[slot / bound_lanes], slot % bound_lanes, points, origin_);
    if (slot >= order_.size()) continue;
    stretches_.push_back(stretches_of(points, origin_));
    for (const Planar& p : points) {
      x_.push_back(static_cast<float>(p.x - origin_.x));
      y_.push_back(static_cast<float>(p.y - origin_.y));
    }
    offsets_.push_back(x_.size());
  }
  x_.resize(x_.size() + bound_lanes);
  y_.resize(y_.size() + bound_lanes);
}

BoundQuery BoundIndex::prepare(std::span<const Planar> query) const {
  BoundQuery result;
  for (const Planar& p : query) {
    result.x.push_back(static_cast<float>(p.x - origin_.x));
    result.y.push_back(static_cast<float>(p.y - origin_.y));
  }
  result.count = query.size();
  result.x.resize(query.size() + bound_lanes);
  result.y.resize(query.size() + bound_lanes);
  const auto& u = directions();
  for (std::size_t k = 0; k < reach_directions; ++k) {
    result.reach[k] = reach_in(u[k], query, origin_);
  }
  fill_box(result.whole, 0, query, origin_);
  result.stretch = stretches_of(query, origin_);
  for (std::size_t s = 0; s < stretches; ++s) result.points[s] = stretch_count(query.size(), s);
  // Two roundings of 2^-24 each, of numbers of this size, and those of what is done with them.
  constexpr float rounding = 4e-7f;
  result.slack = rounding * std::max(extent_, largest_coordinate(query, origin_));
  return result;
}

void BoundIndex::reach(const BoundQuery& query, bool end_points, std::span<float> bounds) const {
  const auto kernel = HWY_DYNAMIC_DISPATCH(reach_of_block);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    kernel(blocks_[b], query, end_points, bounds.data() + b * bound_lanes);
  }
}

float BoundIndex::refined(const BoundQuery& query, std::size_t place, float limit) const {
  const auto kernel = HWY_DYNAMIC_DISPATCH(sum_to_boxes);
  const std::uint64_t begin = offsets_[place];
  const PointLanes mine{query.x.data(), query.y.data(), query.count};
  const PointLanes theirs{x_.data() + begin, y_.data() + begin, offsets_[place + 1] - begin};
  const float bound = kernel(mine, list_of(stretches_[place]), query.slack);
  if (bound > limit) return bound;
  return std::max(bound, kernel(theirs, list_of(query.stretch), query.slack));
}

void BoundIndex::box_sums(const BoundQuery& query, std::span<float> bounds) const {
  const auto kernel = HWY_DYNAMIC_DISPATCH(box_sums_of_block);
  for (std::size_t b = 0; b < boxes_.size(); ++b) {
    kernel(boxes_[b], query, bounds.data() + b * bound_lanes);
  }
}

}  // namespace tsmini
#endif
