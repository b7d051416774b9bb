#include "measure/box_bounds.h"

#include <algorithm>

#include "measure/stretches.h"

namespace tsmini {
BoxFiller::BoxFiller(const Grid& grid) : grid_(grid) {}

void BoxFiller::fill(BoxBlock& block, std::size_t lane, std::span<const Planar> points) const {
  set_box(block.first, lane, grid_.box(points.first(1)));
  set_box(block.last, lane, grid_.box(points.last(1)));
  for (std::size_t s = 0; s < stretches; ++s) {
    set_box(block.stretch[s], lane, grid_.box(stretch_points(points, s)));
    block.inner[s][lane] = inner_points(points.size(), s);
  }
}

void BoxFiller::fill_hull(BoxBlock& hulls, std::size_t lane, const BoxBlock& block) {
  set_box(hulls.first, lane, hull_of(block.first));
  set_box(hulls.last, lane, hull_of(block.last));
  for (std::size_t s = 0; s < stretches; ++s) {
    set_box(hulls.stretch[s], lane, hull_of(block.stretch[s]));
    hulls.inner[s][lane] = *std::min_element(block.inner[s], block.inner[s] + bound_lanes);
  }
}

BoxBounds::BoxBounds(const PlanarSet& base)
    : LowerBounds(base),
      grid_(base),
      blocks_(block_count()),
      hulls_((block_count() + bound_lanes - 1) / bound_lanes) {
  const BoxFiller boxes_of(grid_);
  for (std::size_t place = 0; place < block_count() * bound_lanes; ++place) {
    const auto points = base[trajectory(place)];
    boxes_of.fill(blocks_[place / bound_lanes], place % bound_lanes, points);
    used_.push_back(static_cast<std::uint8_t>(std::min(points.size(), stretches)));
  }
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    BoxFiller::fill_hull(hulls_[b / bound_lanes], b % bound_lanes, blocks_[b]);
  }
}

class BoxBounds::Query final : public QueryBounds {
 public:
  Query(const BoxBounds& index, std::span<const Planar> points, IndexFilter allowed)
      : QueryBounds(index.order(), std::move(allowed)), index_(index), points_(points) {
    const Grid& grid = index.grid_;
    query_.first = grid.box(points.first(1));
    query_.last = grid.box(points.last(1));
    for (std::size_t s = 0; s < stretches; ++s) {
      query_.stretch[s] = grid.box(stretch_points(points, s));
      query_.inner[s] = inner_points(points.size(), s);
    }
    query_.last_counts = points.size() > 1 ? 1 : 0;
    query_.scale = safe_scale(grid.unit(), 2 * stretches);
    for (std::size_t b = 0; b < index.hulls_.size(); ++b) {
      sum_boxes(index.hulls_[b], query_, hull_bounds() + b * bound_lanes);
    }
  }

 private:
  void bound_block(std::size_t block, float* bounds) const override {
    sum_boxes(index_.blocks_[block], query_, bounds);
  }

  bool sharpens() const override { return true; }
  // Points are rounded by 2^-10 of a unit, which is less than the margin of the boxes.
  void sharpen(std::span<Candidate> candidates) const override {
    std::vector<float> x, y;
    for (const Planar& p : points_) {
      const Planar q = index_.grid_.place(p);
      x.push_back(static_cast<float>(q.x));
      y.push_back(static_cast<float>(q.y));
    }
    const float scale = safe_scale(index_.grid_.unit(), points_.size() + stretches);
    BoxAlignment call{x.data(), y.data(), points_.size(), {}, {}};
    for (std::size_t begin = 0; begin < candidates.size(); begin += bound_lanes) {
      const auto group =
          candidates.subspan(begin, std::min(bound_lanes, candidates.size() - begin));
      for (std::size_t lane = 0; lane < group.size(); ++lane) {
        const BoxBlock& block = index_.blocks_[group[lane].place / bound_lanes];
        for (std::size_t s = 0; s < stretches; ++s) {
          set_box(call.stretch[s], lane,
                  get_box(block.stretch[s], group[lane].place % bound_lanes));
        }
      }
      align_with_boxes(call);
      for (std::size_t lane = 0; lane < group.size(); ++lane) {
        const float sum = call.sums[index_.used_[group[lane].place] - 1][lane];
        group[lane].bound = std::max(group[lane].bound, sum * scale);
      }
    }
  }

  const BoxBounds& index_;
  std::span<const Planar> points_;
  BoxQuery query_{};
};

std::unique_ptr<QueryBounds> BoxBounds::for_query(std::span<const Planar> query,
                                                  IndexFilter allowed) const {
  return std::make_unique<Query>(*this, query, std::move(allowed));
}

}  // namespace tsmini
