#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "tsmini/knn.h"
#include "tsmini/pairs.h"

#include "measure/bounds.h"
#include "measure/check.h"
#include "measure/rounding.h"

namespace tsmini {
namespace {

bool nearer(const Neighbour& a, const Neighbour& b) {
  return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);
}

float rounded_up(double x) {
  if (x > std::numeric_limits<float>::max()) return std::numeric_limits<float>::infinity();
  const auto rounded = static_cast<float>(x);
  return rounded < x ? std::nextafter(rounded, std::numeric_limits<float>::infinity()) : rounded;
}

SearchScope all_but(std::size_t excluded) {
  SearchScope scope;
  if (excluded != ExactSearch::nothing) {
    scope.allowed = [excluded](std::size_t i) { return i != excluded; };
  }
  return scope;
}

// Distances in single precision, and how far the truth may be from them: the k-th smallest upper
// end is a radius that holds k answers.
class Shortlist {
 public:
  Shortlist(std::size_t k, double radius, const SingleError& error)
      : k_(k), radius_(radius), error_(error) {}

  void add(std::size_t index, double distance) {
    found_.push_back({index, distance});
    if (k_ == 0) return;
    uppers_.push_back(error_.most(distance));
    std::push_heap(uppers_.begin(), uppers_.end());
    if (uppers_.size() > k_) {
      std::pop_heap(uppers_.begin(), uppers_.end());
      uppers_.pop_back();
    }
    if (uppers_.size() == k_) radius_ = std::min(radius_, uppers_.front());
  }

  // Nothing farther than this is an answer.
  double radius() const { return radius_; }

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
  std::vector<double> uppers_;  // heap of the k smallest
};

}  // namespace

class ExactSearch::Impl {
 public:
  Impl(Measure measure, const PlanarSet& base, const MeasureSettings& settings)
      : measure_(measure),
        exact_(measure, base, settings, Precision::double_precision),
        origin_(base.origin()),
        extent_(largest_coordinate(base)) {
    for (std::size_t i = 0; i < base.size(); ++i) longest_ = std::max(longest_, base.length(i));
    if (extent_ < smallest_extent || extent_ > largest_extent) return;
    bounds_ = LowerBounds::of(measure, base);
    // Continuous Fréchet is computed in double precision or not at all.
    if (bounds_ && measure != Measure::frechet_continuous) {
      single_.emplace(measure, base, settings, Precision::single_precision);
    }
  }

  bool has_bounds() const { return bounds_ != nullptr; }

  // k = 0: all within the radius.
  std::vector<Neighbour> search(std::span<const Planar> query, std::size_t k, double radius,
                                const SearchScope& scope, SearchWork& work,
                                const Heartbeat& heartbeat) const {
    check_points(measure_, query);
    const auto error = usable_error(query);
    std::vector<Neighbour> answers =
        error ? search_bounded(query, {k, radius, *error}, k, radius, scope, work, heartbeat)
              : scan(query, radius, scope, work, heartbeat);
    const std::size_t wanted = k == 0 ? answers.size() : std::min(k, answers.size());
    std::partial_sort(answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(wanted),
                      answers.end(), nearer);
    answers.resize(wanted);
    return answers;
  }

 private:
  // Of the distances that bounds leave over; none where bounds are of no use.
  std::optional<SingleError> usable_error(std::span<const Planar> query) const {
    if (!bounds_) return std::nullopt;
    const double extent = std::max(extent_, largest_coordinate(query, origin_));
    if (extent > largest_extent) return std::nullopt;
    if (!single_) return SingleError();
    const SingleError error = single_error(measure_, extent, query.size() + longest_);
    return error.relative < 0.1 ? std::optional(error) : std::nullopt;
  }

  std::vector<Neighbour> scan(std::span<const Planar> query, double radius,
                              const SearchScope& scope, SearchWork& work,
                              const Heartbeat& heartbeat) const {
    if (scope.allowed) {
      std::vector<std::size_t> indices;
      for (std::size_t i = 0; i < exact_.size(); ++i) {
        if (scope.allowed(i)) indices.push_back(i);
      }
      work.pairs += indices.size();
      return confirm(query, indices, radius, work, heartbeat);
    }
    std::vector<double> distances(exact_.size());
    exact_.one_to_many(query, distances, heartbeat);
    work.doubled += distances.size();
    work.pairs += distances.size();
    std::vector<Neighbour> answers;
    for (std::size_t i = 0; i < distances.size(); ++i) {
      if (distances[i] <= radius) answers.push_back({i, distances[i]});
    }
    return answers;
  }

