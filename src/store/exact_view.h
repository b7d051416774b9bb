// The points of a collection in memory, ready for exact search by one measure, as one transaction
// sees them.
//
// As with EmbeddingView, a view never changes and the next one shares what stayed the same: trips
// that were added since form a part of their own until they are many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "tsmini/heartbeat.h"

#include "search/exact_part.h"
#include "search/recent_exact.h"
#include "search/trip_source.h"
#include "store/readers.h"
#include "store/records.h"

namespace tsmini {

// What a view is made for.
struct ExactTask {
  Space space;
  Measure measure = Measure::frechet;
  MeasureSettings settings;
};

class ExactView final : public ExactTrips {
 public:
  // `previous`, which may be null, is of the same task and an earlier transaction. Throws
  // Error(bad_input) where there are not as many trips as the collection says, or one was altered.
  static std::shared_ptr<const ExactView> make(const ExactTask& task, Database& database,
                                               Layout layout, const CollectionState& state,
                                               const ExactView* previous,
                                               const Heartbeat& heartbeat);

  const CollectionState& state() const { return state_; }
  bool has_bounds() const override { return main_->has_bounds(); }
  bool gains_by_candidates() const override { return main_->gains_by_candidates(); }
  std::vector<RowDistance> nearest(std::span<const Planar> query, std::size_t k,
                                   const RowPredicate& allowed,
                                   std::span<const std::int64_t> likely, SearchWork& work,
                                   const Heartbeat& heartbeat) const override;
  std::vector<RowDistance> within(std::span<const Planar> query, double radius,
                                  const RowPredicate& allowed, SearchWork& work,
                                  const Heartbeat& heartbeat) const override;

 private:
  explicit ExactView(const CollectionState& state) : state_(state) {}

  static std::shared_ptr<const ExactPart> read_part(const ExactTask& task, Database& database,
                                                    Layout layout, std::int64_t first_row,
                                                    const Heartbeat& heartbeat);
  void take_removals(Database& database);
  void check_count(const Database& database) const;
  std::size_t count_in(const ExactPart& part) const;  // without the removed
  RowPredicate without_removed(const RowPredicate& allowed) const;

  CollectionState state_;
  std::shared_ptr<const ExactPart> main_, recent_;  // the second may be null
  std::int64_t recent_begin_ = 0;                   // its first row, or that of the next trip
  std::int64_t last_removal_ = 0;                   // its number
  std::vector<std::int64_t> removed_;               // since main_ was read; rising
};

// The views of the measures that were used last. Any number of threads may ask.
class ExactViews {
 public:
  // Reads all trips the first time. Of the transaction that the lease is in.
  std::shared_ptr<const ExactView> get(const ExactTask& task, const Readers::Lease& lease,
                                       Layout layout, const CollectionState& state,
                                       const Heartbeat& heartbeat);

 private:
  std::mutex reading_;
  RecentExact<ExactView> recent_;
};

}  // namespace tsmini
