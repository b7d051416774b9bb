#include "tsmini/find.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "tsmini/error.h"

#include "analyse/trip_matches.h"
#include "measure/bounds.h"
#include "measure/check.h"
#include "measure/lane_runner.h"
#include "measure/piece_bounds.h"
#include "measure/rounding.h"

namespace tsmini {
namespace {

constexpr std::size_t trips_per_task = 128;
// Trips whose tables are computed before the radius is looked at again: at first, and at most.
constexpr std::size_t first_wave = 256, largest_wave = 1 << 16;
constexpr std::size_t first_batch = 64, largest_batch = 4096;  // in double precision

// The relative error from which on single precision says nothing.
constexpr double most_relative = 0.1;

// A trip and a lower bound of the distance of its best match.
struct TripBound {
  double least;
  std::size_t trip;

  friend bool operator<(const TripBound& a, const TripBound& b) {
    return a.least < b.least || (a.least == b.least && a.trip < b.trip);
  }
};

// The k best matches so far. Nothing farther than the radius is an answer.
class Answers {
 public:
  Answers(std::size_t k, double radius) : k_(k), radius_(radius) {}

  // There are matches at these distances, no two of which share a point: the k-th nearest of them
  // is as far as an answer can be.
  void know(std::span<double> distances) {
    if (distances.size() < k_) return;
    const auto last = distances.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(distances.begin(), last, distances.end());
    radius_ = std::min(radius_, *last);
  }
  void add(std::vector<PieceMatch> matches) {
    std::sort(matches.begin(), matches.end(), better);
    const auto middle = static_cast<std::ptrdiff_t>(found_.size());
    found_.insert(found_.end(), matches.begin(), matches.end());
    std::inplace_merge(found_.begin(), found_.begin() + middle, found_.end(), better);
    if (found_.size() < k_) return;
    found_.resize(k_);
    radius_ = std::min(radius_, found_.back().distance);
  }
  double radius() const { return radius_; }
  std::vector<PieceMatch> take() { return std::move(found_); }

 private:
  std::size_t k_;
  double radius_;
  std::vector<PieceMatch> found_;
};

void check_request(Measure measure, std::span<const Planar> piece, const FindOptions& options) {
  if (measure != Measure::dtw && measure != Measure::frechet) {
    throw Error(ErrorCode::usage,
                fmt::format("the measure '{}' does not find pieces of trips", name_of(measure)),
                "only 'dtw' and 'frechet' do", "measure");
  }
  check_points(measure, piece);
  if (!(options.within >= 0)) {
    throw Error(ErrorCode::usage, fmt::format("no match is within {}", options.within),
                "give a distance of 0 or more", "within");
  }
  if (!(options.min_length >= 0) || !(options.min_length <= options.max_length)) {
    throw Error(ErrorCode::usage,
                fmt::format("no match is at least {} and at most {} long", options.min_length,
                            options.max_length),
                "give a minimum of 0 or more that is not above the maximum", "min_length");
  }
}

}  // namespace

class PieceFinder::Impl {
 public:
  explicit Impl(const PlanarSet& trips) : trips_(trips), extent_(largest_coordinate(trips)) {
    if (extent_ >= smallest_extent && extent_ <= largest_extent) boxes_.emplace(trips);
  }

  class Search;

 private:
  PlanarSet trips_;
  double extent_;                   // relative to the origin
  std::optional<TripBoxes> boxes_;  // none: single precision is of no use here
};

// One search: trips by rising bounds, a wave at a time.
class PieceFinder::Impl::Search {
 public:
  Search(const Impl& finder, const TripMatches::Request& request, FindWork& work,
         const Heartbeat& heartbeat)
      : trips_(finder.trips_),
        boxes_(finder.boxes_),
        request_(request),
        options_(request.options),
        extent_(std::max(finder.extent_, largest_coordinate(request.piece, trips_.origin()))),
        work_(work),
        heartbeat_(heartbeat),
        answers_(options_.k, options_.within) {}

  std::vector<PieceMatch> run() {
    const bool single = boxes_ && extent_ <= largest_extent && is_usable(error_of(0));
    std::vector<TripBound> left = allowed();
    if (single) bound(left);
    std::size_t wave = std::max(first_wave, 2 * std::min(options_.k, left.size()));
    for (bool first = true; !left.empty(); first = false) {
      std::vector<TripBound> some = take_smallest(left, wave);
      if (single) measure(some);
      std::sort(some.begin(), some.end());
      if (first) guess_radius(some);
      settle(some);
      discard(left);
      wave = std::max(wave, std::min(4 * wave, largest_wave));
    }
    return answers_.take();
  }

 private:
  // The error of single precision for a trip of so many points.
  SingleError error_of(std::size_t points) const {
    return single_error(request_.measure, extent_, request_.piece.size() + points);
  }
  static bool is_usable(const SingleError& error) { return error.relative < most_relative; }

  std::vector<TripBound> allowed() {
    std::vector<TripBound> candidates;
    for (std::size_t i = 0; i < trips_.size(); ++i) {
      if (!options_.allowed || options_.allowed(i)) candidates.push_back({0, i});
    }
    work_.trips += candidates.size();
    heartbeat_.advance(trips_.size() - candidates.size());
    return candidates;
  }

  // Only those within the radius are left.
  void discard(std::vector<TripBound>& candidates) const {
    heartbeat_.advance(
        std::erase_if(candidates, [&](const TripBound& c) { return c.least > answers_.radius(); }));
  }

