#include "data/clean.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geo/ground_distance.h"

namespace tsmini {
namespace {

double distance_between(const Position& a, const Position& b, bool planar) {
  return planar ? std::hypot(a.lon - b.lon, a.lat - b.lat) : ground_distance(a, b);
}

double length_of(std::span<const Position> points, bool planar) {
  double length = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    length += distance_between(points[i - 1], points[i], planar);
  }
  return length;
}

// Exact for any two times.
std::uint64_t elapsed(std::int64_t from, std::int64_t to) {
  const auto a = static_cast<std::uint64_t>(from), b = static_cast<std::uint64_t>(to);
  return from <= to ? b - a : a - b;
}

// Keeps the marked points at the front, in order.
std::size_t compact(const TrackPoints& track, const std::vector<char>& keep) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < track.size(); ++i) {
    if (keep[i] != 0) track.move(i, kept++);
  }
  return kept;
}

template <class T>
void permute(std::span<T> values, const std::vector<std::size_t>& order) {
  if (values.empty()) return;
  const std::vector<T> old(values.begin(), values.end());
  for (std::size_t i = 0; i < order.size(); ++i) values[i] = old[order[i]];
}

void sort_points(const TrackPoints& track) {
  std::vector<std::size_t> order(track.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return track.times[a] < track.times[b]; });
  permute(track.points, order);
  permute(track.times, order);
  permute(track.rows, order);
}

std::size_t remove_duplicates(const TrackPoints& track) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < track.size(); ++i) {
    if (kept > 0 && track.points[i] == track.points[kept - 1]) continue;
    track.move(i, kept++);
  }
  return kept;
}

// Starts from the longest run in which every step is slow enough, and walks outwards from it: so a
// glitch is removed wherever it stands, also at the very beginning.
std::size_t remove_fast(const TrackPoints& track, double limit, bool planar) {
  const std::span<const Position> points = track.points;
  const std::span<const std::int64_t> times = track.times;
  const auto slow_enough = [&](std::size_t a, std::size_t b) {
    const double seconds = std::max(1.0, static_cast<double>(elapsed(times[a], times[b])));
    return distance_between(points[a], points[b], planar) <= limit * seconds;
  };
  Stretch longest;
  for (std::size_t begin = 0; begin < points.size();) {
    std::size_t end = begin + 1;
    while (end < points.size() && slow_enough(end - 1, end)) ++end;
    if (end - begin > longest.end - longest.begin) longest = {begin, end};
    begin = end;
  }
  std::vector<char> keep(points.size(), 0);
  std::fill(keep.begin() + static_cast<std::ptrdiff_t>(longest.begin),
            keep.begin() + static_cast<std::ptrdiff_t>(longest.end), char{1});
  std::size_t last = longest.end - 1;
  for (std::size_t i = longest.end; i < points.size(); ++i) {
    if (!slow_enough(last, i)) continue;
    keep[i] = 1;
    last = i;
  }
  last = longest.begin;
  for (std::size_t i = longest.begin; i-- > 0;) {
    if (!slow_enough(last, i)) continue;
    keep[i] = 1;
    last = i;
  }
  return compact(track, keep);
}

std::size_t thin(const TrackPoints& track, std::uint64_t seconds) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < track.size(); ++i) {
    if (kept > 0 && elapsed(track.times[kept - 1], track.times[i]) < seconds) continue;
    track.move(i, kept++);
  }
  return kept;
}

// The stay that begins at `begin`: its last point, or `begin` itself where there is none.
std::size_t stay_end(std::span<const Position> points, std::span<const std::int64_t> times,
                     std::size_t begin, const CutOptions::Stay& stay, bool planar) {
  std::size_t end = begin;
  while (end + 1 < points.size() &&
         distance_between(points[begin], points[end + 1], planar) <= stay.metres) {
    ++end;
  }
  const auto least = static_cast<std::uint64_t>(stay.seconds);
  return elapsed(times[begin], times[end]) >= least ? end : begin;
}

std::vector<Stretch> cut_at_stays(std::span<const Position> points,
                                  std::span<const std::int64_t> times, const Stretch& piece,
                                  const CutOptions::Stay& stay, bool planar) {
  std::vector<Stretch> result;
  std::size_t begin = piece.begin;
  for (std::size_t i = piece.begin; i < piece.end;) {
    const std::size_t end = stay_end(points.first(piece.end), times, i, stay, planar);
    if (end == i) {
      ++i;
      continue;
    }
    if (i > begin) result.push_back({begin, i + 1});  // up to the moment it came to rest
    begin = i = end;                                  // from the moment it left again
    if (end + 1 == piece.end) return result;
    ++i;
  }
  result.push_back({begin, piece.end});
  return result;
}

}  // namespace

