#include "store/records.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/checksum.h"
#include "base/text.h"

namespace tsmini {

// Embedding and points last: whoever asks for less does not read them. The second index holds all
// that filters ask for.
const char* const schema = R"(
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1), change INTEGER NOT NULL,
    next_row INTEGER NOT NULL, trips INTEGER NOT NULL, points INTEGER NOT NULL,
    compactions INTEGER NOT NULL) STRICT;
  CREATE TABLE trips (
    row INTEGER PRIMARY KEY, id TEXT NOT NULL,
    min_lon REAL NOT NULL, min_lat REAL NOT NULL, max_lon REAL NOT NULL, max_lat REAL NOT NULL,
    first_time INTEGER, last_time INTEGER,
    checksum INTEGER NOT NULL, embedding BLOB NOT NULL, points BLOB NOT NULL, times BLOB) STRICT;
  CREATE UNIQUE INDEX trips_by_id ON trips (id);
  CREATE INDEX trips_by_place ON trips
    (min_lon, max_lon, min_lat, max_lat, first_time, last_time);
  CREATE TABLE removed (number INTEGER PRIMARY KEY, row INTEGER NOT NULL) STRICT;
  CREATE TABLE current_index (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1), name TEXT NOT NULL,
    end_row INTEGER NOT NULL, rows BLOB) STRICT;
  INSERT INTO state VALUES (1, 0, 0, 0, 0, 0);
)";

namespace {

template <class T>
bool take(std::span<const std::byte> bytes, std::vector<T>& values) {
  if (bytes.size() % sizeof(T) != 0) return false;
  values.resize(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return true;
}

[[noreturn]] void throw_altered(const Database& database, std::string_view id, std::int64_t row) {
  throw Error(ErrorCode::bad_input,
              fmt::format("{}: trip '{}' (row {}) was altered", database.path().string(),
                          printable(id), row),
              "restore the collection from a copy, or remove the trip and add it again");
}

}  // namespace

CollectionState CollectionState::read(Database& database) {
  Statement select = database.prepared(
      "SELECT change, next_row, trips, points, compactions FROM state WHERE only_row = 1");
  if (!select.step()) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: its state is missing", database.path().string()),
                "restore it from a copy, or make the collection again");
  }
  return {select.integer(0), select.integer(1), select.integer(2), select.integer(3),
          select.integer(4)};
}

void CollectionState::write(Database& database) const {
  database
      .prepared("UPDATE state SET change = ?, next_row = ?, trips = ?, points = ?, compactions = ?")
      .bind(1, change)
      .bind(2, next_row)
      .bind(3, trips)
      .bind(4, points)
      .bind(5, compactions)
      .run();
}

std::int64_t current_change(Database& database) {
  Statement select = database.prepared("SELECT change FROM state WHERE only_row = 1");
  return select.step() ? select.integer(0) : -1;
}

std::string fact(Database& database, std::string_view name) {
  Statement select = database.prepared("SELECT value FROM facts WHERE name = ?");
  return select.bind(1, name).step() ? std::string(select.text(0)) : std::string();
}

void check_identity(Database& database, std::string_view identity) {
  if (fact(database, "identity") == identity) return;
  throw Error(ErrorCode::failure,
              fmt::format("{}: another collection took its place while it was in use",
                          database.path().string()),
              "open it again");
}

void set_fact(Database& database, std::string_view name, std::string_view value) {
  database.prepared("INSERT OR REPLACE INTO facts VALUES (?, ?)")
      .bind(1, name)
      .bind(2, value)
      .run();
}

Box box_of(std::span<const Position> points) {
  Box box{points.front().lon, points.front().lat, points.front().lon, points.front().lat};
  for (const Position& p : points) {
    box = {std::min(box.min_lon, p.lon), std::min(box.min_lat, p.lat), std::max(box.max_lon, p.lon),
           std::max(box.max_lat, p.lat)};
  }
  return box;
}

std::uint64_t checksum_of(const Trajectory& trip, std::span<const float> embedding) {
  return Checksum()
      .piece(trip.id)
      .piece(std::as_bytes(trip.points))
      .piece(std::as_bytes(trip.times))
      .piece(std::as_bytes(embedding))
      .value();
}

void insert_trip(Database& database, std::int64_t row, const Trajectory& trip,
                 std::span<const float> embedding) {
  const Box box = box_of(trip.points);
  Statement insert =
      database.prepared("INSERT INTO trips VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(1, row).bind(2, trip.id);
  insert.bind(3, box.min_lon).bind(4, box.min_lat).bind(5, box.max_lon).bind(6, box.max_lat);
  if (trip.has_times()) {
    insert.bind(7, trip.times.front()).bind(8, trip.times.back());
    insert.bind_bytes(12, std::as_bytes(trip.times));
  }
  insert.bind(9, static_cast<std::int64_t>(checksum_of(trip, embedding)))
      .bind_bytes(10, std::as_bytes(embedding))
      .bind_bytes(11, std::as_bytes(trip.points))
      .run();
}

StoredTrip read_trip(Database& database, std::int64_t row) {
  Statement select =
      database.prepared("SELECT id, checksum, embedding, points, times FROM trips WHERE row = ?");
  if (!select.bind(1, row).step()) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: there is no trip of row {}", database.path().string(), row),
                "its index does not fit it; make it anew with 'tsmini compact'");
  }
  StoredTrip trip;
  trip.row = static_cast<std::uint64_t>(row);
  trip.id = select.text(0);
  std::vector<float> embedding;
  if (!take(select.bytes(2), embedding) || !take(select.bytes(3), trip.points) ||
      !take(select.bytes(4), trip.times) || trip.points.empty() ||
      checksum_of(trip.view(), embedding) != static_cast<std::uint64_t>(select.integer(1))) {
    throw_altered(database, trip.id, row);
  }
  return trip;
}

std::int64_t row_of(Database& database, std::string_view id) {
  Statement select = database.prepared("SELECT row FROM trips WHERE id = ?");
  return select.bind(1, id).step() ? select.integer(0) : -1;
}

TripScan::TripScan(Database& database, std::int64_t first_row, std::size_t dimension)
    : database_(database),
      statement_(database.prepared("SELECT row, id, checksum, embedding, points, times FROM trips "
                                   "WHERE row >= ? ORDER BY row")),
      dimension_(dimension) {
  statement_.bind(1, first_row);
}

bool TripScan::next() {
  if (!statement_.step()) return false;
  row_ = statement_.integer(0);
  id_ = statement_.text(1);
  if (!take(statement_.bytes(3), embedding_) || !take(statement_.bytes(4), points_) ||
      !take(statement_.bytes(5), times_) || embedding_.size() != dimension_ || points_.empty() ||
      checksum_of(trip(), embedding_) != static_cast<std::uint64_t>(statement_.integer(2))) {
    throw_altered(database_, id_, row_);
  }
  return true;
}

}  // namespace tsmini
