#include "store/records.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/checksum.h"
#include "base/utf8.h"
#include "store/attribute_records.h"

namespace tsmini {

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

[[noreturn]] void throw_altered_embedding(Database& database, std::int64_t row) {
  Statement select = database.prepared("SELECT id FROM trips WHERE row = ?");
  const std::string id = select.bind(1, row).step() ? std::string(select.text(0)) : std::string();
  throw Error(ErrorCode::bad_input,
              fmt::format("{}: the embedding of trip '{}' (row {}) was altered",
                          database.path().string(), printable(id), row),
              "restore the collection from a copy, or remove the model and add it again");
}

// Columns of a trip, the same in both layouts: row, id, checksum, points, times, embedding.
std::string trip_columns(Layout layout) {
  return std::string("SELECT row, id, checksum, points, times, ") +
         (layout == Layout::first ? "embedding" : "NULL") + " FROM trips WHERE row ";
}

// False where it was altered.
bool take_trip(const Statement& columns, Layout layout, std::vector<Position>& points,
               std::vector<std::int64_t>& times, std::vector<float>& embedding) {
  return take(columns.bytes(3), points) && take(columns.bytes(4), times) &&
         take(columns.bytes(5), embedding) && !points.empty() &&
         trip_checksum(layout, TripBytes::at(columns)) ==
             static_cast<std::uint64_t>(columns.integer(2));
}

}  // namespace

TripBytes TripBytes::at(const Statement& columns) {
  return {columns.text(1), columns.bytes(3), columns.bytes(4), columns.bytes(5)};
}

std::uint64_t trip_checksum(Layout layout, const TripBytes& trip) {
  Checksum sum;
  sum.piece(trip.id).piece(trip.points).piece(trip.times);
  if (layout == Layout::first) sum.piece(trip.embedding);
  return sum.value();
}

std::uint64_t embedding_checksum(std::int64_t row, std::span<const std::byte> embedding) {
  return Checksum().piece(std::as_bytes(std::span(&row, 1))).piece(embedding).value();
}

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

void count_change(Database& database) {
  CollectionState state = CollectionState::read(database);
  ++state.change;
  state.write(database);
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
  Box box = Box::empty();
  for (const Position& p : points) box.add(p);
  return box;
}

void insert_trip(Database& database, std::int64_t row, const Trajectory& trip) {
  const Box box = box_of(trip.points);
  Statement insert =
      database.prepared("INSERT INTO trips VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(1, row).bind(2, trip.id);
  insert.bind(3, box.min_lon).bind(4, box.min_lat).bind(5, box.max_lon).bind(6, box.max_lat);
  if (trip.has_times()) {
    insert.bind(7, trip.times.front()).bind(8, trip.times.back());
    insert.bind_bytes(11, std::as_bytes(trip.times));
  }
  const TripBytes bytes{trip.id, std::as_bytes(trip.points), std::as_bytes(trip.times), {}};
  insert.bind(9, static_cast<std::int64_t>(trip_checksum(Layout::current, bytes)))
      .bind_bytes(10, bytes.points)
      .run();
}

void insert_embedding(Database& database, std::int64_t model, std::int64_t row,
                      std::span<const float> embedding) {
  database.prepared(fmt::format("INSERT INTO embeddings_{} VALUES (?, ?, ?)", model))
      .bind(1, row)
      .bind(2, static_cast<std::int64_t>(embedding_checksum(row, std::as_bytes(embedding))))
      .bind_bytes(3, std::as_bytes(embedding))
      .run();
}

void insert_unfit(Database& database, std::int64_t model, std::int64_t row) {
  database.prepared("INSERT INTO unfit VALUES (?, ?)").bind(1, row).bind(2, model).run();
}

void delete_trip(Database& database, std::span<const std::int64_t> models, std::int64_t row) {
  for (const std::int64_t model : models) {
    database.prepared(fmt::format("DELETE FROM embeddings_{} WHERE row = ?", model))
        .bind(1, row)
        .run();
  }
  database.prepared("DELETE FROM unfit WHERE row = ?").bind(1, row).run();
  delete_attributes(database, row);
  database.prepared("DELETE FROM trips WHERE row = ?").bind(1, row).run();
}

StoredTrip read_trip(Database& database, Layout layout, std::int64_t row) {
  Statement select = database.prepared(trip_columns(layout) + "= ?");
  if (!select.bind(1, row).step()) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: there is no trip of row {}", database.path().string(), row),
                "its index does not fit it; make it anew with `compact()`");
  }
  StoredTrip trip;
  trip.row = static_cast<std::uint64_t>(row);
  trip.id = select.text(1);
  std::vector<float> embedding;
  if (!take_trip(select, layout, trip.points, trip.times, embedding)) {
    throw_altered(database, trip.id, row);
  }
  return trip;
}

std::int64_t row_of(Database& database, std::string_view id) {
  Statement select = database.prepared("SELECT row FROM trips WHERE id = ?");
  return select.bind(1, id).step() ? select.integer(0) : -1;
}

std::vector<std::int64_t> unfit_rows(Database& database, Layout layout, std::int64_t model,
                                     std::int64_t first_row) {
  std::vector<std::int64_t> rows;
  if (layout == Layout::first) return rows;  // such were refused
  Statement select =
      database.prepared("SELECT row FROM unfit WHERE row >= ? AND model = ? ORDER BY row");
  select.bind(1, first_row).bind(2, model);
  while (select.step()) rows.push_back(select.integer(0));
  return rows;
}

std::vector<std::int64_t> removed_rows(Database& database) {
  std::vector<std::int64_t> rows;
  Statement select = database.prepared("SELECT DISTINCT row FROM removed ORDER BY row");
  while (select.step()) rows.push_back(select.integer(0));
  return rows;
}

TripScan::TripScan(Database& database, Layout layout, std::int64_t first_row)
    : database_(database),
      layout_(layout),
      statement_(database.prepared(trip_columns(layout) + ">= ? ORDER BY row")) {
  statement_.bind(1, first_row);
}

bool TripScan::next() {
  if (!statement_.step()) return false;
  row_ = statement_.integer(0);
  id_ = statement_.text(1);
  if (!take_trip(statement_, layout_, points_, times_, embedding_)) {
    throw_altered(database_, id_, row_);
  }
  return true;
}

EmbeddingScan::EmbeddingScan(Database& database, Layout layout, std::int64_t model,
                             std::size_t dimension, std::int64_t first_row)
    : database_(database),
      layout_(layout),
      statement_(database.prepared(
          layout == Layout::first
              ? trip_columns(layout) + ">= ? ORDER BY row"
              : fmt::format("SELECT row, checksum, embedding FROM embeddings_{} WHERE row >= ? "
                            "ORDER BY row",
                            model))),
      dimension_(dimension) {
  statement_.bind(1, first_row);
}

bool EmbeddingScan::next() {
  if (!statement_.step()) return false;
  row_ = statement_.integer(0);
  if (layout_ == Layout::first) {
    std::vector<Position> points;
    std::vector<std::int64_t> times;
    if (!take_trip(statement_, layout_, points, times, embedding_) ||
        embedding_.size() != dimension_) {
      throw_altered(database_, statement_.text(1), row_);
    }
    return true;
  }
  if (!take(statement_.bytes(2), embedding_) || embedding_.size() != dimension_ ||
      embedding_checksum(row_, statement_.bytes(2)) !=
          static_cast<std::uint64_t>(statement_.integer(1))) {
    throw_altered_embedding(database_, row_);
  }
  return true;
}

}  // namespace tsmini