TrackPoints TrackPoints::part(const Stretch& stretch) const {
  const std::size_t count = stretch.end - stretch.begin;
  TrackPoints result{points.subspan(stretch.begin, count), {}, {}};
  if (!times.empty()) result.times = times.subspan(stretch.begin, count);
  if (!rows.empty()) result.rows = rows.subspan(stretch.begin, count);
  return result;
}

Order put_in_order(const TrackPoints& track, bool sort_by_time) {
  if (!find_disorder(track.times)) return Order::in_time;
  if (std::is_sorted(track.times.rbegin(), track.times.rend())) {
    std::reverse(track.points.begin(), track.points.end());
    std::reverse(track.times.begin(), track.times.end());
    std::reverse(track.rows.begin(), track.rows.end());
    return Order::reversed;
  }
  if (!sort_by_time) return Order::broken;
  sort_points(track);
  return Order::sorted;
}

TrackPoints clean_points(TrackPoints track, const CleanOptions& options, bool planar,
                         CleanCounts& counts) {
  const auto shrink = [&](std::size_t left, std::uint64_t& removed) {
    removed += track.size() - left;
    track = track.part({0, left});
  };
  if (!options.keep_duplicates) shrink(remove_duplicates(track), counts.duplicates);
  if (options.max_speed && !track.times.empty()) {
    shrink(remove_fast(track, *options.max_speed, planar), counts.fast);
  }
  if (options.thin && !track.times.empty()) {
    shrink(thin(track, static_cast<std::uint64_t>(*options.thin)), counts.thinned);
  }
  return track;
}

std::vector<Stretch> cut_points(std::span<const Position> points,
                                std::span<const std::int64_t> times, const CutOptions& options,
                                bool planar) {
  std::vector<Stretch> pieces{{0, points.size()}};
  const auto refine = [&](const auto& cut) {
    std::vector<Stretch> finer;
    for (const Stretch& piece : pieces) cut(piece, finer);
    pieces = std::move(finer);
  };
  if (options.gap && !times.empty()) {
    const auto longest = static_cast<std::uint64_t>(*options.gap);
    refine([&](const Stretch& piece, std::vector<Stretch>& finer) {
      std::size_t begin = piece.begin;
      for (std::size_t i = piece.begin + 1; i < piece.end; ++i) {
        if (elapsed(times[i - 1], times[i]) <= longest) continue;
        finer.push_back({begin, i});
        begin = i;
      }
      finer.push_back({begin, piece.end});
    });
  }
  if (options.stay && !times.empty()) {
    refine([&](const Stretch& piece, std::vector<Stretch>& finer) {
      const auto moves = cut_at_stays(points, times, piece, *options.stay, planar);
      finer.insert(finer.end(), moves.begin(), moves.end());
    });
  }
  if (options.length) {
    refine([&](const Stretch& piece, std::vector<Stretch>& finer) {
      for (std::size_t begin = piece.begin; begin < piece.end;) {
        const std::size_t end = begin + std::min(*options.length, piece.end - begin);
        finer.push_back({begin, end});
        begin = end;
      }
    });
  }
  return pieces;
}

std::optional<Drop> reason_to_drop(std::span<const Position> points,
                                   std::span<const std::int64_t> times, const CleanOptions& options,
                                   bool planar) {
  if (points.empty()) return Drop::empty;
  if (points.size() < options.min_points) return Drop::too_short;
  if (points.size() > options.max_points) return Drop::too_long;
  if (options.bbox && !std::all_of(points.begin(), points.end(),
                                   [&](const Position& p) { return options.bbox->contains(p); })) {
    return Drop::outside_box;
  }
  if (options.min_length && length_of(points, planar) < *options.min_length)
    return Drop::below_min_length;
  if (options.min_duration) {
    if (times.empty()) return Drop::untimed;
    const auto least = static_cast<std::uint64_t>(*options.min_duration);
    if (elapsed(times.front(), times.back()) < least) return Drop::below_min_duration;
  }
  return std::nullopt;
}

std::optional<std::size_t> find_disorder(std::span<const std::int64_t> times) {
  const auto found = std::is_sorted_until(times.begin(), times.end());
  if (found == times.end()) return std::nullopt;
  return static_cast<std::size_t>(found - times.begin());
}

}  // namespace tsmini
