#include "search/answering.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/enum_names.h"
#include "search/candidates.h"
#include "search/query_forms.h"
#include "search/request_plan.h"

namespace tsmini {
namespace {

// Up to so many trips are read and computed rather than looked up in what exact search keeps.
constexpr std::size_t few_trips = 64;
// A hundredth of the trips hardly changes how many of the true nearest are found.
constexpr std::size_t few_share = 100;
// Trips of a scan that are in memory at a time.
constexpr std::size_t stretch = 4096;
// For so many trips or more it is quicker to let bounds discard most.
constexpr std::size_t many_trips = 4096;

void check(std::span<const Position> query) {
  if (query.empty()) throw Error(ErrorCode::bad_input, "the query has no points");
  if (!std::all_of(query.begin(), query.end(), [](const Position& p) {
        return std::isfinite(p.lon) && std::isfinite(p.lat);
      })) {
    throw Error(ErrorCode::bad_input, "the query has a point that is not finite");
  }
}

class Answering {
 public:
  Answering(const TripSource& trips, std::span<const Position> query, const SearchRequest& request,
            const Heartbeat& heartbeat)
      : trips_(trips),
        plan_(plan_of(request, trips.space(), trips.models())),
        query_(query),
        planar_query_(projected(plan_.chosen.space, query)),
        request_(request),
        heartbeat_(heartbeat),
        selection_(trips.select(request.filter)),
        allowed_(selection_.predicate()) {}

  SearchResult run() && {
    result_.measure = plan_.chosen.measure;
    result_.mode = plan_.mode;
    if (plan_.mode != SearchMode::exact && !answer_by_model()) result_.mode = SearchMode::exact;
    if (result_.mode == SearchMode::exact) answer_exactly();
    return std::move(result_);
  }

 private:
  // How many trips the filter names; none where all may be answers but those excluded.
  std::optional<std::size_t> passing() const {
    if (!selection_.rows) return std::nullopt;
    return selection_.rows->size();
  }

  // fast and rerank; false where the model cannot take the query.
  bool answer_by_model() {
    const auto embedding = embedded(*plan_.model, query_, heartbeat_);
    if (!embedding) return false;
    const bool is_fast = plan_.mode == SearchMode::fast;
    const std::size_t count =
        is_fast ? request_.k : candidates_for(request_, *plan_.model, passing());
    result_.expected_recall = recall_of(*plan_.model, request_.k, count, passing());
    if (!is_fast && result_.expected_recall == 1.0) {  // all are candidates
      result_.candidates = std::min(count, plan_.model->size());
      answer_exactly();
      return true;
    }
    std::vector<RowDistance> found = plan_.model->nearest(*embedding, count, allowed_);
    if (is_fast) {
      for (RowDistance& f : found) f.distance = estimated(f.distance);
      // Trips that the model cannot take come among the answers by their true distances, which the
      // judgement knows nothing of.
      if (plan_.model->unfit().size() > plan_.model->size() / few_share) {
        result_.expected_recall.reset();
      }
    } else {
      result_.candidates = found.size();
      found = nearest_of(rows_of(found));
    }
    const std::vector<RowDistance> beside = nearest_among(plan_.model->unfit());
    found.insert(found.end(), beside.begin(), beside.end());
    take(std::move(found), request_.k);
    if (is_fast) mark_estimates(plan_.model->unfit());
    return true;
  }

  // Marks all answers as estimated but trips that the model cannot take, which were measured.
  void mark_estimates(std::span<const std::int64_t> measured) {
    for (Answer& answer : result_.answers) {
      answer.estimated = !std::binary_search(measured.begin(), measured.end(),
                                             static_cast<std::int64_t>(answer.trip.row));
    }
  }

  // The true distance that one of embeddings stands for.
  double estimated(double distance) const {
    const Judgement* judgement = plan_.model->judgement();
    const bool is_known = judgement && !judgement->distances.empty();
    return is_known ? judgement->distances(distance) : plan_.model->model().calibration(distance);
  }

  std::vector<std::int64_t> allowed_of(std::span<const std::int64_t> rows) const {
    std::vector<std::int64_t> chosen;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen),
                 [&](std::int64_t row) { return selection_.allows(row); });
    return chosen;
  }

  // The k nearest, exactly, of some rows, rising.
  std::vector<RowDistance> nearest_among(std::span<const std::int64_t> rows) {
    const std::vector<std::int64_t> chosen = allowed_of(rows);
    if (chosen.size() < many_trips) return nearest_of(chosen);
    const auto is_chosen = [&](std::int64_t row) {
      return std::binary_search(chosen.begin(), chosen.end(), row);
    };
    return trips_.exact(plan_.chosen.measure, plan_.chosen.settings, heartbeat_)
        ->nearest(planar_query_, request_.k, is_chosen, {}, result_.work, heartbeat_);
  }

