#include "measure/search_tables.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <numeric>
#include <optional>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include "measure/bounds.h"
#include "measure/box_bounds.h"
#include "measure/reach_bounds.h"
#include "measure/stretches.h"

namespace tsmini {
namespace {

// Halves the trajectories again and again, each time by that coordinate of their first, middle and
// last points in which they differ most, until there are as many as a block has.
class BlockSorter {
 public:
  explicit BlockSorter(const PlanarSet& base) : keys_(base.size()) {
    for (std::size_t i = 0; i < base.size(); ++i) {
      const auto points = base[i];
      const Planar middle = points[points.size() / 2];
      keys_[i] = {points.front().x, points.front().y, middle.x,
                  middle.y,         points.back().x,  points.back().y};
    }
  }

  void sort(std::span<std::uint32_t> part) const {
    if (part.size() <= bound_lanes) return;
    const std::size_t blocks = (part.size() + bound_lanes - 1) / bound_lanes;
    const std::size_t half = blocks / 2 * bound_lanes;
    const std::size_t k = widest(part);
    std::nth_element(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(half), part.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                       return keys_[a][k] < keys_[b][k] || (keys_[a][k] == keys_[b][k] && a < b);
                     });
    const auto left = [&] { sort(part.first(half)); };
    const auto right = [&] { sort(part.subspan(half)); };
    if (part.size() > worth_a_task) return tbb::parallel_invoke(left, right);
    left();
    right();
  }

 private:
  using Key = std::array<double, 6>;
  static constexpr std::size_t worth_a_task = 4096;

  std::size_t widest(std::span<const std::uint32_t> part) const {
    Key mean{}, spread{};
    for (const std::uint32_t i : part) {
      for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += keys_[i][k];
    }
    for (double& m : mean) m /= static_cast<double>(part.size());
    for (const std::uint32_t i : part) {
      for (std::size_t k = 0; k < mean.size(); ++k) {
        spread[k] += (keys_[i][k] - mean[k]) * (keys_[i][k] - mean[k]);
      }
    }
    return static_cast<std::size_t>(std::max_element(spread.begin(), spread.end()) -
                                    spread.begin());
  }

  std::vector<Key> keys_;
};

void place_points(const PlanarSet& set, SearchTables& tables) {
  const std::size_t count = set.size();
  std::uint32_t* order = tables.order.grow(count);
  std::iota(order, order + count, std::uint32_t{0});
  BlockSorter(set).sort({order, count});
  std::uint32_t* places = tables.places.grow(count);
  std::uint64_t* offsets = tables.offsets.grow(count + 1);
  for (std::size_t place = 0; place < count; ++place) {
    places[order[place]] = static_cast<std::uint32_t>(place);
    offsets[place + 1] = offsets[place] + set.length(order[place]);
    tables.longest = std::max(tables.longest, set.length(order[place]));
  }
  SinglePoint* points = tables.points.grow(offsets[count]);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 256), [&](const auto& range) {
    for (std::size_t place = range.begin(); place < range.end(); ++place) {
      SinglePoint* out = points + offsets[place];
      for (const Planar& p : set[order[place]]) {
        *out++ = {static_cast<float>(p.x - tables.origin.x),
                  static_cast<float>(p.y - tables.origin.y)};
      }
    }
  });
}

}  // namespace

void SearchTables::copy_stretches(std::size_t place, GridBoxes (&into)[stretches],
                                  std::size_t lane) const {
  const BoxBlock& block = boxes[place / bound_lanes];
  for (std::size_t s = 0; s < stretches; ++s) {
    set_box(into[s], lane, get_box(block.stretch[s], place % bound_lanes));
  }
}

struct SearchTables::Levels {
  std::once_flag reach_made, boxes_made, paths_made;
  std::optional<HullLevels<ReachHulls>> reach;
  std::optional<HullLevels<BoxBlock>> boxes;
  std::optional<HullLevels<PathBlock>> paths;
};

std::shared_ptr<SearchTables::Levels> SearchTables::make_levels() {
  return std::make_shared<Levels>();
}

const HullLevels<ReachHulls>& SearchTables::reach_levels() const {
  std::call_once(levels_->reach_made, [&] {
    levels_->reach.emplace(
        reach_hulls.values(), blocks(),
        [](ReachHulls& into, std::size_t lane, const ReachHulls& node, std::size_t lanes) {
          ReachFiller::fill_hull(into, lane, node, lanes);
        });
  });
  return *levels_->reach;
}

const HullLevels<BoxBlock>& SearchTables::box_levels() const {
  std::call_once(levels_->boxes_made, [&] {
    levels_->boxes.emplace(box_hulls.values(), blocks(), BoxFiller::fill_hull);
  });
  return *levels_->boxes;
}

const HullLevels<PathBlock>& SearchTables::path_levels() const {
  std::call_once(levels_->paths_made, [&] {
    levels_->paths.emplace(path_hulls.values(), blocks(), PathFiller::fill_hull);
  });
  return *levels_->paths;
}

SearchTables SearchTables::of(const PlanarSet& set) {
  SearchTables tables;
  tables.origin = set.origin();
  tables.extent = largest_coordinate(set);
  if (set.size() == 0) return tables;
  place_points(set, tables);
  const std::size_t blocks = tables.blocks();
  const std::size_t hulls = (blocks + bound_lanes - 1) / bound_lanes;
  ReachBlock* reach = tables.reach.grow(blocks);
  BoxBlock* boxes = tables.boxes.grow(blocks);
  const ReachFiller reach_of(tables.origin);
  PathBlock* paths = tables.paths.grow(blocks);
  const Grid grid(tables.origin, tables.extent);
  const BoxFiller boxes_of(grid);
  const PathFiller paths_of(grid);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, blocks, 16), [&](const auto& range) {
    for (std::size_t block = range.begin(); block < range.end(); ++block) {
      for (std::size_t lane = 0; lane < bound_lanes; ++lane) {
        // Lanes without a trajectory repeat the last one.
        const std::size_t place = std::min(block * bound_lanes + lane, set.size() - 1);
        const auto trip = set[tables.order[place]];
        reach_of.fill(reach[block], lane, trip);
        boxes_of.fill(boxes[block], lane, trip);
        paths_of.fill(paths[block], lane, trip);
      }
    }
  });
  ReachHulls* reach_hulls = tables.reach_hulls.grow(hulls);
  BoxBlock* box_hulls = tables.box_hulls.grow(hulls);
  PathBlock* path_hulls = tables.path_hulls.grow(hulls);
  for (std::size_t block = 0; block < blocks; ++block) {
    ReachFiller::fill_hull(reach_hulls[block / bound_lanes], block % bound_lanes, reach[block]);
    BoxFiller::fill_hull(box_hulls[block / bound_lanes], block % bound_lanes, boxes[block],
                         bound_lanes);
    PathFiller::fill_hull(path_hulls[block / bound_lanes], block % bound_lanes, paths[block],
                          bound_lanes);
  }
  return tables;
}

}  // namespace tsmini
