// Trips and embeddings as rows of the database: how they are written, read and checked.
//
// Rows are numbered from 0 in the order they were added; a number is never used again. A row
// carries a checksum of all that matters in it, which is compared whenever it is used: an altered
// trip is an error, never an answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/search.h"
#include "tsmini/trajectory.h"

#include "store/layout.h"
#include "store/sqlite.h"

namespace tsmini {

// What changes with every transaction that writes, in one row.
struct CollectionState {
  std::int64_t change = 0;       // counts such transactions
  std::int64_t next_row = 0;     // of the next trip to be added
  std::int64_t trips = 0;        // that are there
  std::int64_t points = 0;       // of these
  std::int64_t compactions = 0;  // counts how often removed rows were forgotten

  static CollectionState read(Database& database);
  void write(Database& database) const;
};
// Counts a transaction that changes nothing else of the state.
void count_change(Database& database);
// The same as read(database).change, quicker.
std::int64_t current_change(Database& database);

// What stays as it was when the collection was made.
std::string fact(Database& database, std::string_view name);
// Throws Error(failure) where it is another collection's, which took the place of ours.
void check_identity(Database& database, std::string_view identity);
void set_fact(Database& database, std::string_view name, std::string_view value);

// The bounding box of one point or more.
Box box_of(std::span<const Position> points);

// A trip as its row holds it.
struct TripBytes {
  std::string_view id;
  std::span<const std::byte> points, times;
  std::span<const std::byte> embedding;  // in the first layout

  // Where the statement is at; it selects row, id, checksum, points, times and embedding.
  static TripBytes at(const Statement& columns);
};
// What rows carry: the first layout has one checksum for a trip and its embedding.
std::uint64_t trip_checksum(Layout layout, const TripBytes& trip);
std::uint64_t embedding_checksum(std::int64_t row, std::span<const std::byte> embedding);

// Writes a trip. Tables must be of the current layout, as for all that writes.
void insert_trip(Database& database, std::int64_t row, const Trajectory& trip);
void insert_embedding(Database& database, std::int64_t model, std::int64_t row,
                      std::span<const float> embedding);
// Notes that the model cannot take the trip.
void insert_unfit(Database& database, std::int64_t model, std::int64_t row);
// Deletes a trip and what the models have of it.
void delete_trip(Database& database, std::span<const std::int64_t> models, std::int64_t row);

// Points, id and times of the trip of this row, without its attributes. Throws Error(bad_input)
// where it was altered or is not there.
StoredTrip read_trip(Database& database, Layout layout, std::int64_t row);
// The row of an id, or -1.
std::int64_t row_of(Database& database, std::string_view id);
// Rows from the first on that the model cannot take, rising.
std::vector<std::int64_t> unfit_rows(Database& database, Layout layout, std::int64_t model,
                                     std::int64_t first_row);

// Rows that were removed and are not forgotten, rising.
std::vector<std::int64_t> removed_rows(Database& database);

// Goes through the trips from a row on, in the order of their rows.
class TripScan {
 public:
  // One scan of a connection at a time.
  TripScan(Database& database, Layout layout, std::int64_t first_row);

  // False behind the last. Throws Error(bad_input) for a trip that was altered.
  bool next();

  // The row and the trip that the scan is at.
  std::int64_t row() const { return row_; }
  Trajectory trip() const { return {id_, points_, times_}; }

 private:
  Database& database_;
  Layout layout_;
  Statement statement_;
  std::int64_t row_ = -1;
  std::string_view id_;
  std::vector<Position> points_;
  std::vector<std::int64_t> times_;
  std::vector<float> embedding_;
};

// Goes through the embeddings of a model from a row on, in the order of their rows.
class EmbeddingScan {
 public:
  // One scan of a connection at a time.
  EmbeddingScan(Database& database, Layout layout, std::int64_t model, std::size_t dimension,
                std::int64_t first_row);

  // False behind the last. Throws Error(bad_input) for one that was altered.
  bool next();

  // The row and the embedding that the scan is at.
  std::int64_t row() const { return row_; }
  std::span<const float> embedding() const { return embedding_; }

 private:
  Database& database_;
  Layout layout_;
  Statement statement_;
  std::size_t dimension_;
  std::int64_t row_ = -1;
  std::vector<float> embedding_;
};

}  // namespace tsmini