  // The k nearest of not too many rows, all of which may be answers.
  std::vector<RowDistance> nearest_of(const std::vector<std::int64_t>& rows) {
    if (rows.size() <= few_trips) return measured(rows);
    return trips_.exact(plan_.chosen.measure, plan_.chosen.settings, heartbeat_)
        ->nearest_among(planar_query_, request_.k, rows, result_.work, heartbeat_);
  }

  // Computes all of them; keeps their trips.
  std::vector<RowDistance> measured(std::span<const std::int64_t> rows) {
    std::vector<RowDistance> found =
        tsmini::measured(trips_, plan_.chosen, planar_query_, rows, read_, heartbeat_);
    result_.work.doubled += found.size();
    result_.work.pairs += found.size();
    return found;
  }

  // The first of them become the answers.
  void take(std::vector<RowDistance> found, std::size_t most) {
    const std::size_t count = std::min(most, found.size());
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count),
                      found.end());
    for (std::size_t i = 0; i < count; ++i) {
      heartbeat_.beat();
      const auto place = read_.find(found[i].row);
      result_.answers.push_back(
          {place == read_.end() ? trips_.trip(found[i].row) : std::move(place->second),
           found[i].distance});
    }
  }

  void answer_exactly() {
    if (!is_defined(plan_.chosen.measure, query_.size())) {
      throw Error(
          ErrorCode::bad_input,
          fmt::format("the query has one point, {} needs two", name_of(plan_.chosen.measure)),
          "choose another measure");
    }
    const auto& rows = selection_.rows;
    if (plan_.chosen.space != trips_.space()) {
      result_.scanned = true;
      return answer_by_scan(allowed_of(rows ? *rows : trips_.rows()));
    }
    if (rows && rows->size() <= few_trips) return answer_by_scan(allowed_of(*rows));
    const auto exact = trips_.exact(plan_.chosen.measure, plan_.chosen.settings, heartbeat_);
    result_.scanned = !exact->has_bounds();
    if (request_.within) {
      auto found =
          exact->within(planar_query_, *request_.within, allowed_, result_.work, heartbeat_);
      const std::size_t all = found.size();
      return take(std::move(found), all);
    }
    std::vector<std::int64_t> likely;
    if (plan_.model && plan_.mode == SearchMode::exact && request_.candidates > 0) {
      if (const auto embedding = embedded(*plan_.model, query_, heartbeat_)) {
        const std::size_t count = std::max(request_.k, request_.candidates);
        likely = rows_of(plan_.model->nearest(*embedding, count, allowed_));
      }
    }
    take(exact->nearest(planar_query_, request_.k, allowed_, likely, result_.work, heartbeat_),
         request_.k);
  }

  // Reads and computes all of them, a stretch at a time.
  void answer_by_scan(std::span<const std::int64_t> rows) {
    std::vector<RowDistance> best;
    for (; !rows.empty(); rows = rows.subspan(std::min(stretch, rows.size()))) {
      read_.clear();
      const auto found = measured(rows.first(std::min(stretch, rows.size())));
      std::copy_if(found.begin(), found.end(), std::back_inserter(best), [&](const auto& f) {
        return !request_.within || f.distance <= *request_.within;
      });
      if (request_.within || best.size() <= request_.k) continue;
      std::nth_element(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(request_.k),
                       best.end());
      best.resize(request_.k);
    }
    const std::size_t all = best.size();
    take(std::move(best), all);
  }

  const TripSource& trips_;
  RequestPlan plan_;
  std::span<const Position> query_;
  std::vector<Planar> planar_query_;
  const SearchRequest& request_;
  const Heartbeat& heartbeat_;
  RowSelection selection_;
  RowPredicate allowed_;
  ReadTrips read_;  // whatever was measured one by one
  SearchResult result_;
};

}  // namespace

std::string_view name_of(SearchMode mode) {
  return name_in(search_mode_names, mode);
}

SearchMode search_mode_from(std::string_view name) {
  return named<SearchMode>(search_mode_names, name, "search mode", "mode");
}

SearchResult answer(const TripSource& trips, std::span<const Position> query,
                    const SearchRequest& request, const Heartbeat& heartbeat) {
  check(query);
  return Answering(trips, query, request, heartbeat).run();
}

}  // namespace tsmini
