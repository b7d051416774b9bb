#include "store/searching.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/pairs.h"
#include "tsmini/planar_set.h"
#include "tsmini/reach.h"

#include "store/records.h"

namespace tsmini {
namespace {

// Up to so many allowed trips are read and computed rather than searched.
constexpr std::size_t few_trips = 2000;

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

class Search {
 public:
  Search(const SearchGround& ground, std::span<const Position> query, const SearchRequest& request)
      : ground_(ground),
        request_(request),
        query_(query),
        selection_(ground.database, request.filter),
        allowed_(selection_.predicate()) {}

  SearchResult run() && {
    switch (request_.mode) {
      case SearchMode::fast: answer_fast(); break;
      case SearchMode::rerank:
        answer_by_distance(rows_of(nearest_embeddings(candidate_count())));
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
    std::vector<float> embedding(ground_.encoder.dimension());
    ground_.encoder.embed(query_, embedding, ground_.heartbeat);
    return embedding;
  }

  std::vector<RowHit> nearest_embeddings(std::size_t count) const {
    const std::vector<float> embedding = embedded_query();
    if (!is_comparable(embedding)) {
      throw Error(ErrorCode::bad_input,
                  "the model gives the query an embedding that is not finite or too large",
                  "search with --mode exact, which needs none");
    }
    return ground_.embeddings.nearest(embedding, count, allowed_);
  }

  static std::vector<std::int64_t> rows_of(const std::vector<RowHit>& hits) {
    std::vector<std::int64_t> rows(hits.size());
    std::transform(hits.begin(), hits.end(), rows.begin(), [](const RowHit& h) { return h.row; });
    return rows;
  }

  // A query that the model cannot take does without.
  std::vector<std::int64_t> likely_rows() const {
    const FeatureFrame& frame = ground_.model.frame;
    const bool is_known = std::all_of(query_.begin(), query_.end(), [&](const Position& p) {
      return frame.contains(frame.space.project(p));
    });
    if (!is_known) return {};
    const std::vector<float> embedding = embedded_query();
    if (!is_comparable(embedding)) return {};
    return rows_of(ground_.embeddings.nearest(embedding, candidate_count(), allowed_));
  }

  void answer_fast() {
    for (const RowHit& hit : nearest_embeddings(request_.k)) {
      result_.answers.push_back(
          {read_trip(ground_.database, hit.row), ground_.model.calibration(hit.distance)});
    }
  }

  // Computes all of them.
  void answer_by_distance(const std::vector<std::int64_t>& rows) {
    if (rows.empty()) return;
    std::vector<StoredTrip> trips;
    std::vector<Planar> points;
    std::vector<std::uint64_t> offsets{0};
    for (const std::int64_t row : rows) {
      trips.push_back(read_trip(ground_.database, row));
      const std::vector<Planar> trip = projected(ground_.model.space, trips.back().points);
      points.insert(points.end(), trip.begin(), trip.end());
      offsets.push_back(points.size());
    }
    const PlanarSet set(std::move(points), std::move(offsets));
    const PairEngine engine(ground_.model.measure, set, ground_.model.measure_settings,
                            Precision::double_precision);
    std::vector<double> distances(rows.size());
    engine.one_to_many(projected(ground_.model.space, query_), distances, ground_.heartbeat);
    result_.work.doubled += distances.size();
    result_.work.pairs += distances.size();

    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t count = std::min(request_.k, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count),
                      order.end(), [&](std::size_t a, std::size_t b) {
                        return distances[a] != distances[b] ? distances[a] < distances[b]
                                                            : rows[a] < rows[b];
                      });
    for (std::size_t i = 0; i < count; ++i) {
      result_.answers.push_back({std::move(trips[order[i]]), distances[order[i]]});
    }
  }

  void answer_exactly() {
    const auto& rows = selection_.rows();
    if (rows && rows->size() <= few_trips) {
      std::vector<std::int64_t> chosen;
      std::copy_if(rows->begin(), rows->end(), std::back_inserter(chosen),
                   [&](std::int64_t row) { return selection_.allows(row); });
      return answer_by_distance(chosen);
    }
    const std::shared_ptr<const ExactView> exact = ground_.exact();
    result_.scanned = !exact->has_bounds();
    const std::vector<Planar> query = projected(ground_.model.space, query_);
    std::vector<std::int64_t> likely;
    if (request_.candidates > 0 || exact->gains_by_candidates()) likely = likely_rows();
    for (const ExactView::Found& found :
         exact->nearest(query, request_.k, allowed_, likely, result_.work, ground_.heartbeat)) {
      result_.answers.push_back({read_trip(ground_.database, found.row), found.distance});
    }
  }

  const SearchGround& ground_;
  const SearchRequest& request_;
  std::span<const Position> query_;
  Selection selection_;
  RowPredicate allowed_;
  SearchResult result_;
};

}  // namespace

SearchResult search_in(const SearchGround& ground, std::span<const Position> query,
                       const SearchRequest& request) {
  return Search(ground, query, request).run();
}

}  // namespace tsmini
