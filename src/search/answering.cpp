#include "search/answering.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/pairs.h"
#include "tsmini/planar_set.h"
#include "tsmini/reach.h"

#include "model/names.h"
#include "search/row_store.h"

namespace tsmini {
namespace {

constexpr std::array<std::string_view, 3> mode_names = {"fast", "rerank", "exact"};
// Up to so many trips are read and computed rather than searched.
constexpr std::size_t few_trips = 2000;

void check(std::span<const Position> query, const SearchRequest& request) {
  if (request.k == 0) throw Error(ErrorCode::usage, "k must be at least 1");
  if (query.empty()) throw Error(ErrorCode::bad_input, "the query has no points");
  if (!std::all_of(query.begin(), query.end(), [](const Position& p) {
        return std::isfinite(p.lon) && std::isfinite(p.lat);
      })) {
    throw Error(ErrorCode::bad_input, "the query has a point that is not finite");
  }
}

std::vector<Planar> projected(const Space& space, std::span<const Position> points) {
  std::vector<Planar> result(points.size());
  std::transform(points.begin(), points.end(), result.begin(),
                 [&](const Position& p) { return space.project(p); });
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (reaches(space, result[i])) continue;
    throw Error(ErrorCode::bad_input,
                fmt::format("the point {}, {} is {}", points[i].lon, points[i].lat,
                            place_text(space, points[i])),
                "a model measures around its central meridian: make a collection for each region");
  }
  return result;
}

std::vector<std::int64_t> rows_of(const std::vector<RowDistance>& found) {
  std::vector<std::int64_t> rows(found.size());
  std::transform(found.begin(), found.end(), rows.begin(),
                 [](const RowDistance& d) { return d.row; });
  return rows;
}

class Answering {
 public:
  Answering(const TripSource& trips, std::span<const Position> query, const SearchRequest& request,
            const Heartbeat& heartbeat)
      : trips_(trips),
        model_(trips.embedded().model()),
        query_(query),
        request_(request),
        heartbeat_(heartbeat),
        selection_(trips.select(request.filter)),
        allowed_(selection_.predicate()) {}

  SearchResult run() && {
    switch (request_.mode) {
      case SearchMode::fast: answer_fast(); break;
      case SearchMode::rerank:
        take_nearest(measured(rows_of(nearest_embeddings(candidate_count()))));
        break;
      case SearchMode::exact: answer_exactly(); break;
    }
    return std::move(result_);
  }

 private:
  std::size_t candidate_count() const {
    return std::max(request_.k, request_.candidates > 0 ? request_.candidates : 5 * request_.k);
  }

  std::vector<float> embedded_query() const {
    const Encoder& encoder = trips_.embedded().encoder();
    std::vector<float> embedding(encoder.dimension());
    encoder.embed(query_, embedding, heartbeat_);
    return embedding;
  }

  std::vector<RowDistance> nearest_embeddings(std::size_t count) const {
    const std::vector<float> embedding = embedded_query();
    if (!is_comparable(embedding)) {
      throw Error(ErrorCode::bad_input,
                  "the model gives the query an embedding that is not finite or too large",
                  "search with --mode exact, which needs none");
    }
    return trips_.embedded().nearest(embedding, count, allowed_);
  }

  // A query that the model cannot take does without.
  std::vector<std::int64_t> likely_rows() const {
    const FeatureFrame& frame = model_.frame;
    const bool is_known = std::all_of(query_.begin(), query_.end(), [&](const Position& p) {
      return frame.contains(frame.space.project(p));
    });
    if (!is_known) return {};
    const std::vector<float> embedding = embedded_query();
    if (!is_comparable(embedding)) return {};
    return rows_of(trips_.embedded().nearest(embedding, candidate_count(), allowed_));
  }

  void answer_fast() {
    for (const RowDistance& hit : nearest_embeddings(request_.k)) {
      result_.answers.push_back({trips_.trip(hit.row), model_.calibration(hit.distance)});
    }
  }

  // Computes all of them; keeps their trips.
  std::vector<RowDistance> measured(const std::vector<std::int64_t>& rows) {
    if (rows.empty()) return {};
    std::vector<Planar> points;
    std::vector<std::uint64_t> offsets{0};
    for (const std::int64_t row : rows) {
      const StoredTrip& trip = read_.emplace(row, trips_.trip(row)).first->second;
      const std::vector<Planar> planar = projected(trips_.space(), trip.points);
      points.insert(points.end(), planar.begin(), planar.end());
      offsets.push_back(points.size());
    }
    const PlanarSet set(std::move(points), std::move(offsets));
    const PairEngine engine(model_.measure, set, model_.measure_settings,
                            Precision::double_precision);
    std::vector<double> distances(rows.size());
    engine.one_to_many(projected(trips_.space(), query_), distances, heartbeat_);
    result_.work.doubled += distances.size();
    result_.work.pairs += distances.size();
    std::vector<RowDistance> found;
    for (std::size_t i = 0; i < rows.size(); ++i) found.push_back({rows[i], distances[i]});
    return found;
  }

  void take_nearest(std::vector<RowDistance> found) {
    const std::size_t count = std::min(request_.k, found.size());
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count),
                      found.end());
    for (std::size_t i = 0; i < count; ++i) {
      const auto place = read_.find(found[i].row);
      result_.answers.push_back({place == read_.end() ? trips_.trip(found[i].row)
                                                      : std::move(place->second),
                                 found[i].distance});
    }
  }

  void answer_exactly() {
    const auto& rows = selection_.rows;
    if (rows && rows->size() <= few_trips) {
      std::vector<std::int64_t> chosen;
      std::copy_if(rows->begin(), rows->end(), std::back_inserter(chosen),
                   [&](std::int64_t row) { return selection_.allows(row); });
      return take_nearest(measured(chosen));
    }
    const auto exact = trips_.exact(model_.measure, model_.measure_settings, heartbeat_);
    result_.scanned = !exact->has_bounds();
    std::vector<std::int64_t> likely;
    if (request_.candidates > 0 || exact->gains_by_candidates()) likely = likely_rows();
    take_nearest(exact->nearest(projected(trips_.space(), query_), request_.k, allowed_, likely,
                                result_.work, heartbeat_));
  }

  const TripSource& trips_;
  const Model& model_;
  std::span<const Position> query_;
  const SearchRequest& request_;
  const Heartbeat& heartbeat_;
  RowSelection selection_;
  RowPredicate allowed_;
  std::unordered_map<std::int64_t, StoredTrip> read_;  // whatever was measured one by one
  SearchResult result_;
};

}  // namespace

std::string_view name_of(SearchMode mode) {
  return mode_names[static_cast<std::size_t>(mode)];
}

SearchMode search_mode_from(std::string_view name) {
  return named<SearchMode>(name, mode_names, "search mode");
}

SearchResult answer(const TripSource& trips, std::span<const Position> query,
                    const SearchRequest& request, const Heartbeat& heartbeat) {
  check(query, request);
  return Answering(trips, query, request, heartbeat).run();
}

}  // namespace tsmini
