// Exact search over tables of bounds, in memory or mapped: what ExactSearch and a collection share.
//
//   const BoundedSearch search(Measure::frechet, {}, tables);
//   for (const Neighbour& n : search.run(query, {.k = 10}, points, work)) use(n.index, n.distance);
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tsmini/exact_search.h"
#include "tsmini/heartbeat.h"
#include "tsmini/measure.h"

#include "measure/bounds.h"
#include "measure/lane_runner.h"
#include "measure/rounding.h"
#include "measure/search_tables.h"

namespace tsmini {

class BoundedSearch {
 public:
  // The tables must outlive it.
  BoundedSearch(Measure measure, const MeasureSettings& settings, const SearchTables& tables);

  // See ExactSearch::has_bounds().
  bool has_bounds() const { return bounds_ != nullptr; }

  struct Request {
    std::size_t k = 0;  // 0: all within the radius
    double radius = std::numeric_limits<double>::infinity();
    SearchScope scope = {};
    bool only_candidates = false;  // those of the scope alone may be answers; k is above 0
    bool any = false;              // k within the radius need not be the nearest
  };

  // Puts the points of these trajectories, in double precision, into `points`, where they stay
  // until the next call. It is called for some of them at a time.
  using TruePoints = std::function<void(std::span<const std::size_t> indices,
                                        std::vector<std::span<const Planar>>& points)>;

  // The answers by rising distance, ties to the lower index.
  std::vector<Neighbour> run(std::span<const Planar> query, const Request& request,
                             const TruePoints& points, SearchWork& work,
                             const Heartbeat& heartbeat = {}) const;

 private:
  class Run;

  std::optional<SingleError> usable_error(std::span<const Planar> query) const;

  Measure measure_;
  const SearchTables& tables_;
  double extent_;  // of the tables and of erp's gap point
  std::unique_ptr<const LowerBounds> bounds_;
  std::optional<LaneRunner<float>> single_;  // none: distances are computed in double precision
  LaneRunner<double> double_;
};

}  // namespace tsmini
