// Lower bounds of the distances from one query to the trajectories of a base.
//
// Trajectories stand in blocks of 16, blocks in nodes of hulls, and these in nodes again up to one
// (search_tables.h, hull_levels.h). A query is compared with a node's 16 hulls at a time, from the
// top down where these are near enough, then with the trajectories of a block, and at last, more
// closely, with the few that this leaves: so a small radius costs what is near it, not what is
// there. What is compared is in reach_bounds.h (for measures that take the farthest of something),
// box_bounds.h (for dtw) and stretch_bounds.h (for the others). All is in single precision with its
// rounding taken off, so that no bound is above the distance.
//
//   const auto index = LowerBounds::of(Measure::dtw, tables);
//   const auto bounds = index->for_query(query, {});
//   for (const Candidate& c : bounds->take_within(radius)) use(c.index);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tsmini/measure.h"
#include "tsmini/planar_set.h"

#include "measure/bound_lanes.h"

namespace tsmini {

struct SearchTables;

// Whether a trajectory may be taken; an empty one lets all through.
using IndexFilter = std::function<bool(std::size_t index)>;

// A trajectory of the base that may be an answer.
struct Candidate {
  float bound;
  std::size_t index;  // in the base
  std::size_t place;  // in the order of blocks

  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.bound < b.bound || (a.bound == b.bound && a.index < b.index);
  }
};

// The bounds of one query. What take_smallest() gave is not given again.
class QueryBounds {
 public:
  virtual ~QueryBounds() = default;
  QueryBounds(const QueryBounds&) = delete;
  QueryBounds& operator=(const QueryBounds&) = delete;

  // The candidates with the smallest bounds, or nearly so.
  std::vector<Candidate> take_smallest(std::size_t count);

  // The candidates whose bound is at most the limit, by rising bound.
  std::vector<Candidate> take_within(float limit);

 protected:
  QueryBounds(const SearchTables& tables, IndexFilter allowed);

 private:
  using Bounds = std::array<float, bound_lanes>;
  struct Node;

  // The bounds of what a node has: at level 0 the trajectories of a block, above it the hulls of
  // nodes of the level below.
  virtual void bound_node(std::size_t level, std::size_t node, float* bounds) const = 0;
  // Raises bounds where a dearer look can, if there is one.
  virtual bool sharpens() const { return false; }
  virtual void sharpen(std::span<Candidate> candidates) const;

  // Calls use(bound, i) for each lane of a node: i is a place, or a node of the level below.
  template <class Use>
  void for_each_lane(std::size_t level, std::size_t node, const Use& use) const;
  void add_within(float limit, std::size_t level, std::size_t node,
                  std::vector<Candidate>& found) const;
  bool may_take(std::size_t place) const;

  std::span<const std::uint32_t> order_;
  std::vector<std::size_t> nodes_;  // of each level
  IndexFilter allowed_;
  std::vector<std::size_t> taken_;  // places, rising
};

class LowerBounds {
 public:
  // The tables must outlive it.
  static std::unique_ptr<const LowerBounds> of(Measure measure, const SearchTables& tables,
                                               const MeasureSettings& settings = {});
  virtual ~LowerBounds() = default;
  LowerBounds(const LowerBounds&) = delete;
  LowerBounds& operator=(const LowerBounds&) = delete;

  // Valid as long as this and the query are.
  virtual std::unique_ptr<QueryBounds> for_query(std::span<const Planar> query,
                                                 IndexFilter allowed) const = 0;

 protected:
  explicit LowerBounds(const SearchTables& tables) : tables_(tables) {}

  const SearchTables& tables() const { return tables_; }

 private:
  const SearchTables& tables_;
};

// The largest coordinate relative to the origin: what the rounding of single precision scales with.
double largest_coordinate(std::span<const Planar> points, const Planar& origin);
double largest_coordinate(const PlanarSet& base);

}  // namespace tsmini
