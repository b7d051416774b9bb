// Cleaning and cutting of one track, in place.
//
// The order is fixed: consecutive duplicates, speed outliers, thinning, cutting into pieces, and
// then each piece is kept or dropped by its length and box. All but the cut at stays is linear in
// the points; that one looks, from every point, as far ahead as the stay's duration reaches. Before
// all of these, put_in_order() puts the points in the order of time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tsmini/import.h"

namespace tsmini {

// How many points each step took away.
struct CleanCounts {
  std::uint64_t duplicates = 0;
  std::uint64_t fast = 0;
  std::uint64_t thinned = 0;
};

// A stretch of points: [begin, end).
struct Stretch {
  std::size_t begin = 0, end = 0;
};

// Points, and what belongs to each of them.
struct TrackPoints {
  std::span<Position> points;
  std::span<std::int64_t> times;  // none, or one per point
  std::span<std::uint32_t> rows;  // none, or where each stood in its track

  std::size_t size() const { return points.size(); }
  TrackPoints part(const Stretch& stretch) const;
  // Puts the point of one place, with all that is its own, into another.
  void move(std::size_t from, std::size_t to) const {
    points[to] = points[from];
    if (!times.empty()) times[to] = times[from];
    if (!rows.empty()) rows[to] = rows[from];
  }
};

enum class Order { in_time, reversed, sorted, broken };

// Turns points round whose times never rise, and sorts others by time, equal ones staying as they
// are, where that is asked for.
Order put_in_order(const TrackPoints& track, bool sort_by_time);

// Cleans them and returns what is left, at their front. Distances are metres on the ground, or the
// plane's own unit where `planar`.
TrackPoints clean_points(TrackPoints track, const CleanOptions& options, bool planar,
                         CleanCounts& counts);

// The pieces of a cleaned track, in order; one where nothing cuts it.
std::vector<Stretch> cut_points(std::span<const Position> points,
                                std::span<const std::int64_t> times, const CutOptions& options,
                                bool planar);

// Why a piece is not wanted; nothing where it is.
std::optional<Drop> reason_to_drop(std::span<const Position> points,
                                   std::span<const std::int64_t> times, const CleanOptions& options,
                                   bool planar);

// The first place where times go backwards, or nothing.
std::optional<std::size_t> find_disorder(std::span<const std::int64_t> times);

}  // namespace tsmini
