#include "tsmini/duplicates.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "analyse/disjoint_sets.h"
#include "analyse/distinct_trips.h"
#include "analyse/on_all_cores.h"
#include "analyse/options.h"

namespace tsmini {
namespace {

// For each distinct trip the one that it is dropped for, itself where it is kept, and how far that
// is.
using Decisions = std::vector<Neighbour>;

// Distinct trips by falling number of points, ties to the lower.
std::vector<std::uint32_t> longest_first(const DistinctTrips& distinct) {
  std::vector<std::uint32_t> order(distinct.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return distinct[a].size() > distinct[b].size();
  });
  return order;
}

// Trips take turns, many at a time: these search on all cores, in their order, among those that are
// open still, and of two in one turn the former may drop the latter, whose search was then in vain.
// So a turn ends when there are some thousand answers: who has not begun by then waits for the next
// one, and however many are alike, memory is that of one search a core.
class ByCentre {
 public:
  ByCentre(const DistinctTrips& distinct, double radius)
      : distinct_(distinct),
        radius_(radius),
        order_(longest_first(distinct)),
        ranks_(distinct.size()),
        decisions_(distinct.size(), {open, 0}) {
    for (std::size_t rank = 0; rank < order_.size(); ++rank) ranks_[order_[rank]] = rank;
  }

  Decisions decide(const Heartbeat& heartbeat, SearchWork& work) {
    for (auto turn = next_turn(); !turn.empty(); turn = next_turn()) {
      const auto near = search(turn, heartbeat, work);
      std::size_t decided = 0;
      for (std::size_t i = 0; i < near.size(); ++i) decided += keep(turn[i], near[i]);
      if (near.size() < turn.size()) next_ = ranks_[turn[near.size()]];
      heartbeat.advance(decided);
    }
    return std::move(decisions_);
  }

 private:
  static constexpr std::size_t open = ExactSearch::nothing;

  bool is_open(std::size_t i) const { return decisions_[i].index == open; }

  std::vector<std::uint32_t> next_turn() {
    constexpr std::size_t most = 4096;
    std::vector<std::uint32_t> turn;
    for (; turn.size() < most && next_ < order_.size(); ++next_) {
      if (is_open(order_[next_])) turn.push_back(order_[next_]);
    }
    return turn;
  }

  // What is near the first of a turn: at least of one, and of so many that answers remain few.
  std::vector<std::vector<Neighbour>> search(std::span<const std::uint32_t> turn,
                                             const Heartbeat& heartbeat, SearchWork& work) const {
    constexpr std::size_t enough = 4096;
    std::vector<std::vector<Neighbour>> near(turn.size());
    std::atomic<std::size_t> begun = 0, answers = 0;
    work += on_all_cores(turn.size(), [&](std::size_t, SearchWork& own) {
      if (answers > enough) return;
      const std::size_t i = begun++;  // not the core's own part: those before have begun too
      near[i] = still_open(turn[i], own, heartbeat);
      answers += near[i].size();
    });
    near.resize(begun);
    return near;
  }

  std::vector<Neighbour> still_open(std::size_t i, SearchWork& work,
                                    const Heartbeat& heartbeat) const {
    return distinct_.nearest_within(
        i, radius_, 0, [&](std::size_t j) { return is_open(j) && ranks_[j] > ranks_[i]; }, work,
        heartbeat);
  }

  // Keeps it, unless it was dropped meanwhile: how many are decided by that.
  std::size_t keep(std::size_t i, std::span<const Neighbour> near) {
    if (!is_open(i)) return 0;
    decisions_[i] = {i, 0};
    std::size_t decided = 1;
    for (const Neighbour& n : near) {
      if (!is_open(n.index)) continue;
      decisions_[n.index] = {i, n.distance};
      ++decided;
    }
    return decided;
  }

  const DistinctTrips& distinct_;
  double radius_;
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> ranks_;
  Decisions decisions_;
  std::size_t next_ = 0;
};

// Each pair is looked for by its lower one, unless others have joined the two already.
Decisions connected(const NeighbourSearch& search, double radius, const Heartbeat& heartbeat,
                    SearchWork& work) {
  const DistinctTrips& distinct = search.distinct();
  DisjointSets sets(distinct.size());
  work += on_all_cores(distinct.size(), [&](std::size_t i, SearchWork& own) {
    const auto apart = [&](std::size_t j) { return j > i && !sets.are_one(i, j); };
    for (const Neighbour& n : distinct.nearest_within(i, radius, 0, apart, own, heartbeat)) {
      sets.unite(i, n.index);
    }
    heartbeat.advance(1);
  });
  std::vector<std::uint32_t> kept(distinct.size(), DistinctTrips::none);  // of each set
  for (const std::uint32_t i : longest_first(distinct)) {
    std::uint32_t& best = kept[sets.find(i)];
    if (best == DistinctTrips::none) best = i;
  }
  Decisions decisions(distinct.size());
  on_all_cores(distinct.size(), [&](std::size_t i, SearchWork&) {
    const std::uint32_t centre = kept[sets.find(i)];
    decisions[i] = {centre, i == centre ? 0
                                        : distance(search.measure(), distinct[centre], distinct[i],
                                                   search.settings(), heartbeat)};
  });
  return decisions;
}

std::vector<DuplicateGroup> groups_of(const DistinctTrips& distinct, const Decisions& decisions) {
  std::vector<DuplicateGroup> groups(distinct.size());
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    DuplicateGroup& group = groups[decisions[i].index];
    group.kept = distinct.first(decisions[i].index);
    for (const std::uint32_t trip : distinct.copies(i)) {
      if (trip != group.kept) group.dropped.push_back({trip, decisions[i].distance});
    }
  }
  std::erase_if(groups, [](const DuplicateGroup& group) { return group.dropped.empty(); });
  for (DuplicateGroup& group : groups) {
    std::sort(group.dropped.begin(), group.dropped.end(),
              [](const Neighbour& a, const Neighbour& b) { return a.index < b.index; });
  }
  std::sort(groups.begin(), groups.end(), [](const DuplicateGroup& a, const DuplicateGroup& b) {
    return a.dropped.size() > b.dropped.size() ||
           (a.dropped.size() == b.dropped.size() && a.kept < b.kept);
  });
  return groups;
}

}  // namespace

DuplicateGroups find_duplicates(const NeighbourSearch& search, const DuplicateOptions& options,
                                const Progress& progress) {
  check_radius(options.radius);
  const DistinctTrips& distinct = search.distinct();
  const Heartbeat heartbeat(progress, distinct.size());
  DuplicateGroups found;
  const Decisions decisions =
      options.grouping == DuplicateGrouping::connected
          ? connected(search, options.radius, heartbeat, found.work)
          : ByCentre(distinct, options.radius).decide(heartbeat, found.work);
  found.groups = groups_of(distinct, decisions);
  for (const DuplicateGroup& group : found.groups) found.dropped += group.dropped.size();
  return found;
}

std::vector<std::size_t> without_dropped(const DuplicateGroups& duplicates, std::size_t trips) {
  std::vector<bool> dropped(trips);
  for (const DuplicateGroup& group : duplicates.groups) {
    for (const Neighbour& n : group.dropped) dropped[n.index] = true;
  }
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < trips; ++i) {
    if (!dropped[i]) left.push_back(i);
  }
  return left;
}

}  // namespace tsmini
