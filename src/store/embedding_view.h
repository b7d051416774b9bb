// The embeddings of a model as one transaction sees them: an index, the rows removed from it, the
// tail of rows that it does not hold, and the rows that have no embedding.
//
// A view never changes; the next one is made from it and shares what stayed the same, so searches
// need no lock. Rows are those of the database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "tsmini/embedding_index.h"

#include "search/trip_source.h"
#include "store/folder.h"
#include "store/index_record.h"
#include "store/loaded_models.h"
#include "store/read_connections.h"
#include "store/records.h"

namespace tsmini {

class EmbeddingView {
 public:
  // The view of the transaction that `database` is in, in which the model has seen rows below
  // `embedded`. `previous`, which may be null, is of an earlier one.
  // Where the index file is missing or another's, all rows become the tail, and note() says so.
  static std::shared_ptr<const EmbeddingView> make(const IndexOwner& owner, Database& database,
                                                   Layout layout, const CollectionState& state,
                                                   std::int64_t embedded,
                                                   const EmbeddingView* previous);
  // This view, of the same transaction, without its index, in which a search has met `damage`: all
  // rows become the tail.
  std::shared_ptr<const EmbeddingView> without_index(const IndexOwner& owner, Database& database,
                                                     Layout layout,
                                                     const DamagedFile& damage) const;

  const CollectionState& state() const { return state_; }
  // What a user should know of the index; empty where all is well, or a view before has said it.
  const std::string& note() const { return note_; }
  // The index file that the database speaks of, whether it could be loaded or not.
  const std::string& index_name() const { return index_name_; }
  // Null where everything is scanned.
  const LoadedIndex* index() const { return index_.get(); }
  std::size_t size() const {  // embeddings that are there
    return tail() + (index_ ? index_->index.size() - removed_count_ : 0);
  }
  std::size_t removed() const { return removed_count_; }
  std::size_t tail() const { return tail_rows_.size(); }
  // Rows that the model cannot take, rising.
  const std::vector<std::int64_t>& unfit() const { return unfit_; }

  // The k nearest of the rows that are allowed, by rising distance, ties to the lower row. Throws
  // DamagedFile where the part of the index that it needs was altered.
  std::vector<RowDistance> nearest(std::span<const float> query, std::size_t k,
                                   const RowPredicate& allowed) const;

 private:
  EmbeddingView(const IndexOwner& owner, const CollectionState& state);

  // The index of the record, or why there is none.
  void load_index(const IndexOwner& owner, IndexRecord record);
  void scan_instead(const Error& error);
  // Rows removed since last_removal_: marks what the index holds, and returns the others.
  std::vector<std::int64_t> take_removals(Database& database);
  // The tail and what is unfit, of a view before or from the database.
  void copy_rest(const EmbeddingView& previous, std::vector<std::int64_t> without);
  void read_tail(const IndexOwner& owner, Database& database, Layout layout,
                 std::int64_t first_row);
  void read_unfit(const IndexOwner& owner, Database& database, Layout layout,
                  std::int64_t first_row);

  CollectionState state_;
  std::int64_t embedded_ = 0;
  std::string note_;
  std::string index_name_;
  std::shared_ptr<const LoadedIndex> index_;
  std::vector<bool> removed_;  // by position in the index; empty where none is
  std::size_t removed_count_ = 0;
  std::int64_t last_removal_ = 0;  // its number
  EmbeddingIndex tail_;
  std::vector<std::int64_t> tail_rows_;
  std::vector<std::int64_t> unfit_;
};

// The newest view of every model, shared by all searches, and what was found amiss. Any number of
// threads may ask.
class EmbeddingViews {
 public:
  explicit EmbeddingViews(Readers& readers) : readers_(readers) {}

  // The view of the transaction that the lease is in, in which the model has seen rows below
  // `embedded`. Throws Outdated.
  std::shared_ptr<const EmbeddingView> get(const LoadedModel& model, std::int64_t embedded,
                                           const Readers::Lease& lease, Layout layout);
  // A new view for one whose index proved damaged in use.
  std::shared_ptr<const EmbeddingView> without_index(const LoadedModel& model,
                                                     const Readers::Lease& lease, Layout layout,
                                                     const EmbeddingView& damaged,
                                                     const DamagedFile& damage);
  // Forgets the views of other models, which are not needed any more.
  void keep_only(const LoadedModels::List& models);

  // Adds a note once, however often it is found.
  void add_note(const std::string& note);
  std::vector<std::string> notes() const;

 private:
  std::string newest_index_name(std::int64_t model) const;
  void remember(const std::string& note);  // under the lock

  Readers& readers_;
  mutable std::mutex mutex_;
  std::map<std::int64_t, std::shared_ptr<const EmbeddingView>> views_;  // by number of the model
  std::vector<std::string> notes_;
};

}  // namespace tsmini
