#include "measure/bounded_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "measure/check.h"

namespace tsmini {
namespace {

constexpr std::size_t batch_size = 16;
// Trajectories of which the true points are asked for at a time.
constexpr std::size_t most_true_points = 1024;

// The largest float that is not above x: a bound, which is a float, is at most this exactly where
// it is at most x.
float rounded_down(double x) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (x == std::numeric_limits<double>::infinity()) return infinity;
  if (x > std::numeric_limits<float>::max()) return std::numeric_limits<float>::max();
  const auto rounded = static_cast<float>(x);
  return rounded > x ? std::nextafter(rounded, -infinity) : rounded;
}

// Distances that may err, and how far the truth may be from them: the k-th smallest upper end is a
// radius that holds k answers. Without an error they are the distances themselves.
class Shortlist {
 public:
  Shortlist(std::size_t k, double radius, const SingleError& error)
      : k_(k), radius_(radius), error_(error) {}

  void add(std::size_t index, double distance) {
    found_.push_back({index, distance});
    if (k_ == 0) return;
    uppers_.push_back({index, error_.most(distance)});
    std::push_heap(uppers_.begin(), uppers_.end());
    if (uppers_.size() > k_) {
      std::pop_heap(uppers_.begin(), uppers_.end());
      uppers_.pop_back();
    }
    if (has_k()) radius_ = std::min(radius_, uppers_.front().distance);
  }

  bool has_k() const { return uppers_.size() == k_; }
  bool has_k_within(double radius) const { return has_k() && uppers_.front().distance <= radius; }

  // Nothing farther than this is an answer.
  double radius() const { return radius_; }

  // Whether a candidate could be one. Where its bound is the distance of the last of k, it is an
  // answer only with a lower index than that one's. Most trajectories share nothing with the query,
  // and have an edr and lcss of 1: these are spared.
  bool may_hold(const Candidate& candidate) const {
    const double bound = candidate.bound;
    if (error_.is_none() && k_ > 0 && has_k() && bound == uppers_.front().distance) {
      return bound <= radius_ && candidate.index < uppers_.front().index;
    }
    return bound <= radius_;
  }

  std::vector<std::size_t> possible() const {
    std::vector<std::size_t> indices;
    for (const Neighbour& n : found_) {
      if (error_.least(n.distance) <= radius_) indices.push_back(n.index);
    }
    return indices;
  }

 private:
  std::size_t k_;
  double radius_;
  SingleError error_;
  std::vector<Neighbour> found_;
  std::vector<Neighbour> uppers_;  // heap of the k smallest, and whose they are
};

std::vector<std::size_t> indices_of(std::span<const Candidate> candidates) {
  std::vector<std::size_t> indices;
  for (const Candidate& candidate : candidates) indices.push_back(candidate.index);
  return indices;
}

}  // namespace

BoundedSearch::BoundedSearch(Measure measure, const MeasureSettings& settings,
                             const SearchTables& tables)
    : measure_(measure), tables_(tables), extent_(tables.extent), double_(measure, settings) {
  if (measure == Measure::erp) {
    extent_ = std::max(extent_, largest_coordinate({&settings.gap, 1}, tables.origin));
  }
  if (tables.size() == 0 || extent_ < smallest_extent || extent_ > largest_extent) return;
  bounds_ = LowerBounds::of(measure, tables, settings);
  // A band is computed in double precision or not at all.
  if (has_single_error(measure) && !settings.band) single_.emplace(measure, settings);
}

// One search.
class BoundedSearch::Run {
 public:
  Run(const BoundedSearch& search, std::span<const Planar> query, const Request& request,
      const TruePoints& points, SearchWork& work, const Heartbeat& heartbeat)
      : search_(search),
        tables_(search.tables_),
        query_(query),
        request_(request),
        true_points_(points),
        work_(work),
        heartbeat_(heartbeat) {}

  std::vector<Neighbour> scan() {
    std::vector<std::size_t> indices;
    if (request_.only_candidates) indices = likely();
    for (std::size_t i = 0; !request_.only_candidates && i < tables_.size(); ++i) {
      if (!request_.scope.allowed || request_.scope.allowed(i)) indices.push_back(i);
    }
    work_.pairs += indices.size();
    return confirmed(indices);
  }

  // Why nothing is missed: the shortlist's radius is the k-th smallest upper end of the distances
  // measured so far (or the request's radius, if that is less), and so is no less than the distance
  // of the k-th true answer. Whatever is never measured has a lower bound above that radius, which
  // only falls, or at it and a higher index than the k-th; so it is no answer (where any k will do,
  // k are there). What was measured in single precision and may yet be an answer, given how far
  // that may be off, is measured again in double precision at the end.
  std::vector<Neighbour> bounded(const SingleError& error) {
    Shortlist shortlist(request_.k, request_.radius, error);
    const std::vector<std::size_t> guess = request_.k > 0 ? likely() : std::vector<std::size_t>();
    measure(guess, shortlist);
    if (request_.only_candidates) return confirmed(shortlist.possible());
    const auto bounds = search_.bounds_->for_query(query_, all_but(guess));

    // The most promising narrow the radius.
    if (request_.k > 0 && !shortlist.has_k()) {
      const std::size_t seeds = (request_.k / batch_size + 2) * batch_size;
      std::vector<Candidate> first = bounds->take_smallest(seeds);
      std::erase_if(first, [&](const Candidate& c) { return c.bound > shortlist.radius(); });
      measure(indices_of(first), shortlist);
    }
    if (has_enough(shortlist)) return confirmed(shortlist.possible());
    const auto rest = bounds->take_within(rounded_down(shortlist.radius()));
    std::span<const Candidate> left = rest;
    while (!left.empty() && shortlist.may_hold(left.front()) && !has_enough(shortlist)) {
      const auto batch = left.first(std::min(left.size(), batch_size));
      measure(indices_of(batch), shortlist);
      left = left.subspan(batch.size());
    }
    return confirmed(shortlist.possible());
  }

