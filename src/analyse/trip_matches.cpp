#include "analyse/trip_matches.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "analyse/piece_table.h"
#include "measure/naive.h"

namespace tsmini {

bool better(const PieceMatch& a, const PieceMatch& b) {
  return std::tie(a.distance, a.trip, a.last, b.first) <
         std::tie(b.distance, b.trip, b.last, a.first);
}

TripMatches::TripMatches(const Request& request, const PlanarSet& trips, std::size_t trip,
                         double radius, Pulse& pulse)
    : request_(request), trip_(trip), points_(trips[trip]), radius_(radius), pulse_(pulse) {
  measure_path();
  bound_ends();
}

void TripMatches::measure_path() {
  path_.assign(points_.size(), 0);
  for (std::size_t i = 1; i < points_.size(); ++i) {
    path_[i] = path_[i - 1] + point_distance(points_[i - 1], points_[i]);
  }
}

void TripMatches::bound_ends() {
  PieceTable table(request_.measure, request_.piece);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    table.add(points_[i], i);
    pulse_.work(request_.piece.size());
    if (table.distance() <= radius_) ends_.push_back({table.distance(), i, table.first()});
  }
  std::make_heap(ends_.begin(), ends_.end());
}

std::optional<PieceMatch> TripMatches::next() {
  while (!ends_.empty()) {
    const End end = pop();
    const auto starts = starts_for(end.last);
    if (!starts) continue;
    if (end.first < starts->earliest || end.first > starts->latest) {
      push(best_of(*starts, end.last));
      continue;
    }
    const std::size_t first = latest_start(end, starts->latest);
    chosen_[first] = end.last;
    return PieceMatch{trip_, first, end.last, end.distance, path_[end.last] - path_[first]};
  }
  return std::nullopt;
}

// The starts behind the match chosen before this end that give an allowed length, which falls as
// starts rise.
std::optional<TripMatches::Starts> TripMatches::starts_for(std::size_t last) const {
  std::size_t free = 0;
  if (const auto after = chosen_.upper_bound(last); after != chosen_.begin()) {
    free = std::prev(after)->second + 1;
  }
  if (free > last) return std::nullopt;
  const auto at = [&](std::size_t i) { return path_.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto earliest = std::partition_point(at(free), at(last + 1), [&](double before) {
    return path_[last] - before > request_.options.max_length;
  });
  const auto end = std::partition_point(earliest, at(last + 1), [&](double before) {
    return path_[last] - before >= request_.options.min_length;
  });
  if (earliest == end) return std::nullopt;
  const auto number = [&](auto place) { return static_cast<std::size_t>(place - path_.begin()); };
  return Starts{number(earliest), number(end) - 1};
}

TripMatches::End TripMatches::best_of(const Starts& starts, std::size_t last) {
  PieceTable table(request_.measure, request_.piece);
  for (std::size_t i = starts.earliest; i <= last; ++i) {
    table.add(points_[i], i, i <= starts.latest);
    pulse_.work(request_.piece.size());
  }
  return {table.distance(), last, table.first()};
}

void TripMatches::push(const End& end) {
  if (end.distance > radius_) return;
  ends_.push_back(end);
  std::push_heap(ends_.begin(), ends_.end());
}

TripMatches::End TripMatches::pop() {
  std::pop_heap(ends_.begin(), ends_.end());
  const End end = ends_.back();
  ends_.pop_back();
  return end;
}

std::size_t TripMatches::latest_start(const End& end, std::size_t latest) {
  const std::vector<Planar> backwards(request_.piece.rbegin(), request_.piece.rend());
  PieceTable table(request_.measure, backwards);
  for (std::size_t i = end.last; i > end.first; --i) {
    table.add(points_[i], i, i == end.last);
    pulse_.work(backwards.size());
    // Both sums, with at most so many terms, err by half an epsilon a term.
    const auto terms = static_cast<double>(backwards.size() + end.last - i + 1);
    const double slack = 1 + 2 * terms * std::numeric_limits<double>::epsilon();
    if (i <= latest && table.distance() <= end.distance * slack && is_start(i, end)) return i;
  }
  return end.first;
}

bool TripMatches::is_start(std::size_t first, const End& end) const {
  const auto points = points_.subspan(first, end.last - first + 1);
  return distance(request_.measure, request_.piece, points, {}, pulse_.heartbeat()) == end.distance;
}

}  // namespace tsmini
