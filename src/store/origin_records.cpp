#include "store/origin_records.h"

#include <nlohmann/json.hpp>

#include "store/records.h"

namespace tsmini {
namespace {

using Json = nlohmann::ordered_json;

// Of a collection that grows every hour the last days tell enough.
constexpr std::int64_t most_told = 100;

}  // namespace

void insert_origin(Database& database, std::string_view origin, std::int64_t added) {
  database
      .prepared(
          "INSERT INTO origins (origin, added) VALUES (?, ?) "
          "ON CONFLICT (origin) DO UPDATE SET added = added + excluded.added")
      .bind(1, origin)
      .bind(2, added)
      .run();
}

std::string collection_provenance(Database& database, Layout layout) {
  Json json = {{"collection", fact(database, "identity")}, {"added", Json::array()}};
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
      Json from = Json::parse(select.text(0), nullptr, false);
      if (from.is_discarded()) from = select.text(0);
      json["added"].push_back({{"trips", select.integer(1)}, {"from", std::move(from)}});
    }
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tsmini
