#include "search/judge.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/stopwatch.h"
#include "search/query_forms.h"

namespace tsmini {
namespace {

constexpr std::size_t deepest = RecallCurve::depths.back();
constexpr std::size_t most_one_by_one = 500;
constexpr std::size_t far_pairs = 10;
constexpr std::size_t least_queries = 30;  // fewer say little
constexpr int most_patience = 2;           // times the limit, for these

// A number near the golden section of n and prime to it: its multiples modulo n are spread over
// all.
std::size_t spreading_step(std::size_t n) {
  auto step = std::max<std::size_t>(1, static_cast<std::size_t>(0.618 * static_cast<double>(n)));
  while (std::gcd(step, n) != 1) ++step;
  return step;
}

}  // namespace

struct Judge::Query {
  std::vector<Planar> planar;
  std::vector<float> embedding;
  std::optional<std::int64_t> self;

  // The first k of a list of k + 1 that may hold the query itself.
  std::vector<RowDistance> others(std::vector<RowDistance> found, std::size_t k) const {
    if (self) std::erase_if(found, [&](const RowDistance& f) { return f.row == *self; });
    found.resize(std::min(k, found.size()));
    return found;
  }
};

Judge::Judge(const TripSource& trips, const EmbeddedTrips& model, const Heartbeat& heartbeat)
    : trips_(trips),
      model_(model),
      heartbeat_(heartbeat),
      chosen_{model.model().measure, settings_in(trips.space(), model.model()), trips.space()},
      exact_(trips.exact(chosen_.measure, chosen_.settings, heartbeat)) {}

bool Judge::add(std::span<const Position> query, std::optional<std::int64_t> self) {
  if (!is_defined(chosen_.measure, query.size())) return false;
  auto embedding = embedded(model_, query, heartbeat_);
  if (!embedding) return false;
  const Query forms{projected(trips_.space(), query), std::move(*embedding), self};
  const std::vector<RowDistance> near = nearest_embedded(forms, deepest);
  SearchWork ignored;
  const std::vector<RowDistance> truth = forms.others(
      exact_->nearest(forms.planar, deepest + 1, {}, {}, ignored, heartbeat_), deepest);
  if (truth.empty()) return false;
  ++queries_;
  count_found(forms, truth);
  add_pairs(forms, near);
  if (self) add_far_pairs(forms);
  return true;
}

std::vector<RowDistance> Judge::nearest_embedded(const Query& query, std::size_t k) const {
  heartbeat_.beat();
  return query.others(model_.nearest(query.embedding, k + 1, {}), k);
}

// A neighbour counts from the first number of candidates on that holds it.
void Judge::count_found(const Query& query, std::span<const RowDistance> truth) {
  constexpr const auto& steps = RecallCurve::counts;
  const std::span<const std::int64_t> unfit = model_.unfit();
  std::vector<std::size_t> found_at(truth.size(), steps.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (std::binary_search(unfit.begin(), unfit.end(), truth[i].row)) found_at[i] = 0;
  }
  std::vector<RowDistance> candidates;
  for (std::size_t place = 0; place < steps.size(); ++place) {
    if (std::count(found_at.begin(), found_at.end(), steps.size()) == 0) break;
    const bool one_by_one = steps[place] <= most_one_by_one;
    if (one_by_one || steps[place - 1] <= most_one_by_one) {
      candidates = nearest_embedded(query, one_by_one ? steps[place] : steps.back());
    }
    std::vector<std::int64_t> rows =
        rows_of(std::span(candidates).first(std::min(candidates.size(), steps[place])));
    std::sort(rows.begin(), rows.end());
    for (std::size_t i = 0; i < truth.size(); ++i) {
      if (std::binary_search(rows.begin(), rows.end(), truth[i].row)) {
        found_at[i] = std::min(found_at[i], place);
      }
    }
  }
  for (std::size_t d = 0; d < RecallCurve::depths.size(); ++d) {
    const std::size_t wanted = std::min(RecallCurve::depths[d], truth.size());
    for (std::size_t place = 0; place < steps.size(); ++place) {
      const auto found =
          std::count_if(found_at.begin(), found_at.begin() + static_cast<std::ptrdiff_t>(wanted),
                        [&](std::size_t at) { return at <= place; });
      sums_[d][place] += static_cast<double>(found) / static_cast<double>(wanted);
    }
  }
}

void Judge::add_pairs(const Query& query, std::span<const RowDistance> near) {
  ReadTrips ignored;
  const std::vector<RowDistance> exact =
      measured(trips_, chosen_, query.planar, rows_of(near), ignored, heartbeat_);
  auto next = exact.begin();
  for (std::size_t i = 0; i < near.size() && next != exact.end(); ++i) {
    if (next->row != near[i].row) continue;  // the measure is not defined for it
    const DistancePair pair{near[i].distance, (next++)->distance};
    if (i < 10) ten_nearest_.push_back(pair);
    pairs_.push_back(pair);
  }
}

void Judge::add_far_pairs(const Query& query) {
  const std::size_t count = std::min(far_pairs, earlier_.size());
  const auto some = std::span(earlier_).last(count);
  std::vector<std::int64_t> rows(count);
  std::transform(some.begin(), some.end(), rows.begin(), [](const Earlier& e) { return e.row; });
  ReadTrips ignored;
  const std::vector<RowDistance> exact =
      measured(trips_, chosen_, query.planar, rows, ignored, heartbeat_);
  for (std::size_t i = 0; i < count; ++i) {
    const double distance =
        embedding_distance(model_.model().net.metric, query.embedding, some[i].embedding);
    pairs_.push_back({distance, exact[i].distance});
  }
  earlier_.push_back({*query.self, query.embedding});
}

RecallCurve Judge::recall() const {
  RecallCurve::Shares shares = sums_;
  for (auto& row : shares) {
    for (double& share : row) share /= static_cast<double>(std::max<std::uint64_t>(1, queries_));
  }
  return RecallCurve(shares);
}

std::optional<Judgement> judge_model(const TripSource& trips, const EmbeddedTrips& model,
                                     std::uint64_t size, std::span<const std::int64_t> rows,
                                     std::chrono::duration<double> limit,
                                     const Progress& progress) {
  if (rows.empty()) return std::nullopt;
  const Heartbeat heartbeat(progress, rows.size());
  Judge judge(trips, model, heartbeat);
  const Stopwatch watch;
  const std::size_t step = spreading_step(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::chrono::duration<double> spent(watch.seconds());
    if (spent > (judge.queries() < least_queries ? most_patience * limit : limit)) break;
    const std::int64_t row = rows[i * step % rows.size()];
    judge.add(trips.trip(row).points, row);
    heartbeat.advance(1);
  }
  if (judge.queries() < std::min(least_queries, rows.size())) return std::nullopt;
  return Judgement{size, judge.queries(), judge.recall(), judge.distances()};
}

}  // namespace tsmini
