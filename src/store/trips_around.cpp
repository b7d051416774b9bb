#include "store/trips_around.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "store/attribute_records.h"
#include "store/layout.h"
#include "store/origin_records.h"
#include "store/records.h"

namespace tsmini {
namespace {

// The attributes in this order, also those that the trip has no value of: the first trip of a data
// set gives its columns their order.
std::vector<Attribute> in_order(const std::vector<std::string>& names, const StoredTrip& trip) {
  std::vector<Attribute> attributes;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(trip.attributes.begin(), trip.attributes.end(),
                     [&](const OwnedAttribute& attribute) { return attribute.name == name; });
    attributes.push_back(found != trip.attributes.end() ? found->view() : Attribute{name, {}});
  }
  return attributes;
}

}  // namespace

Dataset trips_around(Database& database, Coordinates coordinates, const Box& box, std::size_t most,
                     const Heartbeat& heartbeat) {
  Statement select = database.prepared(
      "SELECT row FROM trips WHERE max_lon >= ? AND max_lat >= ? AND min_lon <= ? AND min_lat <= "
      "?");
  select.bind(1, box.min_lon).bind(2, box.min_lat).bind(3, box.max_lon).bind(4, box.max_lat);
  std::vector<std::int64_t> rows;
  while (select.step()) rows.push_back(select.integer(0));
  std::sort(rows.begin(), rows.end());
  DatasetBuilder builder(coordinates);
  const Layout layout = layout_of(database);
  const std::vector<std::string> names = attribute_names(database, layout);
  const std::size_t count = std::min(most, rows.size());
  for (std::size_t i = 0; i < count; ++i) {
    heartbeat.beat();
    const std::int64_t row = rows[i * rows.size() / count];
    StoredTrip trip = read_trip(database, layout, row);
    read_attributes(database, layout, trip);
    builder.add(trip.view(), trip.part, i == 0 ? in_order(names, trip) : views_of(trip.attributes));
  }
  return builder.finish(collection_provenance(database, layout));
}

}  // namespace tsmini
