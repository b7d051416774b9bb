#include "store/checking.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tsmini/embedding.h"
#include "tsmini/error.h"

#include "base/utf8.h"
#include "search/row_store.h"
#include "store/attribute_records.h"
#include "store/exact_record.h"
#include "store/index_record.h"
#include "store/judgement_record.h"
#include "store/model_record.h"
#include "store/origin_records.h"
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
    const std::string_view found = check.text(0);
    // SQLite says no more than that where a page does not fit its checksum.
    const bool is_page = found.find("unable to get the page") != std::string_view::npos;
    throw_damage(database, is_page ? "is damaged: a page of it is not as tsmini wrote it"
                                   : "is damaged: " + printable(found, 200));
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

std::string id_of(Database& database, std::int64_t row) {
  Statement select = database.prepared("SELECT id FROM trips WHERE row = ?");
  return select.bind(1, row).step() ? printable(select.text(0)) : fmt::format("of row {}", row);
}

// Checks that no trip which is there is said to be removed: such a trip is never an answer.
void check_removed(Database& database) {
  Statement select =
      database.prepared("SELECT id FROM removed JOIN trips ON removed.row = trips.row LIMIT 1");
  if (!select.step()) return;
  throw_damage(database, fmt::format("says of trip '{}', which is there, that it was removed",
                                     printable(select.text(0))));
}

// Counts trips, once for themselves and once for each model.
class Teller {
 public:
  Teller(const Progress& progress, std::int64_t total)
      : progress_(progress), total_(static_cast<std::uint64_t>(total)) {}

  void count(std::uint64_t more = 1) {
    const std::uint64_t before = std::exchange(done_, done_ + more);
    if (progress_ && (done_ / 1024 > before / 1024 || done_ == total_)) progress_({done_, total_});
  }

 private:
  const Progress& progress_;
  std::uint64_t done_ = 0, total_;
};

// Compares the files of exact search with the trips, point by point, in the order of rows. What it
// finds is said at the end: where the database is at fault, that is said first.
class ExactCheck {
 public:
  ExactCheck(const ExactOwner& owner, Database& database, Layout layout)
      : owner_(owner),
        records_(ExactRecord::read_all(database, layout)),
        removed_(removed_rows(database)) {}

  void see(std::int64_t row, const Trajectory& trip) {
    remember([&] { compare(row, trip); });
  }

  // To be called behind the last trip.
  void finish() {
    remember([&] {
      leave();
      while (next_ < records_.size()) {
        enter(records_[next_++]);
        leave();
      }
    });
    if (found_) throw Error(*found_);
  }

 private:
  template <class Work>
  void remember(const Work& work) {
    if (found_) return;
    try {
      work();
    } catch (const Error& error) {
      found_ = error;
    }
  }

  void compare(std::int64_t row, const Trajectory& trip) {
    while (!covers(row)) {
      if (next_ == records_.size()) return;
      leave();
      enter(records_[next_++]);
    }
    if (!file_) refuse(fmt::format("it does not hold trip '{}'", printable(trip.id)));
    const SearchTables& tables = file_->tables();
    while (index_ < tables.size() && file_->rows()[index_] < row) check_removed_row();
    if (index_ == tables.size() || file_->rows()[index_] != row) {
      refuse(fmt::format("it does not hold trip '{}'", printable(trip.id)));
    }
    const auto held = tables.points_at(tables.places[index_++]);
    const auto is_same = [&](const Position& position, const SinglePoint& point) {
      const Planar p = owner_.space.project(position);
      return static_cast<float>(p.x - tables.origin.x) == point.x &&
             static_cast<float>(p.y - tables.origin.y) == point.y;
    };
    if (!std::equal(trip.points.begin(), trip.points.end(), held.begin(), held.end(), is_same)) {
      refuse(fmt::format("its trip '{}' is not that of the database", printable(trip.id)));
    }
  }

  bool covers(std::int64_t row) const { return next_ > 0 && row < records_[next_ - 1].end_row; }

  void enter(const ExactRecord& record) {
    if (record.name.empty()) return;
    file_ = record.load(owner_);
    file_->verify();
    index_ = 0;
  }

  void leave() {
    while (file_ && index_ < file_->tables().size()) check_removed_row();
    file_.reset();
  }

  // What it holds and the database does not must have been removed.
  void check_removed_row() {
    if (!std::binary_search(removed_.begin(), removed_.end(), file_->rows()[index_++])) {
      refuse("it holds trips that are not in the database");
    }
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(
        ErrorCode::bad_input,
        fmt::format("{}: {}", (owner_.folder.path() / records_[next_ - 1].name).string(), what),
        "make it anew with `compact()`");
  }

  const ExactOwner& owner_;
  std::vector<ExactRecord> records_;
  std::vector<std::int64_t> removed_;
  std::size_t next_ = 0;  // behind the one that the rows are in
  std::shared_ptr<const SearchTablesFile> file_;
  std::size_t index_ = 0;  // of the next trip in it
  std::optional<Error> found_;
};

