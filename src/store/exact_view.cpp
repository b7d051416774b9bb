#include "store/exact_view.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/pulse.h"

namespace tsmini {
namespace {

// A part of its own is as good as being in the main one up to here.
bool is_small_beside(std::size_t part, std::size_t main) {
  return part <= std::max<std::size_t>(1000, main / 10);
}

}  // namespace

std::shared_ptr<const ExactView> ExactView::make(const ExactTask& task, Database& database,
                                                 Layout layout, const CollectionState& state,
                                                 const ExactView* previous,
                                                 const Heartbeat& heartbeat) {
  const std::shared_ptr<ExactView> view(new ExactView(state));
  if (previous && previous->state_.compactions == state.compactions) {
    view->main_ = previous->main_;
    view->recent_begin_ = previous->recent_begin_;
    view->last_removal_ = previous->last_removal_;
    view->removed_ = previous->removed_;
    view->take_removals(database);
    const std::size_t main = view->main_->rows().size();
    const auto recent = static_cast<std::size_t>(state.next_row - view->recent_begin_);
    if (is_small_beside(recent, main) && is_small_beside(view->removed_.size(), main)) {
      const bool is_same = previous->state_.next_row == state.next_row;
      view->recent_ = is_same ? previous->recent_
                              : read_part(task, database, layout, view->recent_begin_, heartbeat);
      view->check_count(database);
      return view;
    }
  } else {
    view->take_removals(database);
  }
  view->removed_.clear();
  view->main_ = read_part(task, database, layout, 0, heartbeat);
  view->recent_begin_ = state.next_row;
  view->check_count(database);
  return view;
}

std::shared_ptr<const ExactPart> ExactView::read_part(const ExactTask& task, Database& database,
                                                      Layout layout, std::int64_t first_row,
                                                      const Heartbeat& heartbeat) {
  std::vector<std::int64_t> rows;
  DatasetBuilder builder(task.space.coordinates());
  TripScan scan(database, layout, first_row);
  Pulse pulse(heartbeat);
  while (scan.next()) {
    pulse.work(scan.trip().size());
    rows.push_back(scan.row());
    builder.add({scan.trip().id, scan.trip().points, {}});
  }
  return std::make_shared<const ExactPart>(builder.finish(), std::move(rows), task.space,
                                           task.measure, task.settings);
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

std::size_t ExactView::count_in(const ExactPart& part) const {
  const std::span<const std::int64_t> rows = part.rows();
  const auto gone = std::count_if(removed_.begin(), removed_.end(), [&](std::int64_t row) {
    return std::binary_search(rows.begin(), rows.end(), row);
  });
  return rows.size() - static_cast<std::size_t>(gone);
}

void ExactView::check_count(const Database& database) const {
  const std::size_t count = count_in(*main_) + (recent_ ? count_in(*recent_) : 0);
  if (count == static_cast<std::size_t>(state_.trips)) return;
  throw Error(
      ErrorCode::bad_input,
      fmt::format("{}: holds {} trips, but says {}", database.path().string(), count, state_.trips),
      "restore it from a copy, or make the collection again");
}

RowPredicate ExactView::without_removed(const RowPredicate& allowed) const {
  if (removed_.empty()) return allowed;
  return [this, &allowed](std::int64_t row) {
    return !std::binary_search(removed_.begin(), removed_.end(), row) && (!allowed || allowed(row));
  };
}

std::vector<RowDistance> ExactView::nearest(std::span<const Planar> query, std::size_t k,
                                            const RowPredicate& allowed,
                                            std::span<const std::int64_t> likely, SearchWork& work,
                                            const Heartbeat& heartbeat) const {
  const RowPredicate present = without_removed(allowed);
  std::vector<RowDistance> found;
  main_->add_nearest(query, k, present, likely, found, work, heartbeat);
  if (!recent_) return found;
  recent_->add_nearest(query, k, present, likely, found, work, heartbeat);
  std::sort(found.begin(), found.end());
  found.resize(std::min(found.size(), k));
  return found;
}

std::vector<RowDistance> ExactView::within(std::span<const Planar> query, double radius,
                                           const RowPredicate& allowed, SearchWork& work,
                                           const Heartbeat& heartbeat) const {
  const RowPredicate present = without_removed(allowed);
  std::vector<RowDistance> found;
  main_->add_within(query, radius, present, found, work, heartbeat);
  if (!recent_) return found;
  recent_->add_within(query, radius, present, found, work, heartbeat);
  std::sort(found.begin(), found.end());
  return found;
}

std::shared_ptr<const ExactView> ExactViews::get(const ExactTask& task, const Readers::Lease& lease,
                                                 Layout layout, const CollectionState& state,
                                                 const Heartbeat& heartbeat) {
  const std::lock_guard lock(reading_);
  auto kept = recent_.find(task.measure, task.settings);
  if (kept && kept->state().change == state.change) return kept;
  const bool is_older = kept && kept->state().change > state.change;
  auto made =
      ExactView::make(task, *lease, layout, state, is_older ? nullptr : kept.get(), heartbeat);
  if (!is_older && lease.is_sound()) recent_.keep(task.measure, task.settings, made);
  return made;
}

}  // namespace tsmini
