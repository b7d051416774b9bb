#include "analyse/distinct_trips.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include "base/random.h"

namespace tsmini {
namespace {

// Equal points have equal ones: 0 is -0.
std::uint64_t mark_of(std::span<const Planar> points) {
  std::uint64_t mark = points.size();
  for (const Planar& p : points) {
    mark = Random::mix(mark ^ std::bit_cast<std::uint64_t>(p.x + 0.0)) + 0x9e3779b97f4a7c15u;
    mark = Random::mix(mark ^ std::bit_cast<std::uint64_t>(p.y + 0.0)) + 0x9e3779b97f4a7c15u;
  }
  return mark;
}

bool are_equal(std::span<const Planar> a, std::span<const Planar> b) {
  const auto equal = [](const Planar& p, const Planar& q) { return p.x == q.x && p.y == q.y; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
}

using Marked = std::pair<std::uint64_t, std::uint32_t>;  // of the points, and whose it is

std::vector<Marked> marked(const PlanarSet& trips, Measure measure) {
  std::vector<Marked> marks;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    if (is_defined(measure, trips.length(i))) marks.emplace_back(0, static_cast<std::uint32_t>(i));
  }
  tbb::parallel_for(std::size_t{0}, marks.size(),
                    [&](std::size_t i) { marks[i].first = mark_of(trips[marks[i].second]); });
  tbb::parallel_sort(marks.begin(), marks.end());
  return marks;
}

// For each trip the first that is equal to it, itself where there is none before.
std::vector<std::uint32_t> first_equals(const PlanarSet& trips, Measure measure) {
  std::vector<std::uint32_t> firsts(trips.size(), DistinctTrips::none);
  const std::vector<Marked> marks = marked(trips, measure);
  std::vector<std::uint32_t> alike;  // distinct trips of one mark, nearly always one
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const std::uint32_t trip = marks[i].second;
    if (i == 0 || marks[i].first != marks[i - 1].first) alike.clear();
    const auto same = std::find_if(alike.begin(), alike.end(), [&](std::uint32_t other) {
      return are_equal(trips[other], trips[trip]);
    });
    firsts[trip] = same == alike.end() ? trip : *same;
    if (same == alike.end()) alike.push_back(trip);
  }
  return firsts;
}

}  // namespace

DistinctTrips::DistinctTrips(const PlanarSet& trips, Measure measure,
                             const MeasureSettings& settings)
    : set_(trips) {
  check_settings(measure, settings);
  number(trips, measure);
  if (size() < trips.size()) {
    std::vector<int> firsts(size());
    for (std::size_t i = 0; i < size(); ++i) firsts[i] = static_cast<int>(first(i));
    set_ = trips.subset(firsts);
  }
  if (size() > 0) search_.emplace(measure, set_, settings);
}

void DistinctTrips::number(const PlanarSet& trips, Measure measure) {
  numbers_ = first_equals(trips, measure);
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    if (numbers_[i] == none) continue;
    if (numbers_[i] == i) {
      numbers_[i] = static_cast<std::uint32_t>(counts.size());
      counts.push_back(0);
    } else {
      numbers_[i] = numbers_[numbers_[i]];  // the first is numbered by now
    }
    ++counts[numbers_[i]];
  }
  offsets_.assign(1, 0);
  for (const std::uint64_t count : counts) offsets_.push_back(offsets_.back() + count);
  copies_.resize(offsets_.back());
  std::vector<std::uint64_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    if (numbers_[i] != none) copies_[next[numbers_[i]]++] = static_cast<std::uint32_t>(i);
  }
}

std::vector<Neighbour> DistinctTrips::nearest(std::size_t number, std::size_t k, SearchWork& work,
                                              const Heartbeat& heartbeat) const {
  return search_->nearest(set_[number], std::min(k, size() - 1), number, &work, heartbeat);
}

std::vector<Neighbour> DistinctTrips::nearest_within(std::size_t number, double radius,
                                                     std::size_t k,
                                                     std::function<bool(std::size_t)> allowed,
                                                     SearchWork& work,
                                                     const Heartbeat& heartbeat) const {
  return search_->nearest_within(set_[number], radius, k, {.allowed = std::move(allowed)}, &work,
                                 heartbeat);
}

std::vector<Neighbour> DistinctTrips::nearest_within(std::span<const Planar> query, double radius,
                                                     std::size_t k,
                                                     std::function<bool(std::size_t)> allowed,
                                                     SearchWork& work,
                                                     const Heartbeat& heartbeat) const {
  if (!search_) return {};
  return search_->nearest_within(query, radius, k, {.allowed = std::move(allowed)}, &work,
                                 heartbeat);
}

std::vector<Neighbour> DistinctTrips::some_within(std::size_t number, double radius, std::size_t k,
                                                  SearchWork& work,
                                                  const Heartbeat& heartbeat) const {
  const auto others = [number](std::size_t i) { return i != number; };
  return search_->some_within(set_[number], radius, k, {.allowed = others}, &work, heartbeat);
}

}  // namespace tsmini
