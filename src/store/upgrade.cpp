#include "store/upgrade.h"

#include <cstdint>

#include "store/attribute_records.h"
#include "store/layout.h"
#include "store/model_record.h"
#include "store/records.h"

namespace tsmini {
namespace {

constexpr std::int64_t only_model = 1;

// Tables and indexes of the first layout, whose names those of the current one take.
const char* const set_aside = R"(
  ALTER TABLE trips RENAME TO trips_before;
  DROP INDEX trips_by_id;
  DROP INDEX trips_by_place;
  ALTER TABLE facts RENAME TO facts_before;
  ALTER TABLE state RENAME TO state_before;
  ALTER TABLE removed RENAME TO removed_before;
)";

const char* const take_over = R"(
  INSERT INTO facts SELECT * FROM facts_before WHERE name = 'identity';
  DELETE FROM state;
  INSERT INTO state SELECT * FROM state_before;
  INSERT INTO removed SELECT * FROM removed_before;
  INSERT INTO indexes SELECT 1, name, end_row, rows FROM current_index;
)";

const char* const drop_before = R"(
  DROP TABLE trips_before;
  DROP TABLE facts_before;
  DROP TABLE state_before;
  DROP TABLE removed_before;
  DROP TABLE current_index;
)";

// What does not fit its checksum gets one that does not fit either.
void move_trips(Database& database) {
  Statement select = database.prepared(
      "SELECT row, id, checksum, points, times, embedding FROM trips_before ORDER BY row");
  while (select.step()) {
    const std::int64_t row = select.integer(0);
    const TripBytes trip = TripBytes::at(select);
    std::uint64_t checksum = trip_checksum(Layout::current, trip);
    std::uint64_t checksum_of_embedding = embedding_checksum(row, trip.embedding);
    if (trip_checksum(Layout::first, trip) != static_cast<std::uint64_t>(select.integer(2))) {
      checksum = ~checksum;
      checksum_of_embedding = ~checksum_of_embedding;
    }
    database
        .prepared(
            "INSERT INTO trips SELECT row, id, min_lon, min_lat, max_lon, max_lat, first_time, "
            "last_time, ?2, points, times FROM trips_before WHERE row = ?1")
        .bind(1, row)
        .bind(2, static_cast<std::int64_t>(checksum))
        .run();
    database.prepared("INSERT INTO embeddings_1 VALUES (?, ?, ?)")
        .bind(1, row)
        .bind(2, static_cast<std::int64_t>(checksum_of_embedding))
        .bind_bytes(3, trip.embedding)
        .run();
    insert_attributes(database, row, Part::none, {});
  }
}

}  // namespace

bool upgrade(Database& database, const std::string& space) {
  if (layout_of(database) == Layout::current) return false;
  Transaction writing(database, Transaction::Kind::write);
  if (layout_of(database) == Layout::current) return false;  // another was quicker
  const ModelRecord model = ModelRecord::read_all(database, Layout::first).front();
  database.run(set_aside);
  database.run(schema);
  database.run(take_over);
  set_fact(database, "format", std::to_string(current_format));
  set_fact(database, "upgraded_from", std::to_string(first_format));
  set_fact(database, "space", space);
  model.insert(database);
  make_model_tables(database, only_model);
  move_trips(database);
  database.run(drop_before);
  count_change(database);
  writing.commit();
  return true;
}

}  // namespace tsmini
