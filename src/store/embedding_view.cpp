#include "store/embedding_view.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

namespace tsmini {

EmbeddingView::EmbeddingView(const IndexOwner& owner, const CollectionState& state)
    : state_(state), tail_(owner.settings(IndexKind::flat)) {}

// A view is of one state of the collection: the index as its record names it, the rows that the
// index does not hold (the tail), which of both were removed, and the rows that the model could not
// embed. States follow each other, so that a view is made from the one before, as long as the index
// is the same file and no compaction gave rows other numbers: then only the removals and rows since
// are read. Removals of rows in the index are marks; the tail is copied without those removed.
std::shared_ptr<const EmbeddingView> EmbeddingView::make(const IndexOwner& owner,
                                                         Database& database, Layout layout,
                                                         const CollectionState& state,
                                                         std::int64_t embedded,
                                                         const EmbeddingView* previous) {
  const std::shared_ptr<EmbeddingView> view(new EmbeddingView(owner, state));
  view->embedded_ = embedded;
  IndexRecord record = IndexRecord::read(database, layout, owner.model);
  view->index_name_ = record.name;
  if (previous && previous->index_name_ == record.name &&
      previous->state_.compactions == state.compactions) {
    view->index_ = previous->index_;
    view->removed_ = previous->removed_;
    view->removed_count_ = previous->removed_count_;
    view->last_removal_ = previous->last_removal_;
    view->copy_rest(*previous, view->take_removals(database));
    view->read_tail(owner, database, layout, previous->embedded_);
    view->read_unfit(owner, database, layout, previous->embedded_);
    return view;
  }
  if (!record.name.empty()) view->load_index(owner, std::move(record));
  view->take_removals(database);
  view->read_tail(owner, database, layout, view->index_ ? view->index_->record.end_row : 0);
  view->read_unfit(owner, database, layout, 0);
  return view;
}

std::shared_ptr<const EmbeddingView> EmbeddingView::without_index(const IndexOwner& owner,
                                                                  Database& database, Layout layout,
                                                                  const DamagedFile& damage) const {
  const std::shared_ptr<EmbeddingView> view(new EmbeddingView(owner, state_));
  view->embedded_ = embedded_;
  view->index_name_ = index_name_;
  view->scan_instead(damage);
  view->take_removals(database);
  view->read_tail(owner, database, layout, 0);
  view->unfit_ = unfit_;
  return view;
}

void EmbeddingView::load_index(const IndexOwner& owner, IndexRecord record) {
  try {
    index_ = std::make_shared<const LoadedIndex>(LoadedIndex::load(owner, std::move(record)));
  } catch (const Error& error) {
    return scan_instead(error);
  }
  if (!index_->index.was_read_whole()) return;
  note_ = fmt::format(
      "{}: was made by tsmini 0.1, and all of it was read to check it (`compact()` makes an "
      "index that is checked as it is used)",
      (owner.folder.path() / index_name_).string());
}

void EmbeddingView::scan_instead(const Error& error) {
  note_ = fmt::format("{}; all trips are scanned instead (`compact()` makes the index anew)",
                      error.what());
}

std::vector<std::int64_t> EmbeddingView::take_removals(Database& database) {
  std::vector<std::int64_t> others;
  Statement select =
      database.prepared("SELECT number, row FROM removed WHERE number > ? ORDER BY number");
  select.bind(1, last_removal_);
  while (select.step()) {
    last_removal_ = select.integer(0);
    const std::int64_t row = select.integer(1);
    if (!index_ || !index_->holds(row)) {
      others.push_back(row);
      continue;
    }
    if (removed_.empty()) removed_.resize(index_->index.size());
    removed_[index_->position_of(row)] = true;
    ++removed_count_;
  }
  return others;
}

void EmbeddingView::copy_rest(const EmbeddingView& previous, std::vector<std::int64_t> without) {
  std::sort(without.begin(), without.end());
  std::vector<float> rows;
  for (std::size_t i = 0; i < previous.tail_rows_.size(); ++i) {
    const std::int64_t row = previous.tail_rows_[i];
    if (std::binary_search(without.begin(), without.end(), row)) continue;
    tail_rows_.push_back(row);
    const std::vector<float> values = previous.tail_.row(static_cast<std::uint32_t>(i));
    rows.insert(rows.end(), values.begin(), values.end());
  }
  tail_.add(rows);
  std::set_difference(previous.unfit_.begin(), previous.unfit_.end(), without.begin(),
                      without.end(), std::back_inserter(unfit_));
}

void EmbeddingView::read_unfit(const IndexOwner& owner, Database& database, Layout layout,
                               std::int64_t first_row) {
  const std::vector<std::int64_t> rows = unfit_rows(database, layout, owner.model, first_row);
  unfit_.insert(unfit_.end(), rows.begin(), rows.end());
}

void EmbeddingView::read_tail(const IndexOwner& owner, Database& database, Layout layout,
                              std::int64_t first_row) {
  constexpr std::size_t block = 1 << 20;  // values
  std::vector<float> rows;
  EmbeddingScan scan(database, layout, owner.model, owner.dimension, first_row);
  while (scan.next()) {
    tail_rows_.push_back(scan.row());
    rows.insert(rows.end(), scan.embedding().begin(), scan.embedding().end());
    if (rows.size() < block) continue;
    tail_.add(rows);
    rows.clear();
  }
  tail_.add(rows);
}

std::vector<RowDistance> EmbeddingView::nearest(std::span<const float> query, std::size_t k,
                                                const RowPredicate& allowed) const {
  std::vector<RowDistance> hits;
  if (index_) {
    RowFilter filter;
    if (allowed || removed_count_ > 0) {
      filter = [&](std::uint32_t position) {
        return (removed_.empty() || !removed_[position]) &&
               (!allowed || allowed(index_->record.row_at(position)));
      };
    }
    for (const Hit& hit : index_->index.nearest(query, k, filter)) {
      hits.push_back({index_->record.row_at(hit.row), hit.distance});
    }
  }
  if (!tail_rows_.empty()) {
    RowFilter filter;
    if (allowed) filter = [&](std::uint32_t position) { return allowed(tail_rows_[position]); };
    for (const Hit& hit : tail_.nearest(query, k, filter)) {
      hits.push_back({tail_rows_[hit.row], hit.distance});
    }
    std::sort(hits.begin(), hits.end());
    hits.resize(std::min(hits.size(), k));
  }
  return hits;
}

std::shared_ptr<const EmbeddingView> EmbeddingViews::get(const LoadedModel& model,
                                                         std::int64_t embedded,
                                                         const Readers::Lease& lease,
                                                         Layout layout) {
  const std::int64_t change = current_change(*lease);
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const EmbeddingView>& view = views_[model.number];
  if (view && view->state().change == change) return view;
  if (view && view->state().change > change) throw Outdated();
  auto made = EmbeddingView::make(model.owner, *lease, layout, CollectionState::read(*lease),
                                  embedded, view.get());
  if (!made->note().empty() && made->index_name() != newest_index_name(model.number)) {
    throw Outdated();
  }
  if (!lease.is_sound()) throw Outdated();
  if (!made->note().empty()) remember(made->note());
  view = made;
  return made;
}

std::shared_ptr<const EmbeddingView> EmbeddingViews::without_index(const LoadedModel& model,
                                                                   const Readers::Lease& lease,
                                                                   Layout layout,
                                                                   const EmbeddingView& damaged,
                                                                   const DamagedFile& damage) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const EmbeddingView>& view = views_[model.number];
  const bool is_newest = view && view->state().change == damaged.state().change;
  if (is_newest && !view->index()) return view;  // another search has met it before
  auto made = damaged.without_index(model.owner, *lease, layout, damage);
  if (!lease.is_sound()) return made;
  remember(made->note());
  if (is_newest) view = made;
  return made;
}

void EmbeddingViews::keep_only(const LoadedModels::List& models) {
  const std::lock_guard lock(mutex_);
  std::erase_if(views_, [&](const auto& entry) {
    return std::none_of(models.begin(), models.end(),
                        [&](const auto& model) { return model && model->number == entry.first; });
  });
}

void EmbeddingViews::add_note(const std::string& note) {
  const std::lock_guard lock(mutex_);
  remember(note);
}

void EmbeddingViews::remember(const std::string& note) {
  if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
}

std::vector<std::string> EmbeddingViews::notes() const {
  const std::lock_guard lock(mutex_);
  return notes_;
}

std::string EmbeddingViews::newest_index_name(std::int64_t model) const {
  return readers_.read([&](const Readers::Lease& another) {
    return IndexRecord::read(*another, layout_of(*another), model).name;
  });
}

}  // namespace tsmini
