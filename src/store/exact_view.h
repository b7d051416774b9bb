// The points of a collection in memory, ready for exact search, as one transaction sees them.
//
// As with EmbeddingView, a view never changes and the next one shares what stayed the same: trips
// that were added since form a part of their own until they are many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tsmini/heartbeat.h"
#include "tsmini/knn.h"
#include "tsmini/model.h"
#include "tsmini/planar_set.h"

#include "search/trip_source.h"
#include "store/records.h"

namespace tsmini {

class ExactView final : public ExactTrips {
 public:
  // Throws Error(bad_input) where there are not as many trips as the collection says, or one was
  // altered.
  static std::shared_ptr<const ExactView> make(const Model& model, Database& database,
                                               const CollectionState& state,
                                               const ExactView* previous,
                                               const Heartbeat& heartbeat);

  const CollectionState& state() const { return state_; }
  bool has_bounds() const override;
  bool gains_by_candidates() const override;
  std::vector<RowDistance> nearest(std::span<const Planar> query, std::size_t k,
                                   const RowPredicate& allowed,
                                   std::span<const std::int64_t> likely, SearchWork& work,
                                   const Heartbeat& heartbeat) const override;

 private:
  struct Part {
    std::vector<std::int64_t> rows;
    ExactSearch search;
  };

  ExactView(const CollectionState& state, Measure measure) : state_(state), measure_(measure) {}

  static std::shared_ptr<const Part> read_part(const Model& model, Database& database,
                                               std::int64_t first_row, const Heartbeat& heartbeat);
  void take_removals(Database& database);
  void check_count(const Database& database) const;
  std::size_t count_in(const Part& part) const;  // without the removed
  void add_nearest(const Part& part, std::span<const Planar> query, std::size_t k,
                   const RowPredicate& allowed, std::span<const std::int64_t> likely,
                   std::vector<RowDistance>& found, SearchWork& work, const Heartbeat& heartbeat) const;

  CollectionState state_;
  Measure measure_;
  std::shared_ptr<const Part> main_, recent_;  // the second may be null
  std::int64_t recent_begin_ = 0;              // its first row, or that of the next trip
  std::int64_t last_removal_ = 0;              // its number
  std::vector<std::int64_t> removed_;          // since main_ was read; rising
};

}  // namespace tsmini
