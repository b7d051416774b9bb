#include "measure/box_bounds.h"

#include <algorithm>

#include "measure/search_tables.h"
#include "measure/stretches.h"

namespace tsmini {

void BoxFiller::fill(BoxBlock& block, std::size_t lane, std::span<const Planar> points) const {
  set_box(block.first, lane, grid_.box(points.first(1)));
  set_box(block.last, lane, grid_.box(points.last(1)));
  for (std::size_t s = 0; s < stretches; ++s) {
    set_box(block.stretch[s], lane, grid_.box(stretch_points(points, s)));
    block.inner[s][lane] = inner_points(points.size(), s);
  }
}

void BoxFiller::fill_hull(BoxBlock& hulls, std::size_t lane, const BoxBlock& block,
                          std::size_t lanes) {
  set_box(hulls.first, lane, hull_of(block.first, lanes));
  set_box(hulls.last, lane, hull_of(block.last, lanes));
  for (std::size_t s = 0; s < stretches; ++s) {
    set_box(hulls.stretch[s], lane, hull_of(block.stretch[s], lanes));
    hulls.inner[s][lane] = *std::min_element(block.inner[s], block.inner[s] + lanes);
  }
}

BoxBounds::BoxBounds(const SearchTables& tables)
    : LowerBounds(tables), grid_(tables.origin, tables.extent) {}

class BoxBounds::Query final : public QueryBounds {
 public:
  Query(const BoxBounds& index, std::span<const Planar> points, IndexFilter allowed)
      : QueryBounds(index.tables(), std::move(allowed)),
        tables_(index.tables()),
        hulls_(tables_.box_levels()),
        grid_(index.grid_),
        points_(points) {
    query_.first = grid_.box(points.first(1));
    query_.last = grid_.box(points.last(1));
    for (std::size_t s = 0; s < stretches; ++s) {
      query_.stretch[s] = grid_.box(stretch_points(points, s));
      query_.inner[s] = inner_points(points.size(), s);
    }
    query_.last_counts = points.size() > 1 ? 1 : 0;
    query_.scale = safe_scale(grid_.unit(), 2 * stretches);
  }

 private:
  void bound_node(std::size_t level, std::size_t node, float* bounds) const override {
    sum_boxes(level == 0 ? tables_.boxes[node] : hulls_.at(tables_.box_hulls, level, node), query_,
              bounds);
  }

  bool sharpens() const override { return true; }
  // Points are rounded by 2^-10 of a unit, which is less than the margin of the boxes.
  void sharpen(std::span<Candidate> candidates) const override {
    std::vector<float> x, y;
    for (const Planar& p : points_) {
      const Planar q = grid_.place(p);
      x.push_back(static_cast<float>(q.x));
      y.push_back(static_cast<float>(q.y));
    }
    const float scale = safe_scale(grid_.unit(), points_.size() + stretches);
    BoxAlignment call{x.data(), y.data(), points_.size(), {}, {}};
    for (std::size_t begin = 0; begin < candidates.size(); begin += bound_lanes) {
      const auto group =
          candidates.subspan(begin, std::min(bound_lanes, candidates.size() - begin));
      for (std::size_t lane = 0; lane < group.size(); ++lane) {
        tables_.copy_stretches(group[lane].place, call.stretch, lane);
      }
      align_with_boxes(call);
      for (std::size_t lane = 0; lane < group.size(); ++lane) {
        const std::size_t used = std::min(tables_.length_at(group[lane].place), stretches);
        const float sum = call.sums[used - 1][lane];
        group[lane].bound = std::max(group[lane].bound, sum * scale);
      }
    }
  }

  const SearchTables& tables_;
  const HullLevels<BoxBlock>& hulls_;
  const Grid& grid_;
  std::span<const Planar> points_;
  BoxQuery query_{};
};

std::unique_ptr<QueryBounds> BoxBounds::for_query(std::span<const Planar> query,
                                                  IndexFilter allowed) const {
  return std::make_unique<Query>(*this, query, std::move(allowed));
}

}  // namespace tsmini
