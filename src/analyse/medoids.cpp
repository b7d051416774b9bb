#include "tsmini/medoids.h"

#include <algorithm>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/pair_engine.h"

#include "analyse/distinct_trips.h"
#include "analyse/faster_pam.h"
#include "analyse/numbering.h"
#include "analyse/on_all_cores.h"
#include "analyse/options.h"
#include "base/sampling.h"

namespace tsmini {
namespace {

void check(const MedoidOptions& options) {
  check_at_least(options.k, 1, "k", "a number of clusters of");
  check_at_least(options.sample, options.k, "sample", "a sample of");
  if (options.sample <= most_medoid_sample) return;
  throw Error(ErrorCode::usage, fmt::format("a sample of {} has too many pairs", options.sample),
              fmt::format("it is at most {}", most_medoid_sample), "sample");
}

// A progress that has done something before, of a larger whole.
Progress after(const Progress& progress, std::uint64_t before, std::uint64_t total) {
  if (!progress) return {};
  return [=](const ProgressState& state) { progress({before + state.done, total}); };
}

std::vector<float> square_of(const PairEngine& engine, const Progress& progress) {
  const std::size_t n = engine.size();
  std::vector<float> condensed(n * (n - 1) / 2);
  engine.all_pairs(condensed, progress);
  std::vector<float> square(n * n);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      square[i * n + j] = square[j * n + i] = condensed[pair++];
    }
  }
  return square;
}

// Numbers of distinct trips, rising.
std::vector<int> medoids_of(const NeighbourSearch& search, const std::vector<std::size_t>& sample,
                            const MedoidOptions& options, const Progress& pairing,
                            const Progress& choosing) {
  const PlanarSet trips =
      search.distinct().set().subset(std::vector<int>(sample.begin(), sample.end()));
  const PairEngine engine(search.measure(), trips, search.settings());
  const std::vector<float> square = square_of(engine, pairing);
  std::vector<int> medoids;
  for (const std::size_t i : faster_pam(square, sample.size(), std::min(options.k, sample.size()),
                                        options.seed, options.restarts, Heartbeat(choosing))
                                 .medoids) {
    medoids.push_back(static_cast<int>(sample[i]));
  }
  std::sort(medoids.begin(), medoids.end());
  return medoids;
}

// The nearest medoid of each distinct trip, and how far it is.
std::vector<Neighbour> assigned(const NeighbourSearch& search, const std::vector<int>& medoids,
                                SearchWork& work, const Heartbeat& heartbeat) {
  const DistinctTrips& distinct = search.distinct();
  const ExactSearch among(search.measure(), distinct.set().subset(medoids), search.settings());
  std::vector<Neighbour> nearest(distinct.size());
  work += on_all_cores(distinct.size(), [&](std::size_t i, SearchWork& own) {
    nearest[i] = among.nearest(distinct[i], 1, SearchScope(), &own, heartbeat).front();
    heartbeat.advance(1);
  });
  return nearest;
}

}  // namespace

std::vector<std::uint32_t> k_medoids(std::span<const float> distances, std::size_t n, std::size_t k,
                                     std::uint64_t seed, std::size_t restarts,
                                     const Heartbeat& heartbeat) {
  std::vector<std::uint32_t> clusters =
      faster_pam(distances, n, k, seed, restarts, heartbeat).clusters;
  renumber(clusters);
  return clusters;
}

MedoidClusters k_medoids(const NeighbourSearch& search, const MedoidOptions& options,
                         const Progress& progress) {
  check(options);
  const DistinctTrips& distinct = search.distinct();
  MedoidClusters result;
  std::vector<std::uint32_t> clusters(search.size(), no_cluster);
  if (distinct.size() > 0) {
    const auto sample = sample_below(distinct.size(), options.sample, Random(options.seed));
    const std::uint64_t pairs = sample.size() * (sample.size() - 1) / 2;
    const std::uint64_t total = pairs + distinct.size();
    const auto medoids = medoids_of(search, sample, options, after(progress, 0, total),
                                    after(progress, pairs, total));
    result.work = {.single = pairs, .pairs = pairs};
    const auto nearest = assigned(search, medoids, result.work,
                                  Heartbeat(after(progress, pairs, total), distinct.size()));
    for (std::size_t i = 0; i < distinct.size(); ++i) {
      for (const std::uint32_t trip : distinct.copies(i)) {
        clusters[trip] = static_cast<std::uint32_t>(nearest[i].index);
        result.mean += nearest[i].distance / static_cast<double>(distinct.with_distance());
      }
    }
    result.sample = sample.size();
    result.clusters = numbered_by_size(clusters, medoids.size());
    result.medoids.resize(result.clusters.count);
    for (std::size_t i = 0; i < search.size(); ++i) {
      if (clusters[i] == no_cluster) continue;
      result.medoids[static_cast<std::size_t>(result.clusters.labels[i])] =
          distinct.first(static_cast<std::size_t>(medoids[clusters[i]]));
    }
  } else {
    result.clusters = numbered_by_size(clusters, 0);
  }
  return result;
}

}  // namespace tsmini
