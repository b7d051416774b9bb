// Cleaning and cutting of one track, in place.
//
// The order is fixed: sort by time (if asked), consecutive duplicates, speed outliers, thinning,
// cutting into pieces, and then each piece is kept or dropped by its length and box. All but the
// cut at stays is linear in the points; that one looks, from every point, as far ahead as the
// stay's duration reaches.
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

// Cleans the points and times (none, or one per point) and returns how many are left at the front.
// Distances are metres on the ground, or the plane's own unit where `planar`.
std::size_t clean_points(std::span<Position> points, std::span<std::int64_t> times,
                         const CleanOptions& options, bool planar, CleanCounts& counts);

// The pieces of a cleaned track, in order; one where nothing cuts it.
std::vector<Stretch> cut_points(std::span<const Position> points,
                                std::span<const std::int64_t> times, const CutOptions& options,
                                bool planar);

// Why a piece is not wanted; nothing where it is.
std::optional<Drop> reason_to_drop(std::span<const Position> piece, const CleanOptions& options);

// The first place where times go backwards, or nothing.
std::optional<std::size_t> find_disorder(std::span<const std::int64_t> times);

}  // namespace tsmini
