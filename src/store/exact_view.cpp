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

std::shared_ptr<const ExactView> ExactView::make(const Model& model, Database& database,
                                                 const CollectionState& state,
                                                 const ExactView* previous,
                                                 const Heartbeat& heartbeat) {
  const std::shared_ptr<ExactView> view(new ExactView(state, model.measure));
  if (previous && previous->state_.compactions == state.compactions) {
    view->main_ = previous->main_;
    view->recent_begin_ = previous->recent_begin_;
    view->last_removal_ = previous->last_removal_;
    view->removed_ = previous->removed_;
    view->take_removals(database);
    const std::size_t main = view->main_->rows.size();
    const auto recent = static_cast<std::size_t>(state.next_row - view->recent_begin_);
    if (is_small_beside(recent, main) && is_small_beside(view->removed_.size(), main)) {
      const bool is_same = previous->state_.next_row == state.next_row;
      view->recent_ =
          is_same ? previous->recent_ : read_part(model, database, view->recent_begin_, heartbeat);
      view->check_count(database);
      return view;
    }
  } else {
    view->take_removals(database);
  }
  view->removed_.clear();
  view->main_ = read_part(model, database, 0, heartbeat);
  view->recent_begin_ = state.next_row;
  view->check_count(database);
  return view;
}

std::shared_ptr<const ExactView::Part> ExactView::read_part(const Model& model, Database& database,
                                                            std::int64_t first_row,
                                                            const Heartbeat& heartbeat) {
  std::vector<std::int64_t> rows;
  DatasetBuilder builder(model.frame.space.kind() == SpaceKind::planar ? Coordinates::planar
                                                                       : Coordinates::degrees);
  TripScan scan(database, first_row, model.net.dimension);
  Pulse pulse(heartbeat);
  while (scan.next()) {
    pulse.work(scan.trip().size());
    rows.push_back(scan.row());
    builder.add({scan.trip().id, scan.trip().points, {}});
  }
  return std::make_shared<const Part>(
      Part{std::move(rows), ExactSearch(model.measure, PlanarSet(builder.finish(), model.space),
                                        model.measure_settings)});
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

std::size_t ExactView::count_in(const Part& part) const {
  const auto gone = std::count_if(removed_.begin(), removed_.end(), [&](std::int64_t row) {
    return std::binary_search(part.rows.begin(), part.rows.end(), row);
  });
  return part.rows.size() - static_cast<std::size_t>(gone);
}

void ExactView::check_count(const Database& database) const {
  const std::size_t count = count_in(*main_) + (recent_ ? count_in(*recent_) : 0);
  if (count == static_cast<std::size_t>(state_.trips)) return;
  throw Error(
      ErrorCode::bad_input,
      fmt::format("{}: holds {} trips, but says {}", database.path().string(), count, state_.trips),
      "restore it from a copy, or make the collection again");
}

bool ExactView::has_bounds() const {
  return main_->search.has_bounds();
}

// A query's embedding and its neighbours take about 0.3 ms. Candidates save about 0.4 ms of a dtw
// search and 0.1 ms of the others, whose bounds are cheap, for every 100,000 trips.
bool ExactView::gains_by_candidates() const {
  const std::size_t enough = measure_ == Measure::dtw ? 80'000 : 400'000;
  return has_bounds() && main_->rows.size() >= enough;
}

void ExactView::add_nearest(const Part& part, std::span<const Planar> query, std::size_t k,
                            const RowPredicate& allowed, std::span<const std::int64_t> likely,
                            std::vector<RowDistance>& found, SearchWork& work,
                            const Heartbeat& heartbeat) const {
  SearchScope scope;
  if (allowed || !removed_.empty()) {
    scope.allowed = [&](std::size_t index) {
      const std::int64_t row = part.rows[index];
      return !std::binary_search(removed_.begin(), removed_.end(), row) &&
             (!allowed || allowed(row));
    };
  }
  std::vector<std::size_t> candidates;
  for (const std::int64_t row : likely) {
    const auto place = std::lower_bound(part.rows.begin(), part.rows.end(), row);
    if (place == part.rows.end() || *place != row) continue;
    candidates.push_back(static_cast<std::size_t>(place - part.rows.begin()));
  }
  scope.candidates = candidates;
  for (const Neighbour& n : part.search.nearest(query, k, scope, &work, heartbeat)) {
    found.push_back({part.rows[n.index], n.distance});
  }
}

std::vector<RowDistance> ExactView::nearest(std::span<const Planar> query, std::size_t k,
                                            const RowPredicate& allowed,
                                            std::span<const std::int64_t> likely, SearchWork& work,
                                            const Heartbeat& heartbeat) const {
  std::vector<RowDistance> found;
  add_nearest(*main_, query, k, allowed, likely, found, work, heartbeat);
  if (!recent_) return found;
  add_nearest(*recent_, query, k, allowed, likely, found, work, heartbeat);
  std::sort(found.begin(), found.end());
  found.resize(std::min(found.size(), k));
  return found;
}

}  // namespace tsmini
