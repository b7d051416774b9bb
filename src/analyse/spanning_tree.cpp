#include "analyse/spanning_tree.h"

#include <algorithm>
#include <limits>

#include "analyse/on_all_cores.h"
#include "analyse/options.h"

namespace tsmini {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Neighbours that are remembered of each trip, at least: they spare searches.
constexpr std::size_t least_row = 8;

std::size_t row_length(const DistinctTrips& distinct, std::size_t min_points) {
  const std::size_t length = std::min(std::max(min_points - 1, least_row), distinct.size() - 1);
  check_neighbours(length, distinct.size());
  return length;
}

}  // namespace

// Borůvka: every part of the tree seeks its nearest trip outside, and is joined with it, until
// there is one part. A trip asks its known neighbours first. It searches outside its part, no
// farther than what the part knows, only where there could be something: what a search has found to
// be clear stays clear, as parts only grow. The largest part, where searching is dearest, waits for
// the others to join it.

SpanningTree::SpanningTree(const DistinctTrips& distinct, std::size_t min_points)
    : distinct_(distinct),
      min_points_(min_points),
      row_(row_length(distinct, min_points)),
      near_(distinct.size() * row_),
      near_distances_(distinct.size() * row_),
      core_(distinct.size(), infinity),
      clear_(distinct.size(), infinity),
      parts_(distinct.size()) {}

void SpanningTree::grow(const Heartbeat& heartbeat) {
  find_core_distances(heartbeat);
  while (joins_.size() + 1 < distinct_.size()) {
    std::vector<WayOut> ways(distinct_.size());
    for (WayOut& way : ways) way.distance = infinity;
    ask_neighbours(ways);
    const std::size_t largest = largest_part();
    search(ways, largest, heartbeat);
    ways[largest].distance = infinity;  // what its trips know of need not be the best
    heartbeat.advance(join_parts(ways));
  }
}

void SpanningTree::find_core_distances(const Heartbeat& heartbeat) {
  work_ += on_all_cores(distinct_.size(), [&](std::size_t i, SearchWork& work) {
    std::size_t points = distinct_.copies(i).size(), at = i * row_;
    if (points >= min_points_) core_[i] = 0;
    for (const Neighbour& n : distinct_.nearest(i, row_, work, heartbeat)) {
      near_[at] = static_cast<std::uint32_t>(n.index);
      near_distances_[at++] = n.distance;
      if (points >= min_points_) continue;
      points += distinct_.copies(n.index).size();
      if (points >= min_points_) core_[i] = n.distance;
    }
    if (row_ > 0) clear_[i] = near_distances_[at - 1];
    heartbeat.advance(1);
  });
}

std::size_t SpanningTree::largest_part() const {
  std::vector<std::size_t> sizes(distinct_.size());
  for (std::size_t i = 0; i < distinct_.size(); ++i) ++sizes[parts_.find(i)];
  return static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
}

void SpanningTree::improve(WayOut& way, const Join& join) {
  if (join.distance >= way.distance) return;
  const std::lock_guard lock(improving_);
  if (join.distance >= way.distance) return;
  way.join = join;
  way.distance = join.distance;
}

void SpanningTree::ask_neighbours(std::vector<WayOut>& ways) const {
  for (std::size_t i = 0; i < distinct_.size(); ++i) {
    const std::uint32_t part = parts_.find(i);
    WayOut& way = ways[part];
    for (std::size_t at = i * row_; at < (i + 1) * row_; ++at) {
      const std::uint32_t j = near_[at];
      const double distance = std::max({core_[i], core_[j], near_distances_[at]});
      if (distance >= way.distance || parts_.find(j) == part) continue;
      way.join = {distance, static_cast<std::uint32_t>(i), j};
      way.distance = distance;
    }
  }
}

void SpanningTree::search(std::vector<WayOut>& ways, std::size_t largest,
                          const Heartbeat& heartbeat) {
  work_ += on_all_cores(distinct_.size(), [&](std::size_t i, SearchWork& work) {
    const std::uint32_t part = parts_.find(i);
    if (part != largest) seek_outside(i, ways[part], work, heartbeat);
  });
}

// The nearest by distance may be joined far away for its core distance, and another be better: each
// search leaves out what could not be.
void SpanningTree::seek_outside(std::size_t trip, WayOut& way, SearchWork& work,
                                const Heartbeat& heartbeat) {
  const std::uint32_t part = parts_.find(trip);
  double limit = way.distance;
  while (std::max(core_[trip], clear_[trip]) < limit) {
    const auto better = [&](std::size_t j) { return core_[j] < limit && parts_.find(j) != part; };
    const auto found = distinct_.nearest_within(trip, limit, 1, better, work, heartbeat);
    if (found.empty()) {
      clear_[trip] = limit;
      return;
    }
    const auto [j, apart] = found.front();
    const double distance = std::max({core_[trip], core_[j], apart});
    improve(way, {distance, static_cast<std::uint32_t>(trip), static_cast<std::uint32_t>(j)});
    clear_[trip] = std::max(core_[trip], apart);  // what is nearer is inside
    limit = std::min<double>(distance, way.distance);
  }
}

std::size_t SpanningTree::join_parts(const std::vector<WayOut>& ways) {
  const std::size_t before = joins_.size();
  for (const WayOut& way : ways) {
    if (way.distance == infinity) continue;
    if (parts_.unite(way.join.a, way.join.b)) joins_.push_back(way.join);
  }
  return joins_.size() - before;
}

}  // namespace tsmini
