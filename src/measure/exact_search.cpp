#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "tsmini/knn.h"
#include "tsmini/pairs.h"

#include "measure/bounds.h"
#include "measure/check.h"

namespace tsmini {
namespace {

enum class Bounding { none, reach, reach_and_ends, box_sums };

Bounding bounding_of(Measure measure) {
  switch (measure) {
    case Measure::hausdorff:
    case Measure::hausdorff_segment: return Bounding::reach;
    case Measure::frechet:
    case Measure::frechet_continuous: return Bounding::reach_and_ends;
    case Measure::dtw: return Bounding::box_sums;
    default: return Bounding::none;
  }
}

bool nearer(const Neighbour& a, const Neighbour& b) {
  return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);
}

float rounded_up(double x) {
  const auto rounded = static_cast<float>(x);
  return rounded < x ? std::nextafter(rounded, std::numeric_limits<float>::infinity()) : rounded;
}

// A trajectory of the base that may be an answer.
struct Candidate {
  float bound;
  std::size_t index;
  std::size_t place;  // in the bound index

  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.bound < b.bound || (a.bound == b.bound && a.index < b.index);
  }
};

// The `count` candidates with the smallest bounds, in one pass. Neighbours in place have similar
// bounds, so the pass jumps from block to block: the heap then settles early.
std::vector<Candidate> smallest(std::span<const float> bounds, const BoundIndex& index,
                                std::size_t count, std::size_t excluded) {
  std::vector<Candidate> heap;
  const auto offer = [&](std::size_t place) {
    const Candidate candidate{bounds[place], index.trajectory(place), place};
    if (candidate.index == excluded) return;
    if (heap.size() == count) {
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
    }
    heap.push_back(candidate);
    std::push_heap(heap.begin(), heap.end());
  };
  const std::size_t blocks = (index.size() + bound_lanes - 1) / bound_lanes;
  constexpr std::size_t prime = 7919;
  const std::size_t stride = blocks % prime != 0 ? prime % blocks : 1;
  for (std::size_t i = 0, block = 0; i < blocks; ++i, block = (block + stride) % blocks) {
    const std::size_t end = std::min((block + 1) * bound_lanes, index.size());
    for (std::size_t place = block * bound_lanes; place < end; ++place) {
      if (heap.size() < count || bounds[place] < heap.front().bound) offer(place);
    }
  }
  std::sort(heap.begin(), heap.end());
  return heap;
}

// Distances in single precision, and how far the truth may be from them: the k-th smallest upper
// end is a radius that holds k answers.
class Shortlist {
 public:
  Shortlist(std::size_t k, double radius, double relative, double absolute)
      : k_(k), radius_(radius), relative_(relative), absolute_(absolute) {}

  void add(std::size_t index, double distance) {
    found_.push_back({index, distance});
    if (k_ == 0) return;
    uppers_.push_back(upper(distance));
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
      if (lower(n.distance) <= radius_) indices.push_back(n.index);
    }
    return indices;
  }

 private:
  double upper(double d) const { return d * (1 + relative_) + absolute_; }
  double lower(double d) const { return d * (1 - relative_) - absolute_; }

  std::size_t k_;
  double radius_, relative_, absolute_;
  std::vector<Neighbour> found_;
  std::vector<double> uppers_;  // heap of the k smallest
};

}  // namespace

class ExactSearch::Impl {
 public:
  Impl(Measure measure, const PlanarSet& base, const MeasureSettings& settings)
      : measure_(measure),
        bounding_(bounding_of(measure)),
        exact_(measure, base, settings, Precision::double_precision) {
    if (bounding_ == Bounding::none || base.size() == 0) return;
    bounds_.emplace(
        base, bounding_ == Bounding::box_sums ? BoundIndex::For::sums : BoundIndex::For::farthest);
    // Continuous Fréchet is computed in double precision or not at all.
    if (measure != Measure::frechet_continuous) {
      single_.emplace(measure, base, settings, Precision::single_precision);
    }
  }

  bool has_bounds() const { return bounding_ != Bounding::none; }

  // k = 0: all within the radius.
  std::vector<Neighbour> search(std::span<const Planar> query, std::size_t k, double radius,
                                std::size_t excluded, SearchWork& work) const {
    check_points(measure_, query);
    std::vector<Neighbour> answers = bounds_ ? search_bounded(query, k, radius, excluded, work)
                                             : scan(query, radius, excluded, work);
    const std::size_t wanted = k == 0 ? answers.size() : std::min(k, answers.size());
    std::partial_sort(answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(wanted),
                      answers.end(), nearer);
    answers.resize(wanted);
    return answers;
  }

 private:
  std::vector<Neighbour> scan(std::span<const Planar> query, double radius, std::size_t excluded,
                              SearchWork& work) const {
    std::vector<double> distances(exact_.size());
    exact_.one_to_many(query, distances);
    work.doubled += distances.size();
    std::vector<Neighbour> answers;
    for (std::size_t i = 0; i < distances.size(); ++i) {
      if (i != excluded && distances[i] <= radius) answers.push_back({i, distances[i]});
    }
    return answers;
  }

