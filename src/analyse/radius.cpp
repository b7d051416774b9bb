#include "tsmini/radius.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analyse/distinct_trips.h"
#include "analyse/on_all_cores.h"
#include "analyse/options.h"
#include "base/sampling.h"

namespace tsmini {
namespace {

// How many of the rising values are in each stretch of a doubling; these begin a quarter apart.
class Octaves {
 public:
  static constexpr double step = 0.25;

  explicit Octaves(const std::vector<double>& rising) : lowest_(rising.front() - 1) {
    const auto count = static_cast<std::size_t>((rising.back() - lowest_) / step) + 2;
    for (std::size_t i = 0; i < count; ++i) {
      const auto first = std::upper_bound(rising.begin(), rising.end(), start(i));
      counts_.push_back(
          static_cast<double>(std::upper_bound(first, rising.end(), start(i) + 1) - first));
    }
  }

  std::size_t size() const { return counts_.size(); }
  double operator[](std::size_t i) const { return counts_[i]; }
  double start(std::size_t i) const { return lowest_ + step * static_cast<double>(i); }

  // The middle of the stretches around this one that hold as few.
  double middle_of_valley(std::size_t i) const {
    std::size_t first = i, last = i;
    while (first > 0 && counts_[first - 1] == counts_[i]) --first;
    while (last + 1 < size() && counts_[last + 1] == counts_[i]) ++last;
    return (start(first) + start(last) + 1) / 2;
  }

 private:
  double lowest_;
  std::vector<double> counts_;
};

// By how many deviations two counts differ, if both were drawn by chance.
double significance(double more, double fewer) {
  return more > fewer ? (more - fewer) / std::sqrt(more + fewer) : 0;
}

}  // namespace

double knee_of(std::span<const double> rising) {
  if (rising.empty()) return 0;
  const double low = rising.front(), range = rising.back() - low;
  const double last = static_cast<double>(std::max<std::size_t>(rising.size(), 2) - 1);
  double best = -1;
  std::size_t knee = 0;
  for (std::size_t i = 0; i < rising.size(); ++i) {
    const double below = static_cast<double>(i) / last * range - (rising[i] - low);
    if (below >= best) {
      best = below;
      knee = i;
    }
  }
  return rising[knee];
}

std::optional<double> valley_of(std::span<const double> rising) {
  std::vector<double> doublings;
  for (const double d : rising) {
    if (d > 0) doublings.push_back(std::log2(d));
  }
  if (doublings.empty()) return std::nullopt;
  const Octaves octaves(doublings);
  std::vector<double> above(octaves.size());  // the highest from here on
  for (std::size_t i = octaves.size(); i-- > 0;) {
    above[i] = std::max(octaves[i], i + 1 < octaves.size() ? above[i + 1] : 0);
  }
  constexpr double beyond_chance = 3;
  double best = beyond_chance, below = 0;
  std::optional<double> valley;
  for (std::size_t i = 0; i < octaves.size(); ++i) {
    const double clear =
        std::min(significance(below, octaves[i]), significance(above[i], octaves[i]));
    if (clear > best) {
      best = clear;
      valley = std::exp2(octaves.middle_of_valley(i));
    }
    below = std::max(below, octaves[i]);
  }
  return valley;
}

ClusterRadius cluster_radius(const NeighbourSearch& search, std::size_t k,
                             const RadiusSample& sample, const Progress& progress) {
  check_at_least(k, 1, "k", "a number of neighbours of");
  const auto trips = sample_below(search.size(), sample.most, Random(sample.seed));
  std::vector<double> distances(trips.size(), -1);
  const Heartbeat heartbeat(progress, trips.size());
  on_all_cores(trips.size(), [&](std::size_t i, SearchWork& work) {
    const auto near = search.nearest(trips[i], k, &work, heartbeat);
    if (near.size() == k) distances[i] = near.back().distance;
    heartbeat.advance(1);
  });
  std::erase_if(distances, [](double d) { return d < 0; });
  std::sort(distances.begin(), distances.end());
  return {.radius = knee_of(distances), .k = k, .sample = distances.size()};
}

DuplicateRadius duplicate_radius(const NeighbourSearch& search, const RadiusSample& sample,
                                 const Progress& progress) {
  const DistinctTrips& distinct = search.distinct();
  if (distinct.size() < 2) return {};
  const auto numbers = sample_below(distinct.size(), sample.most, Random(sample.seed));
  std::vector<double> distances(numbers.size());
  const Heartbeat heartbeat(progress, numbers.size());
  on_all_cores(numbers.size(), [&](std::size_t i, SearchWork& work) {
    distances[i] = distinct.nearest(numbers[i], 1, work, heartbeat).front().distance;
    heartbeat.advance(1);
  });
  std::sort(distances.begin(), distances.end());
  const auto share_within = [&](double radius) {
    const auto near = std::upper_bound(distances.begin(), distances.end(), radius);
    return static_cast<double>(near - distances.begin()) / static_cast<double>(distances.size());
  };
  // Where most have a twin, what is below the valley is the usual, and what is above it odd.
  std::optional<double> valley = valley_of(distances);
  if (valley && share_within(*valley) > 0.5) valley.reset();
  const double radius = valley.value_or(0);
  return {.radius = radius,
          .found = valley.has_value(),
          .share = share_within(radius),
          .sample = numbers.size()};
}

}  // namespace tsmini