 private:
  // The candidates that there are, each once, by rising index.
  std::vector<std::size_t> likely() const {
    const SearchScope& scope = request_.scope;
    std::vector<std::size_t> indices(scope.candidates.begin(), scope.candidates.end());
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    std::erase_if(indices, [&](std::size_t i) {
      return i >= tables_.size() || (scope.allowed && !scope.allowed(i));
    });
    return indices;
  }

  bool has_enough(const Shortlist& shortlist) const {
    return request_.any && request_.k > 0 && shortlist.has_k_within(request_.radius);
  }

  IndexFilter all_but(std::span<const std::size_t> measured) const {
    const auto& allowed = request_.scope.allowed;
    if (measured.empty()) return allowed;
    return [&allowed, measured](std::size_t i) {
      return !std::binary_search(measured.begin(), measured.end(), i) && (!allowed || allowed(i));
    };
  }

  void measure(const std::vector<std::size_t>& indices, Shortlist& shortlist) {
    work_.pairs += indices.size();
    const auto add = [&](std::size_t i, double d) { shortlist.add(i, d); };
    if (!search_.single_) return measure_in_double(indices, add);
    std::vector<std::span<const SinglePoint>> trips(indices.size());
    for (std::size_t i = 0; i < indices.size(); ++i) {
      trips[i] = tables_.points_at(tables_.places[indices[i]]);
    }
    const LaneRunner<float>& runner = *search_.single_;
    const auto no_points = [](std::size_t) { return std::span<const Planar>(); };
    runner.run_all(query_, tables_.origin,
                   runner.pack<SinglePoint>(trips, tables_.origin, runner.lanes()), heartbeat_,
                   no_points, [&](std::size_t i, double d) { add(indices[i], d); });
    work_.single += indices.size();
  }

  template <class Sink>
  void measure_in_double(std::span<const std::size_t> indices, const Sink& sink) {
    const LaneRunner<double>& runner = search_.double_;
    std::vector<std::span<const Planar>> trips;
    while (!indices.empty()) {
      const auto some = indices.first(std::min(indices.size(), most_true_points));
      trips.resize(some.size());
      true_points_(some, trips);
      runner.run_all(
          query_, {}, runner.pack<Planar>(trips, {}, runner.lanes()), heartbeat_,
          [&](std::size_t i) { return trips[i]; },
          [&](std::size_t i, double d) { sink(some[i], d); });
      work_.doubled += some.size();
      indices = indices.subspan(some.size());
    }
  }

  std::vector<Neighbour> confirmed(const std::vector<std::size_t>& indices) {
    std::vector<Neighbour> answers;
    measure_in_double(indices, [&](std::size_t i, double d) {
      if (d <= request_.radius) answers.push_back({i, d});
    });
    return answers;
  }

  const BoundedSearch& search_;
  const SearchTables& tables_;
  std::span<const Planar> query_;
  const Request& request_;
  const TruePoints& true_points_;
  SearchWork& work_;
  const Heartbeat& heartbeat_;
};

// How far the distances that are measured first may be off: not at all where they are computed in
// double precision. No value where bounds are of no use.
std::optional<SingleError> BoundedSearch::usable_error(std::span<const Planar> query) const {
  if (!bounds_) return std::nullopt;
  const double extent = std::max(extent_, largest_coordinate(query, tables_.origin));
  if (extent > largest_extent) return std::nullopt;
  const std::size_t points = query.size() + tables_.longest;
  if (!single_) return points <= most_points ? std::optional(SingleError()) : std::nullopt;
  const SingleError error = single_error(measure_, extent, points);
  return error.relative < 0.1 ? std::optional(error) : std::nullopt;
}

std::vector<Neighbour> BoundedSearch::run(std::span<const Planar> query, const Request& request,
                                          const TruePoints& points, SearchWork& work,
                                          const Heartbeat& heartbeat) const {
  check_points(measure_, query);
  const auto error = usable_error(query);
  Run run(*this, query, request, points, work, heartbeat);
  std::vector<Neighbour> answers = error ? run.bounded(*error) : run.scan();
  const std::size_t wanted = request.k == 0 ? answers.size() : std::min(request.k, answers.size());
  std::partial_sort(answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(wanted),
                    answers.end());
  answers.resize(wanted);
  return answers;
}

}  // namespace tsmini
