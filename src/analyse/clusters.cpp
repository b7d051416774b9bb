#include "tsmini/clusters.h"

#include <algorithm>
#include <cassert>

#include <tbb/parallel_for.h>

#include "tsmini/pair_engine.h"

#include "base/sampling.h"
#include "score/median.h"

namespace tsmini {
namespace {

using Members = std::vector<std::size_t>;

std::vector<Members> members_of(const Clusters& clusters) {
  std::vector<Members> members(clusters.count);
  for (std::size_t i = 0; i < clusters.labels.size(); ++i) {
    if (clusters.labels[i] != noise) {
      members[static_cast<std::size_t>(clusters.labels[i])].push_back(i);
    }
  }
  return members;
}

// The one with the least sum of distances to the others, ties to the first.
std::size_t medoid_of(const NeighbourSearch& search, const Members& members,
                      const Heartbeat& heartbeat) {
  const std::vector<int> indices(members.begin(), members.end());
  const PlanarSet trips = search.trips().subset(indices);
  const PairEngine engine(search.measure(), trips, search.settings(), Precision::double_precision);
  std::vector<double> sums(members.size());
  tbb::parallel_for(std::size_t{0}, members.size(), [&](std::size_t i) {
    std::vector<double> distances(members.size());
    engine.one_to_many(trips[i], std::span<double>(distances), heartbeat);
    for (const double d : distances) sums[i] += d;
  });
  return members[static_cast<std::size_t>(std::min_element(sums.begin(), sums.end()) -
                                          sums.begin())];
}

void add_spread(const NeighbourSearch& search, const Members& members, const Heartbeat& heartbeat,
                ClusterSummary& summary) {
  std::vector<double> distances(members.size());
  tbb::parallel_for(std::size_t{0}, members.size(), [&](std::size_t i) {
    distances[i] = distance(search.measure(), search.trips()[summary.medoid],
                            search.trips()[members[i]], search.settings(), heartbeat);
    heartbeat.advance(1);
  });
  const auto own = std::find(members.begin(), members.end(), summary.medoid) - members.begin();
  distances.erase(distances.begin() + own);
  if (distances.empty()) return;
  for (const double d : distances) summary.mean += d / static_cast<double>(distances.size());
  summary.farthest = *std::max_element(distances.begin(), distances.end());
  summary.median = median(std::move(distances));
}

}  // namespace

std::vector<ClusterSummary> summarize(const NeighbourSearch& search, const Clusters& clusters,
                                      const SummaryOptions& options, const Progress& progress) {
  assert(clusters.labels.size() == search.size());
  const std::vector<Members> members = members_of(clusters);
  const Heartbeat heartbeat(progress, search.size() - clusters.noise_trips);
  std::vector<ClusterSummary> summaries(members.size());
  tbb::parallel_for(std::size_t{0}, members.size(), [&](std::size_t c) {
    Members compared;
    const std::size_t most = std::max<std::size_t>(options.most_compared, 1);
    for (const std::size_t i : sample_below(members[c].size(), most, Random(options.seed, c))) {
      compared.push_back(members[c][i]);
    }
    summaries[c] = {.size = members[c].size(),
                    .medoid = medoid_of(search, compared, heartbeat),
                    .medoid_sample = compared.size()};
    add_spread(search, members[c], heartbeat, summaries[c]);
  });
  return summaries;
}

}  // namespace tsmini