// Returns their rows.
std::vector<std::int64_t> check_trips(const ExactOwner& owner, Database& database, Layout layout,
                                      Teller& teller) {
  ExactCheck files(owner, database, layout);
  const CollectionState state = CollectionState::read(database);
  std::vector<std::int64_t> rows;
  std::int64_t points = 0;
  TripScan scan(database, layout, 0);
  while (scan.next()) {
    if (scan.row() >= state.next_row) throw_damage(database, "holds a row that was never added");
    rows.push_back(scan.row());
    points += static_cast<std::int64_t>(scan.trip().size());
    check_columns(database, scan.row(), scan.trip());
    files.see(scan.row(), scan.trip());
    teller.count();
  }
  if (static_cast<std::int64_t>(rows.size()) != state.trips || points != state.points) {
    throw_damage(database, fmt::format("holds {} trips of {} points, but says {} of {}",
                                       rows.size(), points, state.trips, state.points));
  }
  files.finish();
  return rows;
}

// Compares an index with the embeddings, one by one.
class IndexCheck {
 public:
  IndexCheck(const IndexOwner& owner, Database& database, IndexRecord record)
      : owner_(owner), database_(database), loaded_(LoadedIndex::load(owner, std::move(record))) {
    loaded_.index.verify();
  }

  void see(std::int64_t row, std::span<const float> embedding) {
    const std::size_t position = loaded_.position_of(row);
    if (position == loaded_.index.size()) {
      if (row >= loaded_.record.end_row) return;
      refuse(fmt::format("it does not hold trip '{}'", id_of(database_, row)));
    }
    ++seen_;
    const std::vector<float> held = loaded_.index.row(static_cast<std::uint32_t>(position));
    if (!std::equal(held.begin(), held.end(), embedding.begin(), embedding.end())) {
      refuse(fmt::format("its embedding of trip '{}' is not that of the database",
                         id_of(database_, row)));
    }
  }

  // What it holds and the database does not must have been removed.
  void finish() {
    Statement select = database_.prepared("SELECT DISTINCT row FROM removed");
    while (select.step()) {
      if (loaded_.holds(select.integer(0))) ++seen_;
    }
    if (seen_ != loaded_.index.size()) refuse("it holds trips that are not in the database");
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: {}", (owner_.folder.path() / loaded_.record.name).string(), what),
                "make the index anew with `compact()`");
  }

  const IndexOwner& owner_;
  Database& database_;
  LoadedIndex loaded_;
  std::size_t seen_ = 0;
};

// Every trip that the model has seen has an embedding, or is known to be unfit.
void check_seen(Database& database, const ModelRecord& record,
                const std::vector<std::int64_t>& trips, std::vector<std::int64_t> seen) {
  std::sort(seen.begin(), seen.end());
  const auto end = std::lower_bound(trips.begin(), trips.end(), record.embedded);
  if (std::equal(trips.begin(), end, seen.begin(), seen.end())) return;
  throw_damage(database, fmt::format("the embeddings of model '{}' are not those of its trips",
                                     printable(record.name)));
}

void check_model(const LoadedModel& model, const ModelRecord& record, Database& database,
                 Layout layout, const std::vector<std::int64_t>& trips, Teller& teller) {
  IndexRecord index_record = IndexRecord::read(database, layout, model.number);
  std::optional<IndexCheck> index;
  if (!index_record.name.empty()) index.emplace(model.owner, database, std::move(index_record));
  std::vector<std::int64_t> seen = unfit_rows(database, layout, model.number, 0);
  EmbeddingScan scan(database, layout, model.number, model.owner.dimension, 0);
  std::uint64_t embeddings = 0;
  while (scan.next()) {
    if (!is_comparable(scan.embedding())) {
      throw Error(ErrorCode::bad_input,
                  fmt::format("{}: the embedding of trip '{}' is not finite or too large to be "
                              "compared",
                              database.path().string(), id_of(database, scan.row())),
                  "the model is of no use; remove it, and add another");
    }
    seen.push_back(scan.row());
    if (index) index->see(scan.row(), scan.embedding());
    ++embeddings;
    teller.count();
  }
  if (index) index->finish();
  check_seen(database, record, trips, std::move(seen));
  teller.count(trips.size() - embeddings);  // those without one
  read_judgement(database, layout, model.number);
}

}  // namespace

void check_collection(const ExactOwner& owner, const LoadedModels::List& models,
                      const std::vector<ModelRecord>& records, Database& database, Layout layout,
                      const Progress& progress) {
  check_pages(database);
  check_removed(database);
  const std::int64_t trips = CollectionState::read(database).trips;
  Teller teller(progress, trips * static_cast<std::int64_t>(1 + models.size()));
  const std::vector<std::int64_t> rows = check_trips(owner, database, layout, teller);
  check_attributes(database, layout, rows);
  for (std::size_t i = 0; i < models.size(); ++i) {
    check_model(*models[i], records[i], database, layout, rows, teller);
  }
  check_origins(database, layout);
}

}  // namespace tsmini
