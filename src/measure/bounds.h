// Lower bounds of the distances from one query to the trajectories of a base.
//
// Trajectories that begin, pass and end at similar places stand together in blocks of 16, and each
// block has a hull. A query is compared with all hulls, then with the trajectories of those blocks
// whose hull is near enough, 16 at a time, and at last, more closely, with the few that this
// leaves. What is compared is in reach_bounds.h (for measures that take the farthest of something)
// and box_bounds.h (for dtw). All is in single precision with its rounding taken off, so that no
// bound is above the distance.
//
//   const auto index = LowerBounds::of(Measure::dtw, base);
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

namespace tsmini {

inline constexpr std::size_t bound_lanes = 16;  // trajectories of a block

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

// The bounds of one query. Each trajectory is taken at most once.
class QueryBounds {
 public:
  virtual ~QueryBounds() = default;
  QueryBounds(const QueryBounds&) = delete;
  QueryBounds& operator=(const QueryBounds&) = delete;

  // Those with the smallest bounds, or nearly so.
  std::vector<Candidate> take_smallest(std::size_t count);

  // Those whose bound is at most the limit, by rising bound.
  std::vector<Candidate> take_within(float limit);

 protected:
  // `order` says which trajectory stands at a place.
  QueryBounds(std::span<const std::size_t> order, IndexFilter allowed);

  float* hull_bounds() { return hulls_.data(); }  // one a block, to be filled when constructed

 private:
  using Block = std::array<float, bound_lanes>;

  virtual void bound_block(std::size_t block, float* bounds) const = 0;
  // Raises bounds where a dearer look can.
  virtual void sharpen(std::span<Candidate> candidates) const;

  const Block& open(std::size_t block);
  std::size_t end_of(std::size_t block) const;  // places
  bool allows(std::size_t index) const { return !allowed_ || allowed_(index); }

  std::span<const std::size_t> order_;
  IndexFilter allowed_;
  std::vector<float> hulls_;         // and room for whole vectors
  std::vector<std::uint32_t> slot_;  // of a block in opened_
  std::vector<Block> opened_;        // infinite where taken
};

class LowerBounds {
 public:
  static bool exist_for(Measure measure);
  // Null where the measure has none.
  static std::unique_ptr<const LowerBounds> of(Measure measure, const PlanarSet& base);
  virtual ~LowerBounds() = default;
  LowerBounds(const LowerBounds&) = delete;
  LowerBounds& operator=(const LowerBounds&) = delete;

  // Valid as long as this and the query are.
  virtual std::unique_ptr<QueryBounds> for_query(std::span<const Planar> query,
                                                 IndexFilter allowed) const = 0;

 protected:
  explicit LowerBounds(const PlanarSet& base);

  std::span<const std::size_t> order() const { return order_; }
  std::size_t block_count() const { return (order_.size() + bound_lanes - 1) / bound_lanes; }
  // Which trajectory stands at a place; places behind the last repeat it.
  std::size_t trajectory(std::size_t place) const {
    return order_[place < order_.size() ? place : order_.size() - 1];
  }

 private:
  std::vector<std::size_t> order_;
};

// The largest coordinate relative to the origin: what the rounding of single precision scales with.
double largest_coordinate(std::span<const Planar> points, const Planar& origin);
double largest_coordinate(const PlanarSet& base);

}  // namespace tsmini
