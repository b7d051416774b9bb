// Trips with their points in memory, ready for exact search by one measure. Their rows rise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/heartbeat.h"
#include "tsmini/knn.h"
#include "tsmini/space.h"

#include "search/trip_source.h"

namespace tsmini {

class ExactPart {
 public:
  // The trajectories of `data` in order; such for which the measure is not defined are left out.
  ExactPart(const Dataset& data, std::vector<std::int64_t> rows, const Space& space,
            Measure measure, const MeasureSettings& settings);

  bool has_bounds() const { return search_.has_bounds(); }
  // Of all trips, also where the measure is not defined.
  std::span<const std::int64_t> rows() const { return rows_; }

  // Whether learned candidates save more than they cost in a part of this size.
  bool gains_by_candidates() const;

  // Adds to `found` the k nearest, or all within the radius, of the rows that are allowed.
  void add_nearest(std::span<const Planar> query, std::size_t k, const RowPredicate& allowed,
                   std::span<const std::int64_t> likely, std::vector<RowDistance>& found,
                   SearchWork& work, const Heartbeat& heartbeat) const;
  void add_within(std::span<const Planar> query, double radius, const RowPredicate& allowed,
                  std::vector<RowDistance>& found, SearchWork& work,
                  const Heartbeat& heartbeat) const;

 private:
  SearchScope scope_of(const RowPredicate& allowed) const;

  Measure measure_;
  std::vector<std::int64_t> rows_;
  std::vector<std::int64_t> measured_;  // those that can be measured, by their number in search_
  ExactSearch search_;
};

}  // namespace tsmini
