#include "store/collection_info.h"

#include <cstdint>

#include "store/attribute_records.h"
#include "store/layout.h"
#include "store/origin_records.h"

namespace tsmini {
namespace {

CollectionModel facts_of(const StoredModel& model) {
  const EmbeddingView& view = model.view();
  CollectionModel facts;
  facts.name = model.name();
  facts.model = model.shared_model();
  facts.is_complete = model.is_complete();
  facts.unfit = view.unfit().size();
  if (view.index()) {
    facts.index = view.index()->index.settings().kind;
    facts.indexed = view.index()->index.size();
  }
  facts.removed = view.removed();
  facts.tail = view.tail();
  if (const Judgement* judgement = model.judgement()) facts.judgement = *judgement;
  return facts;
}

}  // namespace

std::vector<CollectionModel> models_of(const StoredTrips& trips) {
  std::vector<CollectionModel> models;
  for (const auto& model : trips.stored_models()) models.push_back(facts_of(*model));
  return models;
}

CollectionInfo info_of(const StoredTrips& trips) {
  CollectionInfo info;
  info.trips = static_cast<std::uint64_t>(trips.state().trips);
  info.points = static_cast<std::uint64_t>(trips.state().points);
  info.models = models_of(trips);
  const Layout layout = layout_of(trips.database());
  info.attributes = attribute_names(trips.database(), layout);
  info.provenance = collection_provenance(trips.database(), layout);
  Statement select = trips.database().prepared(
      "SELECT min(min_lon), min(min_lat), max(max_lon), max(max_lat), min(first_time), "
      "max(last_time) FROM trips");
  if (!select.step() || select.is_null(0)) return info;
  info.extent = Box{select.real(0), select.real(1), select.real(2), select.real(3)};
  if (!select.is_null(4)) info.times = {select.integer(4), select.integer(5)};
  // Few stay in one place, so that only their points are looked at.
  Statement count = trips.database().prepared(
      "SELECT count(*) FROM trips WHERE min_lon = max_lon AND min_lat = max_lat AND "
      "length(points) = 16");
  if (count.step()) info.of_one_point = static_cast<std::uint64_t>(count.integer(0));
  return info;
}

}  // namespace tsmini