  std::vector<Neighbour> search_bounded(std::span<const Planar> query, Shortlist shortlist,
                                        std::size_t k, double radius, const SearchScope& scope,
                                        SearchWork& work, const Heartbeat& heartbeat) const {
    const std::vector<std::size_t> guess = k > 0 ? checked(scope) : std::vector<std::size_t>();
    measure_all(query, guess, shortlist, work, heartbeat);
    const auto bounds = bounds_->for_query(query, left_of(scope, guess));

    // The most promising give the first radius.
    if (k > 0 && shortlist.radius() == std::numeric_limits<double>::infinity()) {
      const std::size_t seeds = (k / batch_size + 2) * batch_size;
      measure_all(query, indices_of(bounds->take_smallest(seeds)), shortlist, work, heartbeat);
    }
    const auto rest = bounds->take_within(rounded_up(shortlist.radius()));
    std::span<const Candidate> left = rest;
    while (!left.empty() && left.front().bound <= rounded_up(shortlist.radius())) {
      const auto batch = left.first(std::min(left.size(), batch_size));
      measure_all(query, indices_of(batch), shortlist, work, heartbeat);
      left = left.subspan(batch.size());
    }
    return confirm(query, shortlist.possible(), radius, work, heartbeat);
  }

  // The candidates that there are, each once.
  std::vector<std::size_t> checked(const SearchScope& scope) const {
    std::vector<std::size_t> indices(scope.candidates.begin(), scope.candidates.end());
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    std::erase_if(indices, [&](std::size_t i) {
      return i >= exact_.size() || (scope.allowed && !scope.allowed(i));
    });
    return indices;
  }

  // All but those that are measured, by rising index.
  static IndexFilter left_of(const SearchScope& scope, std::span<const std::size_t> measured) {
    if (measured.empty()) return scope.allowed;
    return [&allowed = scope.allowed, measured](std::size_t i) {
      return !std::binary_search(measured.begin(), measured.end(), i) && (!allowed || allowed(i));
    };
  }

  static std::vector<std::size_t> indices_of(std::span<const Candidate> candidates) {
    std::vector<std::size_t> indices;
    for (const Candidate& candidate : candidates) indices.push_back(candidate.index);
    return indices;
  }

  void measure_all(std::span<const Planar> query, const std::vector<std::size_t>& indices,
                   Shortlist& shortlist, SearchWork& work, const Heartbeat& heartbeat) const {
    std::vector<double> distances(indices.size());
    (single_ ? *single_ : exact_).one_to_some(query, indices, distances, heartbeat);
    (single_ ? work.single : work.doubled) += indices.size();
    work.pairs += indices.size();
    for (std::size_t i = 0; i < indices.size(); ++i) shortlist.add(indices[i], distances[i]);
  }

  std::vector<Neighbour> confirm(std::span<const Planar> query,
                                 const std::vector<std::size_t>& indices, double radius,
                                 SearchWork& work, const Heartbeat& heartbeat) const {
    std::vector<double> distances(indices.size());
    exact_.one_to_some(query, indices, distances, heartbeat);
    work.doubled += indices.size();
    std::vector<Neighbour> answers;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (distances[i] <= radius) answers.push_back({indices[i], distances[i]});
    }
    return answers;
  }

  static constexpr std::size_t batch_size = 16;

  Measure measure_;
  PairEngine exact_;
  std::unique_ptr<const LowerBounds> bounds_;
  std::optional<PairEngine> single_;
  Planar origin_;
  double extent_;
  std::size_t longest_ = 0;
};

bool has_lower_bounds(Measure measure) {
  return LowerBounds::exist_for(measure);
}

ExactSearch::ExactSearch(Measure measure, const PlanarSet& base, const MeasureSettings& settings)
    : impl_(std::make_unique<const Impl>(measure, base, settings)) {}

ExactSearch::~ExactSearch() = default;
ExactSearch::ExactSearch(ExactSearch&&) noexcept = default;

bool ExactSearch::has_bounds() const {
  return impl_->has_bounds();
}

std::vector<Neighbour> ExactSearch::nearest(std::span<const Planar> query, std::size_t k,
                                            const SearchScope& scope, SearchWork* work,
                                            const Heartbeat& heartbeat) const {
  if (k == 0) return {};
  SearchWork ignored;
  return impl_->search(query, k, std::numeric_limits<double>::infinity(), scope,
                       work != nullptr ? *work : ignored, heartbeat);
}

std::vector<Neighbour> ExactSearch::nearest(std::span<const Planar> query, std::size_t k,
                                            std::size_t excluded, SearchWork* work,
                                            const Heartbeat& heartbeat) const {
  return nearest(query, k, all_but(excluded), work, heartbeat);
}

std::vector<Neighbour> ExactSearch::within(std::span<const Planar> query, double radius,
                                           const SearchScope& scope, SearchWork* work,
                                           const Heartbeat& heartbeat) const {
  SearchWork ignored;
  return impl_->search(query, 0, radius, scope, work != nullptr ? *work : ignored, heartbeat);
}

std::vector<Neighbour> ExactSearch::within(std::span<const Planar> query, double radius,
                                           std::size_t excluded, SearchWork* work,
                                           const Heartbeat& heartbeat) const {
  return within(query, radius, all_but(excluded), work, heartbeat);
}

}  // namespace tsmini
