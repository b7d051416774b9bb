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

// Exact for any two times.
std::uint64_t elapsed(std::int64_t from, std::int64_t to) {
  const auto a = static_cast<std::uint64_t>(from), b = static_cast<std::uint64_t>(to);
  return from <= to ? b - a : a - b;
}

// Keeps the marked points at the front, in order.
std::size_t compact(std::span<Position> points, std::span<std::int64_t> times,
                    const std::vector<char>& keep) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (keep[i] == 0) continue;
    points[kept] = points[i];
    if (!times.empty()) times[kept] = times[i];
    ++kept;
  }
  return kept;
}

void sort_by_time(std::span<Position> points, std::span<std::int64_t> times) {
  if (std::is_sorted(times.begin(), times.end())) return;
  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
  const std::vector<Position> old_points(points.begin(), points.end());
  const std::vector<std::int64_t> old_times(times.begin(), times.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    points[i] = old_points[order[i]];
    times[i] = old_times[order[i]];
  }
}

std::size_t remove_duplicates(std::span<Position> points, std::span<std::int64_t> times) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (kept > 0 && points[i] == points[kept - 1]) continue;
    points[kept] = points[i];
    if (!times.empty()) times[kept] = times[i];
    ++kept;
  }
  return kept;
}

// Starts from the longest run in which every step is slow enough, and walks outwards from it: so a
// glitch is removed wherever it stands, also at the very beginning.
std::size_t remove_fast(std::span<Position> points, std::span<std::int64_t> times, double limit,
                        bool planar) {
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
  return compact(points, times, keep);
}

std::size_t thin(std::span<Position> points, std::span<std::int64_t> times, std::uint64_t seconds) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (kept > 0 && elapsed(times[kept - 1], times[i]) < seconds) continue;
    points[kept] = points[i];
    times[kept] = times[i];
    ++kept;
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

std::size_t clean_points(std::span<Position> points, std::span<std::int64_t> times,
                         const CleanOptions& options, bool planar, CleanCounts& counts) {
  const auto shrink = [&](std::size_t left, std::uint64_t& removed) {
    removed += points.size() - left;
    points = points.first(left);
    if (!times.empty()) times = times.first(left);
  };
  if (options.sort_by_time) sort_by_time(points, times);
  if (!options.keep_duplicates) shrink(remove_duplicates(points, times), counts.duplicates);
  if (options.max_speed && !times.empty()) {
    shrink(remove_fast(points, times, *options.max_speed, planar), counts.fast);
  }
  if (options.thin && !times.empty()) {
    const auto seconds = static_cast<std::uint64_t>(*options.thin);
    shrink(thin(points, times, seconds), counts.thinned);
  }
  return points.size();
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

std::optional<Drop> reason_to_drop(std::span<const Position> piece, const CleanOptions& options) {
  if (piece.empty()) return Drop::empty;
  if (piece.size() < options.min_points) return Drop::too_short;
  if (piece.size() > options.max_points) return Drop::too_long;
  if (options.bbox && !std::all_of(piece.begin(), piece.end(),
                                   [&](const Position& p) { return options.bbox->contains(p); })) {
    return Drop::outside_box;
  }
  return std::nullopt;
}

std::optional<std::size_t> find_disorder(std::span<const std::int64_t> times) {
  const auto found = std::is_sorted_until(times.begin(), times.end());
  if (found == times.end()) return std::nullopt;
  return static_cast<std::size_t>(found - times.begin());
}

}  // namespace tsmini