  void bound(std::vector<TripBound>& candidates) const {
    const PieceLanes piece(request_.piece, trips_.origin());
    const SingleError error = error_of(0);
    in_tasks(candidates, [&](std::span<TripBound> some) {
      for (TripBound& candidate : some) {
        const float bound = boxes_->bound(request_.measure, piece, candidate.trip);
        candidate.least = error.least(static_cast<double>(bound));
      }
    });
    discard(candidates);
  }

  static std::vector<TripBound> take_smallest(std::vector<TripBound>& left, std::size_t count) {
    const auto end = left.end() - static_cast<std::ptrdiff_t>(std::min(count, left.size()));
    std::nth_element(left.begin(), end, left.end(),
                     [](const TripBound& a, const TripBound& b) { return b < a; });
    std::vector<TripBound> smallest(end, left.end());
    left.erase(end, left.end());
    return smallest;
  }

  // Raises bounds to what a table in single precision says.
  void measure(std::vector<TripBound>& candidates) const {
    const LaneRunner<float> runner(request_.measure, {}, piece_kernel(request_.measure));
    const auto no_points = [](std::size_t) { return std::span<const Planar>(); };
    in_tasks(candidates, [&](std::span<TripBound> some) {
      std::vector<std::span<const Planar>> points(some.size());
      for (std::size_t i = 0; i < some.size(); ++i) points[i] = trips_[some[i].trip];
      const auto packed = runner.pack<Planar>(points, trips_.origin(), runner.lanes());
      runner.run_all(request_.piece, trips_.origin(), packed, heartbeat_, no_points,
                     [&](std::size_t i, double d) {
                       const SingleError error = error_of(points[i].size());
                       if (!is_usable(error)) return;
                       some[i].least = std::max(some[i].least, error.least(d));
                     });
    });
    work_.single += candidates.size();
  }

  // Guesses the radius from the best match of each of some promising trips. Without it the first of
  // them would have to name all their matches, however far.
  void guess_radius(std::span<const TripBound> sorted) {
    if (options_.k == FindOptions::unlimited) return;
    const auto some = sorted.first(std::min(sorted.size(), std::max(options_.k, first_batch)));
    std::vector<double> distances;
    for (const PieceMatch& match : matches_of(some, 1)) distances.push_back(match.distance);
    answers_.know(distances);
  }

  // What may hold an answer, in double precision, the most promising first. The rest is done too.
  void settle(std::span<const TripBound> left) {
    for (std::size_t batch = first_batch;; batch = std::min(2 * batch, largest_batch)) {
      const auto near =
          static_cast<std::size_t>(std::partition_point(left.begin(), left.end(),
                                                        [&](const TripBound& bound) {
                                                          return bound.least <= answers_.radius();
                                                        }) -
                                   left.begin());
      if (near == 0) break;
      const auto some = left.first(std::min(near, batch));
      answers_.add(matches_of(some, std::min(options_.k, options_.per_trip)));
      heartbeat_.advance(some.size());
      left = left.subspan(some.size());
    }
    heartbeat_.advance(left.size());
  }

  std::vector<PieceMatch> matches_of(std::span<const TripBound> candidates, std::size_t most) {
    std::vector<std::vector<PieceMatch>> matches(candidates.size());
    tbb::parallel_for(std::size_t{0}, candidates.size(), [&](std::size_t i) {
      Pulse pulse(heartbeat_);
      TripMatches all(request_, trips_, candidates[i].trip, answers_.radius(), pulse);
      while (matches[i].size() < most) {
        const auto match = all.next();
        if (!match) break;
        matches[i].push_back(*match);
      }
    });
    work_.doubled += candidates.size();
    std::vector<PieceMatch> together;
    for (const auto& some : matches) together.insert(together.end(), some.begin(), some.end());
    return together;
  }

  template <class Task>
  void in_tasks(std::vector<TripBound>& candidates, const Task& task) const {
    using Range = tbb::blocked_range<std::size_t>;
    tbb::parallel_for(Range(0, (candidates.size() + trips_per_task - 1) / trips_per_task),
                      [&](const Range& range) {
                        for (std::size_t t = range.begin(); t < range.end(); ++t) {
                          heartbeat_.beat();
                          const auto left = std::span(candidates).subspan(t * trips_per_task);
                          task(left.first(std::min(left.size(), trips_per_task)));
                        }
                      });
  }

  const PlanarSet& trips_;
  const std::optional<TripBoxes>& boxes_;
  const TripMatches::Request& request_;
  const FindOptions& options_;
  double extent_;
  FindWork& work_;
  const Heartbeat& heartbeat_;
  Answers answers_;
};

PieceFinder::PieceFinder(const PlanarSet& trips) : impl_(std::make_unique<const Impl>(trips)) {}
PieceFinder::~PieceFinder() = default;
PieceFinder::PieceFinder(PieceFinder&&) noexcept = default;

std::vector<PieceMatch> PieceFinder::find(Measure measure, std::span<const Planar> piece,
                                          const FindOptions& options, FindWork* work,
                                          const Heartbeat& heartbeat) const {
  check_request(measure, piece, options);
  if (options.k == 0) return {};
  FindWork ignored;
  const TripMatches::Request request{measure, piece, options};
  return Impl::Search(*impl_, request, work != nullptr ? *work : ignored, heartbeat).run();
}

}  // namespace tsmini
