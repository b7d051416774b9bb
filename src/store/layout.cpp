#include "store/layout.h"

#include <string>

#include <fmt/format.h>

#include "store/records.h"

namespace tsmini {

// Points last: whoever asks for less does not read them. The second index holds all that filters
// ask for.
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
    checksum INTEGER NOT NULL, points BLOB NOT NULL, times BLOB) STRICT;
  CREATE UNIQUE INDEX trips_by_id ON trips (id);
  CREATE INDEX trips_by_place ON trips
    (min_lon, max_lon, min_lat, max_lat, first_time, last_time);
  CREATE TABLE attributes (
    row INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, part INTEGER NOT NULL,
    record TEXT NOT NULL) STRICT;
  CREATE TABLE attribute_names (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE origins (
    number INTEGER PRIMARY KEY, origin TEXT NOT NULL UNIQUE, added INTEGER NOT NULL) STRICT;
  CREATE TABLE removed (number INTEGER PRIMARY KEY, row INTEGER NOT NULL) STRICT;
  CREATE TABLE models (
    number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, file TEXT NOT NULL,
    checksum TEXT NOT NULL, index_kind TEXT NOT NULL, embedded INTEGER NOT NULL) STRICT;
  CREATE TABLE unfit (
    row INTEGER NOT NULL, model INTEGER NOT NULL, PRIMARY KEY (row, model)) STRICT, WITHOUT ROWID;
  CREATE TABLE indexes (
    model INTEGER PRIMARY KEY, name TEXT NOT NULL, end_row INTEGER NOT NULL, rows BLOB) STRICT;
  CREATE TABLE exact_files (
    first_row INTEGER PRIMARY KEY, end_row INTEGER NOT NULL, name TEXT NOT NULL) STRICT;
  CREATE TABLE judgements (model INTEGER PRIMARY KEY, judgement TEXT NOT NULL) STRICT;
  INSERT INTO state VALUES (1, 0, 0, 0, 0, 0);
)";

Layout layout_of(Database& database) {
  return fact(database, "format") == std::to_string(first_format) ? Layout::first : Layout::current;
}

void make_model_tables(Database& database, std::int64_t model) {
  database.run(fmt::format("CREATE TABLE embeddings_{} (row INTEGER PRIMARY KEY, checksum INTEGER "
                           "NOT NULL, embedding BLOB NOT NULL) STRICT",
                           model)
                   .c_str());
}

void drop_model_tables(Database& database, std::int64_t model) {
  database.run(fmt::format("DROP TABLE embeddings_{0}; DELETE FROM unfit WHERE model = {0}; "
                           "DELETE FROM indexes WHERE model = {0}; "
                           "DELETE FROM judgements WHERE model = {0}",
                           model)
                   .c_str());
}

}  // namespace tsmini
