#include "store/checking.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "search/row_store.h"
#include "store/records.h"

namespace tsmini {
namespace {

[[noreturn]] void throw_damage(const Database& database, const std::string& what) {
  throw Error(ErrorCode::bad_input, fmt::format("{}: {}", database.path().string(), what),
              "restore it from a copy, or make the collection again");
}

void check_pages(Database& database) {
  Statement check = database.prepared("PRAGMA integrity_check(1)");
  if (!check.step() || check.text(0) != "ok") {
    throw_damage(database, "is damaged: " + printable(check.text(0), 200));
  }
}

// What filters look at.
void check_columns(Database& database, std::int64_t row, const Trajectory& trip) {
  Statement select = database.prepared(
      "SELECT min_lon, min_lat, max_lon, max_lat, first_time, last_time FROM trips WHERE row = ?");
  const Box box = box_of(trip.points);
  const bool same = select.bind(1, row).step() && select.real(0) == box.min_lon &&
                    select.real(1) == box.min_lat && select.real(2) == box.max_lon &&
                    select.real(3) == box.max_lat && select.is_null(4) != trip.has_times() &&
                    (!trip.has_times() || (select.integer(4) == trip.times.front() &&
                                           select.integer(5) == trip.times.back()));
  if (!same) {
    throw_damage(database,
                 fmt::format("box or times of trip '{}' were altered", printable(trip.id)));
  }
}

// Compares the index with the trips, one by one.
class IndexCheck {
 public:
  IndexCheck(const IndexOwner& owner, const LoadedIndex& loaded) : owner_(owner), loaded_(loaded) {}

  void see(std::int64_t row, const Trajectory& trip, std::span<const float> embedding) {
    const std::size_t position = loaded_.position_of(row);
    if (position == loaded_.index.size()) {
      if (row >= loaded_.record.end_row) return;
      refuse(fmt::format("it does not hold trip '{}'", printable(trip.id)));
    }
    ++seen_;
    const std::vector<float> held = loaded_.index.row(static_cast<std::uint32_t>(position));
    if (!std::equal(held.begin(), held.end(), embedding.begin(), embedding.end())) {
      refuse(fmt::format("its embedding of trip '{}' is not that of the database",
                         printable(trip.id)));
    }
  }

  // What it holds and the database does not must have been removed.
  void finish(Database& database) {
    Statement select = database.prepared("SELECT DISTINCT row FROM removed");
    while (select.step()) {
      if (loaded_.holds(select.integer(0))) ++seen_;
    }
    if (seen_ != loaded_.index.size()) refuse("it holds trips that are not in the database");
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: {}", (owner_.folder.path() / loaded_.record.name).string(), what),
                "make the index anew with 'tsmini compact'");
  }

  const IndexOwner& owner_;
  const LoadedIndex& loaded_;
  std::size_t seen_ = 0;
};

// What says that it is removed is never an answer.
void check_removed(Database& database) {
  Statement select =
      database.prepared("SELECT id FROM removed JOIN trips ON removed.row = trips.row LIMIT 1");
  if (!select.step()) return;
  throw_damage(database, fmt::format("says of trip '{}', which is there, that it was removed",
                                     printable(select.text(0))));
}

void check_trips(const IndexOwner& owner, Database& database, IndexCheck* index,
                 const Progress& progress) {
  const CollectionState state = CollectionState::read(database);
  std::int64_t trips = 0, points = 0;
  TripScan scan(database, 0, owner.dimension);
  while (scan.next()) {
    if (scan.row() >= state.next_row) throw_damage(database, "holds a row that was never added");
    ++trips;
    points += static_cast<std::int64_t>(scan.trip().size());
    check_columns(database, scan.row(), scan.trip());
    if (!is_comparable(scan.embedding())) {
      throw Error(ErrorCode::bad_input,
                  fmt::format("{}: the embedding of trip '{}' is not finite or too large to be "
                              "compared",
                              database.path().string(), printable(scan.trip().id)),
                  "the model is of no use; make the collection again with another");
    }
    if (index) index->see(scan.row(), scan.trip(), scan.embedding());
    if (progress && (trips % 1024 == 0 || trips == state.trips)) {
      progress({static_cast<std::uint64_t>(trips), static_cast<std::uint64_t>(state.trips)});
    }
  }
  if (index) index->finish(database);
  if (trips != state.trips || points != state.points) {
    throw_damage(database, fmt::format("holds {} trips of {} points, but says {} of {}", trips,
                                       points, state.trips, state.points));
  }
}

}  // namespace

void check_collection(const IndexOwner& owner, Database& database, const Progress& progress) {
  check_pages(database);
  check_removed(database);
  IndexRecord record = IndexRecord::read(database);
  if (record.name.empty()) return check_trips(owner, database, nullptr, progress);
  const LoadedIndex loaded = LoadedIndex::load(owner, std::move(record));
  loaded.index.verify();
  IndexCheck index(owner, loaded);
  check_trips(owner, database, &index, progress);
}

}  // namespace tsmini
