#include "measure/stretch_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/box_bounds.h"
#include "measure/naive.h"
#include "measure/search_tables.h"
#include "measure/stretch_kernels.h"
#include "measure/stretches.h"

namespace tsmini {
namespace {

// Squared, between boxes on the grid.
std::int32_t squared_gap(const GridBox& a, const GridBox& b) {
  const auto gap = [](std::uint32_t low_a, std::uint32_t high_a, std::uint32_t low_b,
                      std::uint32_t high_b) {
    return low_a > high_b ? low_a - high_b : low_b > high_a ? low_b - high_a : 0;
  };
  const std::uint32_t x = gap(a.low & 0xffffu, a.high & 0xffffu, b.low & 0xffffu, b.high & 0xffffu);
  const std::uint32_t y = gap(a.low >> 16, a.high >> 16, b.low >> 16, b.high >> 16);
  return static_cast<std::int32_t>(x * x + y * y);
}

// Boxes farther apart than this have no points within epsilon of each other. An epsilon beyond the
// grid matches all.
std::int32_t squared_on_grid(double epsilon, double unit) {
  const double squared = epsilon / unit * (epsilon / unit) * (1 + 1e-12);
  constexpr auto most = std::numeric_limits<std::int32_t>::max();
  return squared < most ? static_cast<std::int32_t>(std::ceil(squared)) : most;
}

float scale_for(Measure measure, double unit) {
  constexpr float divided = 1 - 1e-6f;
  switch (measure) {
    case Measure::edr:
    case Measure::lcss: return divided;
    case Measure::edwp: return static_cast<float>(unit) * (divided * divided);
    default: return safe_scale(unit, 2 * stretches) * divided;
  }
}

void add_gap(StretchQuery& query, std::span<const Planar> points, const Planar& gap,
             const Grid& grid) {
  query.gap = grid.box({&gap, 1});
  const Planar place = grid.place(gap);
  query.gap_x = static_cast<float>(place.x);
  query.gap_y = static_cast<float>(place.y);
  for (std::size_t s = 0; s < stretches; ++s) {
    query.squared_to_gap[s] = squared_gap(query.stretch[s], query.gap);
  }
  double sum = 0;
  for (const Planar& p : points) sum += point_distance(p, gap);
  // Outside the grid, where the gap point would be moved, nothing is known to be near it.
  query.least_gap_sum = grid.holds(gap) ? static_cast<float>(sum * (1 - 1e-6))
                                        : -std::numeric_limits<float>::infinity();
  query.most_gap_sum = static_cast<float>(sum * (1 + 1e-6));
  // The kernel's roots may also be too small: by 3.7e-4 (SSE4, AVX2), by 1.76e-3 in the emulation;
  // its additions round.
  query.upper_scale = static_cast<float>(grid.unit() * (1 + 1.8e-3));
}

StretchQuery query_of(Measure measure, const MeasureSettings& settings,
                      std::span<const Planar> points, const Grid& grid) {
  StretchQuery query{};
  query.first = grid.box(points.first(1));
  query.last = grid.box(points.last(1));
  for (std::size_t s = 0; s < stretches; ++s) {
    query.stretch[s] = grid.box(stretch_points(points, s));
    query.part[s] = grid.box(stretch_path(points, s));
    query.count[s] = inner_points(points.size(), s);
  }
  query.count[0] += 1;
  if (points.size() > 1) query.count[stretches - 1] += 1;
  query.points = static_cast<float>(points.size());
  query.length = static_cast<float>(polyline_length(points) / grid.unit() * (1 + 1e-6));
  query.scale = scale_for(measure, grid.unit());
  query.squared_epsilon = squared_on_grid(settings.epsilon, grid.unit());
  if (measure == Measure::erp) add_gap(query, points, settings.gap, grid);
  return query;
}

}  // namespace

StretchBounds::StretchBounds(Measure measure, const MeasureSettings& settings,
                             const SearchTables& tables)
    : LowerBounds(tables),
      measure_(measure),
      settings_(settings),
      grid_(tables.origin, tables.extent) {}

class StretchBounds::Query final : public QueryBounds {
 public:
  Query(const StretchBounds& index, std::span<const Planar> points, IndexFilter allowed)
      : QueryBounds(index.tables(), std::move(allowed)),
        index_(index),
        tables_(index.tables()),
        boxes_(tables_.box_levels()),
        paths_(tables_.path_levels()),
        points_(points),
        kernel_(stretch_kernel(index.measure_)),
        align_(alignment_kernel(index.measure_)),
        query_(query_of(index.measure_, index.settings_, points, index.grid_)) {}

 private:
  void bound_node(std::size_t level, std::size_t node, float* bounds) const override {
    if (level == 0) {
      kernel_(tables_.boxes[node], tables_.paths[node], query_, bounds);
    } else {
      kernel_(boxes_.at(tables_.box_hulls, level, node), paths_.at(tables_.path_hulls, level, node),
              query_, bounds);
    }
  }

  bool sharpens() const override { return align_ != nullptr; }
  // Points are rounded by 2^-10 of a unit, which is less than the margin of the boxes.
  void sharpen(std::span<Candidate> candidates) const override {
    if (align_ == nullptr) return;
    const Grid& grid = index_.grid_;
    std::vector<float> x, y, to_gap;
    for (const Planar& p : points_) {
      const Planar q = grid.place(p);
      x.push_back(static_cast<float>(q.x));
      y.push_back(static_cast<float>(q.y));
      const double distance = point_distance(p, index_.settings_.gap);
      to_gap.push_back(static_cast<float>(distance / grid.unit() * (1 - 1e-6)));
    }
    const double epsilon = index_.settings_.epsilon / grid.unit();
    StretchAlignment call{x.data(),
                          y.data(),
                          to_gap.data(),
                          points_.size(),
                          static_cast<float>(epsilon * epsilon * (1 + 1e-6)),
                          {},
                          {}};
    for (std::size_t begin = 0; begin < candidates.size(); begin += bound_lanes) {
      const auto group =
          candidates.subspan(begin, std::min(bound_lanes, candidates.size() - begin));
      for (std::size_t lane = 0; lane < group.size(); ++lane) {
        tables_.copy_stretches(group[lane].place, call.stretch, lane);
      }
      align_(call);
      for (std::size_t lane = 0; lane < group.size(); ++lane) {
        group[lane].bound =
            std::max(group[lane].bound, bound_of(call.result[lane], group[lane].place));
      }
    }
  }

  // The bound that follows from what the alignment says of a place.
  float bound_of(float result, std::size_t place) const {
    if (index_.measure_ == Measure::erp) {
      return result * safe_scale(index_.grid_.unit(), points_.size());
    }
    const float points = tables_.paths[place / bound_lanes].most_points[place % bound_lanes];
    const float whole = index_.measure_ == Measure::edr ? std::max(query_.points, points)
                                                        : std::min(query_.points, points);
    return result == 0 ? 1 : (whole - std::min(result, whole)) / whole * query_.scale;
  }

  const StretchBounds& index_;
  const SearchTables& tables_;
  const HullLevels<BoxBlock>& boxes_;
  const HullLevels<PathBlock>& paths_;
  std::span<const Planar> points_;
  StretchKernel kernel_;
  AlignmentKernel align_;  // null where there is none
  StretchQuery query_;
};

std::unique_ptr<QueryBounds> StretchBounds::for_query(std::span<const Planar> query,
                                                      IndexFilter allowed) const {
  return std::make_unique<Query>(*this, query, std::move(allowed));
}

}  // namespace tsmini