  std::vector<Neighbour> search_bounded(std::span<const Planar> query, std::size_t k, double radius,
                                        std::size_t excluded, SearchWork& work) const {
    const BoundQuery prepared = bounds_->prepare(query);
    thread_local std::vector<float> bounds;
    bounds.resize(bounds_->padded_size());
    bounds_->reach(prepared, bounding_ != Bounding::reach, bounds);
    Shortlist shortlist = make_shortlist(prepared, k, radius);

    // The most promising by reach give the first radius.
    std::vector<Candidate> seeds;
    if (k > 0) {
      seeds = smallest(bounds, *bounds_, k + seeds_beyond(), excluded);
      measure_all(query, seeds, shortlist, work);
    }
    if (bounding_ == Bounding::box_sums) bounds_->box_sums(prepared, bounds);
    const std::vector<Candidate> rest = survivors(bounds, shortlist.radius(), excluded, seeds);
    std::vector<Candidate> batch;
    for (std::size_t at = 0; at < rest.size();) {
      batch.clear();
      const float limit = rounded_up(shortlist.radius());
      for (; at < rest.size() && batch.size() < lanes_at_once; ++at) {
        if (rest[at].bound > limit)
          at = rest.size() - 1;  // they rise: this was the last
        else if (worth_measuring(prepared, rest[at], limit))
          batch.push_back(rest[at]);
      }
      measure_all(query, batch, shortlist, work);
    }
    return confirm(query, shortlist.possible(), radius, work);
  }

  bool worth_measuring(const BoundQuery& query, const Candidate& candidate, float limit) const {
    return bounding_ != Bounding::box_sums ||
           bounds_->refined(query, candidate.place, limit) <= limit;
  }

  // How many more than k give the first radius. Reach says less about dtw than about the others.
  std::size_t seeds_beyond() const { return bounding_ == Bounding::box_sums ? 22 : 6; }

  Shortlist make_shortlist(const BoundQuery& query, std::size_t k, double radius) const {
    if (!single_) return {k, radius, 0, 0};
    const bool sum = bounding_ == Bounding::box_sums;
    // dtw adds up at most m + n - 1 distances, each rounded.
    const double steps = sum ? static_cast<double>(query.count + bounds_->longest()) : 1;
    return {k, radius, sum ? 1e-4 : 1e-5, steps * static_cast<double>(query.slack)};
  }

  // What the bounds leave within the radius, by rising bound.
  std::vector<Candidate> survivors(std::span<const float> bounds, double radius,
                                   std::size_t excluded, std::span<const Candidate> seeds) const {
    std::vector<std::size_t> done{excluded};
    for (const Candidate& seed : seeds) done.push_back(seed.index);
    std::sort(done.begin(), done.end());
    std::vector<Candidate> rest;
    const float limit = rounded_up(radius);
    for (std::size_t place = 0; place < bounds_->size(); ++place) {
      if (bounds[place] > limit) continue;
      const std::size_t index = bounds_->trajectory(place);
      if (!std::binary_search(done.begin(), done.end(), index)) {
        rest.push_back({bounds[place], index, place});
      }
    }
    std::sort(rest.begin(), rest.end());
    return rest;
  }

  void measure_all(std::span<const Planar> query, std::span<const Candidate> candidates,
                   Shortlist& shortlist, SearchWork& work) const {
    std::vector<std::size_t> indices;
    for (const Candidate& candidate : candidates) indices.push_back(candidate.index);
    std::vector<double> distances(indices.size());
    (single_ ? *single_ : exact_).one_to_some(query, indices, distances);
    (single_ ? work.single : work.doubled) += indices.size();
    for (std::size_t i = 0; i < indices.size(); ++i) shortlist.add(indices[i], distances[i]);
  }

  std::vector<Neighbour> confirm(std::span<const Planar> query,
                                 const std::vector<std::size_t>& indices, double radius,
                                 SearchWork& work) const {
    std::vector<double> distances(indices.size());
    exact_.one_to_some(query, indices, distances);
    work.doubled += indices.size();
    std::vector<Neighbour> answers;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (distances[i] <= radius) answers.push_back({indices[i], distances[i]});
    }
    return answers;
  }

  static constexpr std::size_t lanes_at_once = 16;

  Measure measure_;
  Bounding bounding_;
  PairEngine exact_;
  std::optional<BoundIndex> bounds_;
  std::optional<PairEngine> single_;
};

ExactSearch::ExactSearch(Measure measure, const PlanarSet& base, const MeasureSettings& settings)
    : impl_(std::make_unique<const Impl>(measure, base, settings)) {}

ExactSearch::~ExactSearch() = default;
ExactSearch::ExactSearch(ExactSearch&&) noexcept = default;

bool ExactSearch::has_bounds() const {
  return impl_->has_bounds();
}

std::vector<Neighbour> ExactSearch::nearest(std::span<const Planar> query, std::size_t k,
                                            std::size_t excluded, SearchWork* work) const {
  if (k == 0) return {};
  SearchWork ignored;
  return impl_->search(query, k, std::numeric_limits<double>::infinity(), excluded,
                       work != nullptr ? *work : ignored);
}

std::vector<Neighbour> ExactSearch::within(std::span<const Planar> query, double radius,
                                           std::size_t excluded, SearchWork* work) const {
  SearchWork ignored;
  return impl_->search(query, 0, radius, excluded, work != nullptr ? *work : ignored);
}

}  // namespace tsmini
