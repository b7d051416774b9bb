#include "store/exact_view.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include "tsmini/error.h"

#include "base/pulse.h"

namespace tsmini {

TripsInPlane TripsInPlane::read(const ExactOwner& owner, Database& database, Layout layout,
                                std::int64_t first_row, std::int64_t end_row,
                                const Heartbeat& heartbeat) {
  std::vector<std::int64_t> rows;
  std::size_t points = 0;
  DatasetBuilder builder(owner.space.coordinates());
  TripScan scan(database, layout, first_row);
  Pulse pulse(heartbeat);
  while (scan.next() && scan.row() < end_row) {
    if (rows.size() == owner.most_trips || points >= owner.most_points) {
      end_row = scan.row();
      break;
    }
    pulse.work(scan.trip().size());
    points += scan.trip().size();
    rows.push_back(scan.row());
    builder.add({scan.trip().id, scan.trip().points, {}});
  }
  return {std::move(rows), PlanarSet(builder.finish(), owner.space), end_row};
}

std::shared_ptr<const ExactView> ExactView::make(const ExactOwner& owner, Database& database,
                                                 Layout layout, const CollectionState& state,
                                                 const ExactView* previous, Trust trust,
                                                 const Heartbeat& heartbeat) {
  const Making making{owner, database, layout, trust, heartbeat};
  const std::shared_ptr<ExactView> view(new ExactView(state));
  // Since a compaction, what was removed before is not on record any more.
  const bool goes_on = previous && previous->state_.compactions == state.compactions;
  if (goes_on) {
    view->last_removal_ = previous->last_removal_;
    view->removed_ = previous->removed_;
  }
  view->take_removals(database);
  for (const ExactRecord& record : ExactRecord::read_all(database, layout)) {
    view->take_file(making, record, previous);
  }
  view->take_tail(making, goes_on ? previous : nullptr);
  view->check_count(database);
  return view;
}

void ExactView::take_removals(Database& database) {
  Statement select =
      database.prepared("SELECT number, row FROM removed WHERE number > ? ORDER BY number");
  select.bind(1, last_removal_);
  while (select.step()) {
    last_removal_ = select.integer(0);
    removed_.push_back(select.integer(1));
  }
  std::sort(removed_.begin(), removed_.end());
}

void ExactView::add_from_database(const Making& making, Stretch stretch, std::vector<Stretch>& to) {
  const std::int64_t end_row = stretch.end_row;
  while (stretch.first_row < end_row) {
    const TripsInPlane trips = TripsInPlane::read(making.owner, making.database, making.layout,
                                                  stretch.first_row, end_row, making.heartbeat);
    stretch.end_row = trips.end_row;
    stretch.part =
        trips.rows.empty() ? nullptr : std::make_shared<const ExactPart>(trips.rows, trips.points);
    to.push_back(stretch);
    stretch.first_row = trips.end_row;
  }
}

void ExactView::take_file(const Making& making, const ExactRecord& record,
                          const ExactView* previous) {
  Stretch stretch{record.first_row, record.end_row, record.name, nullptr};
  if (record.name.empty()) return stretches_.push_back(std::move(stretch));
  files_.push_back(record.name);
  const std::size_t before = stretches_.size();
  if (previous) {
    std::copy_if(previous->stretches_.begin(), previous->stretches_.end(),
                 std::back_inserter(stretches_),
                 [&](const Stretch& s) { return s.file == record.name; });
  }
  if (stretches_.size() > before) return;
  try {
    const auto file = record.load(making.owner);
    if (making.trust == Trust::nothing) file->verify();
    stretch.part = std::make_shared<const ExactPart>(file);
    stretches_.push_back(std::move(stretch));
  } catch (const Error& error) {
    notes_.push_back(
        fmt::format("{}; its trips are read from the database instead (`compact()` makes the "
                    "file anew)",
                    error.what()));
    add_from_database(making, std::move(stretch), stretches_);
  }
}

// What is in memory is kept in stretches that each are longer than the next: so a trip is laid out
// again as often as the number of trips behind the files doubles.
void ExactView::take_tail(const Making& making, const ExactView* previous) {
  std::int64_t begin = stretches_.empty() ? 0 : stretches_.back().end_row;
  if (previous) {
    for (const Stretch& stretch : previous->stretches_) {
      if (!stretch.file.empty() || stretch.first_row != begin) continue;
      stretches_.push_back(stretch);
      begin = stretch.end_row;
    }
  }
  while (begin < state_.next_row && !stretches_.empty() && stretches_.back().file.empty() &&
         stretches_.back().end_row - stretches_.back().first_row <= state_.next_row - begin) {
    begin = stretches_.back().first_row;
    stretches_.pop_back();
  }
  add_from_database(making, {begin, state_.next_row, "", nullptr}, stretches_);
}

void ExactView::check_count(const Database& database) const {
  std::int64_t count = 0;
  for (const Stretch& stretch : stretches_) {
    if (!stretch.part) continue;
    count += static_cast<std::int64_t>(stretch.part->size());
    const auto first = std::lower_bound(removed_.begin(), removed_.end(), stretch.first_row);
    const auto last = std::lower_bound(first, removed_.end(), stretch.end_row);
    count -= std::count_if(first, last, [&](std::int64_t row) { return stretch.part->holds(row); });
  }
  if (count == state_.trips) return;
  throw Error(
      ErrorCode::bad_input,
      fmt::format("{}: holds {} trips, but says {}", database.path().string(), count, state_.trips),
      "restore it from a copy, or make the collection again");
}

ExactParts::List ExactView::parts() const {
  ExactParts::List parts;
  for (const Stretch& stretch : stretches_) {
    if (stretch.part) parts.push_back(stretch.part);
  }
  return parts;
}

RowPredicate ExactView::present(const RowPredicate& allowed) const {
  if (removed_.empty()) return allowed;
  return [this, &allowed](std::int64_t row) {
    return !std::binary_search(removed_.begin(), removed_.end(), row) && (!allowed || allowed(row));
  };
}

std::shared_ptr<const ExactView> ExactViews::get(const Readers::Lease& lease, Layout layout,
                                                 const CollectionState& state,
                                                 const Heartbeat& heartbeat) {
  const std::lock_guard lock(mutex_);
  if (view_ && view_->state().change == state.change) return view_;
  if (view_ && view_->state().change > state.change) throw Outdated();
  try {
    return make(lease, layout, state, view_.get(), ExactView::Trust::header, heartbeat);
  } catch (const DamagedFile&) {
    return make(lease, layout, state, nullptr, ExactView::Trust::nothing, heartbeat);
  }
}

std::shared_ptr<const ExactView> ExactViews::without_damage(const Readers::Lease& lease,
                                                            Layout layout, const ExactView& damaged,
                                                            const Heartbeat& heartbeat) {
  const std::lock_guard lock(mutex_);
  const bool is_newest = view_->state().change == damaged.state().change;
  if (is_newest && view_.get() != &damaged) return view_;  // another search has met it before
  return make(lease, layout, damaged.state(), nullptr, ExactView::Trust::nothing, heartbeat);
}

std::shared_ptr<const ExactView> ExactViews::make(const Readers::Lease& lease, Layout layout,
                                                  const CollectionState& state,
                                                  const ExactView* previous, ExactView::Trust trust,
                                                  const Heartbeat& heartbeat) {
  // This runs under the lock: a thread that waits here for others must not take up another search
  // meanwhile, which would wait for that lock.
  auto made = tbb::this_task_arena::isolate(
      [&] { return ExactView::make(owner_, *lease, layout, state, previous, trust, heartbeat); });
  if (!lease.is_sound()) throw Outdated();
  if (!made->notes().empty()) {
    // Files go when others take their place.
    const std::vector<std::string> newest = readers_.read([&](const Readers::Lease& another) {
      std::vector<std::string> names;
      for (const ExactRecord& r : ExactRecord::read_all(*another, layout_of(*another))) {
        if (!r.name.empty()) names.push_back(r.name);
      }
      return names;
    });
    if (made->files() != newest) throw Outdated();
  }
  for (const std::string& note : made->notes()) {
    if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
  }
  if (!view_ || view_->state().change <= state.change) view_ = made;
  return made;
}

std::vector<std::string> ExactViews::notes() const {
  const std::lock_guard lock(mutex_);
  return notes_;
}

}  // namespace tsmini
