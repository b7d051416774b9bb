#include "store/origin_records.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"

#include "base/json.h"
#include "store/records.h"

namespace tsmini {
namespace {

using Json = nlohmann::ordered_json;

// Earlier origins are left out: where a collection grows every hour, the last days tell enough.
constexpr std::int64_t most_told = 100;

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A collection among the origins is told by its name and state. Its own origins stay with it:
// where trips go to and fro between collections each would hold the origins of all, many times.
void forget_origins_of_collections(Json& json) {
  if (!json.is_structured()) return;
  if (json.is_object() && json.contains("collection")) {
    json.erase("added");
    json.erase("earlier_left_out");
  }
  for (Json& part : json) forget_origins_of_collections(part);
}

[[noreturn]] void throw_altered(const Database& database, const std::string& what) {
  throw Error(ErrorCode::bad_input,
              fmt::format("{}: what it says of where trips came from was altered: {}",
                          database.path().string(), what),
              "restore it from a copy, or make the collection again");
}

}  // namespace

void insert_origin(Database& database, std::string_view origin, std::int64_t added) {
  Json json = json_or_text(std::string(origin));
  forget_origins_of_collections(json);
  database
      .prepared(
          "INSERT INTO origins (origin, added) VALUES (?, ?) "
          "ON CONFLICT (origin) DO UPDATE SET added = added + excluded.added, "
          "number = (SELECT max(number) + 1 FROM origins)")
      .bind(1, text_of(json))
      .bind(2, added)
      .run();
}

std::string collection_provenance(Database& database, Layout layout) {
  const CollectionState state = CollectionState::read(database);
  Json json = {{"collection", fact(database, "identity")},
               {"change", state.change},
               {"trips", state.trips},
               {"added", Json::array()}};
  const std::string upgraded = fact(database, "upgraded_from");
  if (layout == Layout::first || !upgraded.empty()) json["made_by"] = "tsmini 0.1";
  if (layout == Layout::current) {
    Statement count = database.prepared("SELECT count(*) FROM origins");
    const std::int64_t all = count.step() ? count.integer(0) : 0;
    if (all > most_told) json["earlier_left_out"] = all - most_told;
    Statement select = database.prepared(
        "SELECT origin, added FROM (SELECT * FROM origins ORDER BY number DESC LIMIT ?) "
        "ORDER BY number");
    select.bind(1, most_told);
    while (select.step()) {
      json["added"].push_back(
          {{"trips", select.integer(1)}, {"from", json_or_text(std::string(select.text(0)))}});
    }
  }
  return text_of(json);
}

void check_origins(Database& database, Layout layout) {
  if (layout == Layout::first) return;
  Statement select = database.prepared("SELECT number, origin, added FROM origins");
  std::int64_t added = 0;
  while (select.step()) {
    const std::int64_t number = select.integer(0), trips = select.integer(2);
    if (!Json::accept(select.text(1))) {
      throw_altered(database, fmt::format("origin {} is no JSON", number));
    }
    if (trips < 1) throw_altered(database, fmt::format("{} trips of origin {}", trips, number));
    added += trips;
  }
  // Every row had an origin, but for those of a version that kept none.
  const std::int64_t rows = CollectionState::read(database).next_row;
  const bool are_all_told = fact(database, "upgraded_from").empty();
  if (added > rows || (are_all_told && added < rows)) {
    throw_altered(database, fmt::format("{} trips, where {} were added", added, rows));
  }
}

}  // namespace tsmini
