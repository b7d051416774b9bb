#include "search/query_forms.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/pairs.h"
#include "tsmini/planar_set.h"

#include "model/flaws.h"
#include "search/answering.h"
#include "search/row_store.h"

namespace tsmini {

std::vector<Planar> projected(const Space& space, std::span<const Position> points) {
  if (const std::string flaw = flaw_in(space, {{}, points, {}}); !flaw.empty()) {
    throw Error(ErrorCode::bad_input, fmt::format("the query {}", flaw),
                "a space measures around its central meridian: make a collection for each region");
  }
  std::vector<Planar> result(points.size());
  std::transform(points.begin(), points.end(), result.begin(),
                 [&](const Position& p) { return space.project(p); });
  return result;
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

std::vector<RowDistance> measured(const TripSource& trips, Measure measure,
                                  const MeasureSettings& settings, std::span<const Planar> query,
                                  std::span<const std::int64_t> rows, ReadTrips& read,
                                  const Heartbeat& heartbeat) {
  std::vector<std::int64_t> taken;
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  for (const std::int64_t row : rows) {
    const StoredTrip& trip = read.emplace(row, trips.trip(row)).first->second;
    if (!is_defined(measure, trip.points.size())) continue;
    const std::vector<Planar> planar = projected(trips.space(), trip.points);
    points.insert(points.end(), planar.begin(), planar.end());
    offsets.push_back(points.size());
    taken.push_back(row);
  }
  if (taken.empty()) return {};
  const PlanarSet set(std::move(points), std::move(offsets));
  const PairEngine engine(measure, set, settings, Precision::double_precision);
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
