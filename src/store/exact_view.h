// The trips of a collection, laid out for exact search, as one transaction sees them.
//
// Most of them are in files, which are mapped. Those that were added since are laid out in memory
// when a search first needs them; a view never changes, and the next one shares what stayed the
// same. A file that is missing or damaged is replaced by what the database holds, in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tsmini/heartbeat.h"

#include "search/exact_part.h"
#include "search/row_selection.h"
#include "store/exact_record.h"
#include "store/read_connections.h"
#include "store/records.h"

namespace tsmini {

// Trips from the database: of rows from `first_row` on and below `end_row`, as many as a file has
// room for.
struct TripsInPlane {
  static TripsInPlane read(const ExactOwner& owner, Database& database, Layout layout,
                           std::int64_t first_row, std::int64_t end_row,
                           const Heartbeat& heartbeat);

  std::vector<std::int64_t> rows;
  PlanarSet points;
  std::int64_t end_row;  // all below are there
};

class ExactView {
 public:
  enum class Trust {
    header,  // what is used of a file is compared with its checksums as it is used
    nothing  // all of it is compared now
  };

  // `previous`, which may be null, is of an earlier transaction. Throws Error(bad_input) where
  // there are not as many trips as the collection says, or one was altered.
  static std::shared_ptr<const ExactView> make(const ExactOwner& owner, Database& database,
                                               Layout layout, const CollectionState& state,
                                               const ExactView* previous, Trust trust,
                                               const Heartbeat& heartbeat);

  const CollectionState& state() const { return state_; }
  // Notes on files that are not used.
  const std::vector<std::string>& notes() const { return notes_; }
  const std::vector<std::string>& files() const { return files_; }

  ExactParts::List parts() const;
  // What is allowed, without the rows that were removed. Both must outlive it.
  RowPredicate present(const RowPredicate& allowed) const;

 private:
  // Rows that follow each other.
  struct Stretch {
    std::int64_t first_row = 0, end_row = 0;
    std::string file;                       // empty: there is none
    std::shared_ptr<const ExactPart> part;  // null: no trip is left
  };
  // What a view is made from.
  struct Making {
    const ExactOwner& owner;
    Database& database;
    Layout layout;
    Trust trust;
    const Heartbeat& heartbeat;
  };

  explicit ExactView(const CollectionState& state) : state_(state) {}

  static void add_from_database(const Making& making, Stretch stretch, std::vector<Stretch>& to);
  void take_removals(Database& database);
  void take_file(const Making& making, const ExactRecord& record, const ExactView* previous);
  void take_tail(const Making& making, const ExactView* previous);
  void check_count(const Database& database) const;

  CollectionState state_;
  std::vector<Stretch> stretches_;     // all rows
  std::int64_t last_removal_ = 0;      // its number
  std::vector<std::int64_t> removed_;  // rising; some part may hold them
  std::vector<std::string> notes_;
  std::vector<std::string> files_;
};

// The newest view, shared by all searches. Any number of threads may ask.
class ExactViews {
 public:
  ExactViews(ExactOwner owner, Readers& readers) : owner_(std::move(owner)), readers_(readers) {}

  // The view of the transaction that the lease is in. Throws Outdated.
  std::shared_ptr<const ExactView> get(const Readers::Lease& lease, Layout layout,
                                       const CollectionState& state, const Heartbeat& heartbeat);
  // A new view for a transaction whose view uses a file that proved damaged.
  std::shared_ptr<const ExactView> without_damage(const Readers::Lease& lease, Layout layout,
                                                  const ExactView& damaged,
                                                  const Heartbeat& heartbeat);

  std::vector<std::string> notes() const;

 private:
  std::shared_ptr<const ExactView> make(const Readers::Lease& lease, Layout layout,
                                        const CollectionState& state, const ExactView* previous,
                                        ExactView::Trust trust, const Heartbeat& heartbeat);

  ExactOwner owner_;
  Readers& readers_;
  mutable std::mutex mutex_;
  std::shared_ptr<const ExactView> view_;
  std::vector<std::string> notes_;
};

}  // namespace tsmini
