#include "measure/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "measure/box_bounds.h"
#include "measure/reach_bounds.h"
#include "measure/search_tables.h"
#include "measure/stretch_bounds.h"

namespace tsmini {
namespace {

constexpr float unbounded = std::numeric_limits<float>::infinity();

}  // namespace

double largest_coordinate(std::span<const Planar> points, const Planar& origin) {
  double largest = 0;
  for (const Planar& p : points) {
    largest = std::max({largest, std::abs(p.x - origin.x), std::abs(p.y - origin.y)});
  }
  return largest;
}

double largest_coordinate(const PlanarSet& base) {
  constexpr std::size_t grain = 1024;
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, base.size(), grain), 0.0,
      [&](const tbb::blocked_range<std::size_t>& range, double largest) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          largest = std::max(largest, largest_coordinate(base[i], base.origin()));
        }
        return largest;
      },
      [](double a, double b) { return std::max(a, b); });
}

std::unique_ptr<const LowerBounds> LowerBounds::of(Measure measure, const SearchTables& tables,
                                                   const MeasureSettings& settings) {
  switch (measure) {
    case Measure::hausdorff:
    case Measure::hausdorff_segment: return std::make_unique<ReachBounds>(tables, false);
    case Measure::frechet:
    case Measure::frechet_continuous: return std::make_unique<ReachBounds>(tables, true);
    case Measure::dtw: return std::make_unique<BoxBounds>(tables);
    case Measure::edwp:
    case Measure::erp:
    case Measure::edr:
    case Measure::lcss:
    case Measure::sspd: return std::make_unique<StretchBounds>(measure, settings, tables);
  }
  return nullptr;
}

// A node that a search may look into, and the least bound of what is in it.
struct QueryBounds::Node {
  float bound;
  std::size_t level, node;

  // Among equal bounds the lower level comes first, which leads to trajectories soonest.
  friend bool operator>(const Node& a, const Node& b) {
    return std::tie(a.bound, a.level, a.node) > std::tie(b.bound, b.level, b.node);
  }
};

QueryBounds::QueryBounds(const SearchTables& tables, IndexFilter allowed)
    : order_(tables.order.values()),
      nodes_(nodes_of_levels(tables.blocks())),
      allowed_(std::move(allowed)) {}

void QueryBounds::sharpen(std::span<Candidate>) const {}

template <class Use>
void QueryBounds::for_each_lane(std::size_t level, std::size_t node, const Use& use) const {
  alignas(64) Bounds bounds;
  bound_node(level, node, bounds.data());
  const std::size_t first = node * bound_lanes;
  const std::size_t below = level == 0 ? order_.size() : nodes_[level - 1];
  const std::size_t lanes = std::min(bound_lanes, below - first);
  for (std::size_t lane = 0; lane < lanes; ++lane) use(bounds[lane], first + lane);
}

bool QueryBounds::may_take(std::size_t place) const {
  return !std::binary_search(taken_.begin(), taken_.end(), place) &&
         (!allowed_ || allowed_(order_[place]));
}

std::vector<Candidate> QueryBounds::take_smallest(std::size_t count) {
  // A dearer look chooses from more: a better first radius is worth it.
  const std::size_t wide = sharpens() ? 4 * std::min(count, order_.size()) : count;
  std::vector<Candidate> smallest;  // a heap
  const auto is_of_use = [&](float bound) {
    return smallest.size() < wide || bound < smallest.front().bound;
  };
  const auto add = [&](float bound, std::size_t place) {
    if (!is_of_use(bound) || !may_take(place)) return;
    if (smallest.size() == wide) {
      std::pop_heap(smallest.begin(), smallest.end());
      smallest.pop_back();
    }
    smallest.push_back({bound, order_[place], place});
    std::push_heap(smallest.begin(), smallest.end());
  };
  std::priority_queue<Node, std::vector<Node>, std::greater<>> nodes;
  nodes.push({-unbounded, nodes_.size() - 1, 0});
  while (wide > 0 && !nodes.empty() && is_of_use(nodes.top().bound)) {
    const Node next = nodes.top();
    nodes.pop();
    for_each_lane(next.level, next.node, [&](float bound, std::size_t i) {
      if (next.level == 0)
        add(bound, i);
      else if (is_of_use(bound))
        nodes.push({bound, next.level - 1, i});
    });
  }
  sharpen(smallest);
  std::sort(smallest.begin(), smallest.end());
  smallest.resize(std::min(count, smallest.size()));
  for (const Candidate& c : smallest) taken_.push_back(c.place);
  std::sort(taken_.begin(), taken_.end());
  return smallest;
}

void QueryBounds::add_within(float limit, std::size_t level, std::size_t node,
                             std::vector<Candidate>& found) const {
  for_each_lane(level, node, [&](float bound, std::size_t i) {
    if (bound > limit) return;
    if (level > 0)
      add_within(limit, level - 1, i, found);
    else if (may_take(i))
      found.push_back({bound, order_[i], i});
  });
}

std::vector<Candidate> QueryBounds::take_within(float limit) {
  std::vector<Candidate> found;
  add_within(limit, nodes_.size() - 1, 0, found);
  sharpen(found);
  std::erase_if(found, [&](const Candidate& c) { return c.bound > limit; });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tsmini
