#include "tsmini/outliers.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "analyse/distinct_trips.h"
#include "analyse/on_all_cores.h"
#include "analyse/options.h"

namespace tsmini {
namespace {

// The k nearest of every distinct trip, all rows of one length.
struct Rows {
  std::size_t length = 0;
  std::vector<std::uint32_t> numbers;
  std::vector<double> distances;

  std::span<const std::uint32_t> row(std::size_t i) const {
    return std::span(numbers).subspan(i * length, length);
  }
  double distance(std::size_t i, std::size_t place) const { return distances[i * length + place]; }
  double kth(std::size_t i) const { return distance(i, length - 1); }
};

Rows nearest_rows(const DistinctTrips& distinct, std::size_t k, const Progress& progress,
                  SearchWork& work) {
  Rows rows{.length = std::min(k, distinct.size() - 1), .numbers = {}, .distances = {}};
  check_neighbours(rows.length, distinct.size());
  rows.numbers.resize(distinct.size() * rows.length);
  rows.distances.resize(distinct.size() * rows.length);
  const Heartbeat heartbeat(progress, distinct.size());
  work += on_all_cores(distinct.size(), [&](std::size_t i, SearchWork& own) {
    std::size_t at = i * rows.length;
    for (const Neighbour& n : distinct.nearest(i, rows.length, own, heartbeat)) {
      rows.numbers[at] = static_cast<std::uint32_t>(n.index);
      rows.distances[at++] = n.distance;
    }
    heartbeat.advance(1);
  });
  return rows;
}

// What density is the inverse of, of every trip: how far it is from its neighbours on average,
// where a neighbour is no nearer than its own k-th distance. None is 0.
std::vector<double> mean_reachabilities(const Rows& rows, std::size_t count) {
  std::vector<double> means(count);
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = rows.row(i);
    double sum = 0;
    for (std::size_t j = 0; j < row.size(); ++j) {
      sum += std::max(rows.kth(row[j]), rows.distance(i, j));
    }
    means[i] = sum / static_cast<double>(row.size());
    if (means[i] > 0) smallest = std::min(smallest, means[i]);
  }
  if (smallest == std::numeric_limits<double>::infinity()) smallest = 1;
  for (double& mean : means) mean = std::max(mean, smallest);
  return means;
}

OutlierScore score_of(const DistinctTrips& distinct, const Rows& rows,
                      std::span<const double> reachabilities, std::size_t i) {
  const auto row = rows.row(i);
  double ratios = 0;
  for (const std::uint32_t j : row) ratios += reachabilities[i] / reachabilities[j];
  const double lof = ratios / static_cast<double>(row.size());
  return {.nearest = distinct.first(row.front()),
          .nearest_distance = rows.distance(i, 0),
          .kth_distance = rows.kth(i),
          .neighbour_distance = reachabilities[i],
          .usual_distance = reachabilities[i] / lof,
          .lof = lof};
}

std::vector<std::size_t> ranked(const std::vector<OutlierScore>& trips,
                                double OutlierScore::*score) {
  std::vector<std::size_t> order(trips.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) { return !trips[i].is_scored(); });
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return trips[a].*score > trips[b].*score; });
  return order;
}

}  // namespace

std::vector<std::size_t> Outliers::ranked_by_distance() const {
  return ranked(trips, &OutlierScore::kth_distance);
}

std::vector<std::size_t> Outliers::ranked_by_density() const {
  return ranked(trips, &OutlierScore::lof);
}

Outliers find_outliers(const NeighbourSearch& search, const OutlierOptions& options,
                       const Progress& progress) {
  check_at_least(options.k, 1, "k", "a number of neighbours of");
  const DistinctTrips& distinct = search.distinct();
  Outliers found;
  found.trips.resize(search.size());
  if (distinct.size() < 2) return found;
  const Rows rows = nearest_rows(distinct, options.k, progress, found.work);
  found.k = rows.length;
  const std::vector<double> reachabilities = mean_reachabilities(rows, distinct.size());
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    const OutlierScore score = score_of(distinct, rows, reachabilities, i);
    for (const std::uint32_t trip : distinct.copies(i)) found.trips[trip] = score;
  }
  return found;
}

}  // namespace tsmini
