#include "tsmini/join.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <tbb/combinable.h>

#include "analyse/copied_neighbours.h"
#include "analyse/distinct_trips.h"
#include "analyse/options.h"
#include "base/in_order.h"

namespace tsmini {
namespace {

using Answer = std::vector<Neighbour>;

// What a trip of A finds among the trips of B that it is allowed.
class RuledSearch {
 public:
  using Rule = std::function<bool(std::size_t trip)>;

  RuledSearch(const DistinctTrips& base, std::span<const Planar> query, Rule allowed,
              SearchWork& work, const Heartbeat& heartbeat)
      : base_(base),
        query_(query),
        allowed_(std::move(allowed)),
        work_(work),
        heartbeat_(heartbeat) {}

  // The nearest k within the radius; for a k of 0 all.
  Answer nearest_within(double radius, std::size_t k) const {
    Answer near = distinct(radius, k);
    // Among equally near ones the search takes those whose first copies come first. Where such a
    // copy is not allowed, its place is with the next, behind others that were left out.
    if (k > 0 && near.size() == k && is_last_displaced(near)) {
      near = distinct(near.back().distance, 0);
    }
    return with_copies(base_, near, k > 0 ? k : base_.with_distance(), allowed_);
  }

 private:
  Answer distinct(double radius, std::size_t k) const {
    Rule any_copy;
    if (allowed_) {
      any_copy = [this](std::size_t number) {
        const auto copies = base_.copies(number);
        return std::any_of(copies.begin(), copies.end(),
                           [this](std::uint32_t trip) { return allowed_(trip); });
      };
    }
    return base_.nearest_within(query_, radius, k, std::move(any_copy), work_, heartbeat_);
  }

  bool is_last_displaced(const Answer& near) const {
    return allowed_ && std::any_of(near.rbegin(), near.rend(), [&](const Neighbour& n) {
             return n.distance == near.back().distance && !allowed_(base_.first(n.index));
           });
  }

  const DistinctTrips& base_;
  std::span<const Planar> query_;
  Rule allowed_;
  SearchWork& work_;
  const Heartbeat& heartbeat_;
};

SearchWork join(const PlanarSet& a, const PlanarSet& b, Measure measure,
                const MeasureSettings& settings, double radius, std::size_t k, const JoinSink& sink,
                const JoinRule& allowed, const Progress& progress) {
  const DistinctTrips base(b, measure, settings);
  const Heartbeat heartbeat(progress, a.size());
  tbb::combinable<SearchWork> works;
  in_order<Answer>(
      a.size(),
      [&](std::size_t i) {
        if (!is_defined(measure, a.length(i))) return Answer();
        RuledSearch::Rule of_trip;
        if (allowed) of_trip = [&allowed, i](std::size_t trip) { return allowed(i, trip); };
        return RuledSearch(base, a[i], std::move(of_trip), works.local(), heartbeat)
            .nearest_within(radius, k);
      },
      [&](std::size_t i, const Answer& answer) {
        sink(i, answer);
        heartbeat.advance(1);
      });
  SearchWork all;
  works.combine_each([&](const SearchWork& work) { all += work; });
  return all;
}

}  // namespace

SearchWork join_nearest(const PlanarSet& a, const PlanarSet& b, Measure measure,
                        const MeasureSettings& settings, std::size_t k, const JoinSink& sink,
                        const JoinRule& allowed, const Progress& progress) {
  check_at_least(k, 1, "k", "a number of neighbours of");
  return join(a, b, measure, settings, std::numeric_limits<double>::infinity(), k, sink, allowed,
              progress);
}

SearchWork join_within(const PlanarSet& a, const PlanarSet& b, Measure measure,
                       const MeasureSettings& settings, double radius, const JoinSink& sink,
                       const JoinRule& allowed, const Progress& progress) {
  check_radius(radius);
  return join(a, b, measure, settings, radius, 0, sink, allowed, progress);
}

}  // namespace tsmini
