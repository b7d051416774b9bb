#include "search/query_forms.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tsmini/embedding.h"
#include "tsmini/error.h"
#include "tsmini/flaws.h"
#include "tsmini/pair_engine.h"
#include "tsmini/planar_set.h"

#include "base/utf8.h"
#include "search/row_store.h"

namespace tsmini {

namespace {

// `what` names in an error whose points they are.
void append_projected(const Space& space, std::span<const Position> points, std::string_view what,
                      std::vector<Planar>& planar) {
  if (const std::string flaw = flaw_in(space, {{}, points, {}}); !flaw.empty()) {
    throw Error(ErrorCode::bad_input, fmt::format("{} {}", what, flaw),
                "a space measures around its central meridian: make a collection for each region");
  }
  std::transform(points.begin(), points.end(), std::back_inserter(planar),
                 [&](const Position& p) { return space.project(p); });
}

}  // namespace

std::vector<Planar> projected(const Space& space, std::span<const Position> query) {
  std::vector<Planar> planar;
  append_projected(space, query, "the query", planar);
  return planar;
}

std::optional<std::vector<float>> embedded(const EmbeddedTrips& model,
                                           std::span<const Position> query,
                                           const Heartbeat& heartbeat) {
  if (!flaw_of(model.model(), {{}, query, {}}).empty()) return std::nullopt;
  const Encoder& encoder = model.encoder();
  std::vector<float> embedding(encoder.dimension());
  encoder.embed(query, embedding, heartbeat);
  if (!is_comparable(embedding)) return std::nullopt;
  return embedding;
}

std::vector<RowDistance> measured(const TripSource& trips, const ChosenMeasure& chosen,
                                  std::span<const Planar> query, std::span<const std::int64_t> rows,
                                  ReadTrips& read, const Heartbeat& heartbeat) {
  std::vector<std::int64_t> taken;
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  for (const std::int64_t row : rows) {
    const StoredTrip& trip = read.emplace(row, trips.trip(row)).first->second;
    if (!is_defined(chosen.measure, trip.points.size())) continue;
    append_projected(chosen.space, trip.points, fmt::format("trip '{}'", printable(trip.id)),
                     points);
    offsets.push_back(points.size());
    taken.push_back(row);
  }
  if (taken.empty()) return {};
  const PlanarSet set(std::move(points), std::move(offsets));
  const PairEngine engine(chosen.measure, set, chosen.settings, Precision::double_precision);
  std::vector<double> distances(taken.size());
  engine.one_to_many(query, distances, heartbeat);
  std::vector<RowDistance> found;
  for (std::size_t i = 0; i < taken.size(); ++i) found.push_back({taken[i], distances[i]});
  return found;
}

std::vector<std::int64_t> rows_of(std::span<const RowDistance> found) {
  std::vector<std::int64_t> rows(found.size());
  std::transform(found.begin(), found.end(), rows.begin(),
                 [](const RowDistance& d) { return d.row; });
  return rows;
}

}  // namespace tsmini
