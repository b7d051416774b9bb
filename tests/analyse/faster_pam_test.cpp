#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "tsmini/medoids.h"

#include "support/error_expectation.h"

namespace tsmini {
namespace {

using Labels = std::vector<std::uint32_t>;

std::vector<float> distances_between(const std::vector<float>& places) {
  std::vector<float> distances;
  for (const float a : places) {
    for (const float b : places) distances.push_back(std::abs(a - b));
  }
  return distances;
}

std::vector<float> random_places(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> places(n);
  for (float& place : places) place = static_cast<float>(random() % 1'000'000) / 1000;
  return places;
}

TEST(KMedoids, FindsWhatLiesTogether) {
  const std::vector<float> places{100, 0, 1, 101, 200, 2, 102, 201};
  const Labels expected{0, 1, 1, 0, 2, 1, 0, 2};  // numbered as they first appear
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(k_medoids(distances_between(places), places.size(), 3, seed), expected);
  }
}

TEST(KMedoids, OneClusterAndOneForEach) {
  const auto distances = distances_between({3, 1, 2, 9});
  EXPECT_EQ(k_medoids(distances, 4, 1, 5), (Labels{0, 0, 0, 0}));
  EXPECT_EQ(k_medoids(distances, 4, 4, 5), (Labels{0, 1, 2, 3}));
  EXPECT_EQ(k_medoids(std::vector<float>{0}, 1, 1, 5), Labels{0});
}

TEST(KMedoids, AmongDuplicatesNoClusterIsEmpty) {
  const std::vector<float> same(9, 0);
  EXPECT_EQ(k_medoids(same, 3, 3, 1), (Labels{0, 1, 2}));
  const auto distances = distances_between({5, 5, 5, 5, 8});
  for (std::size_t k = 1; k <= 5; ++k) {
    const Labels clusters = k_medoids(distances, 5, k, 1);
    EXPECT_EQ(std::set(clusters.begin(), clusters.end()).size(), k);
    EXPECT_EQ(*std::max_element(clusters.begin(), clusters.end()), k - 1);
  }
}

TEST(KMedoids, RefusesNumbersThatDoNotFit) {
  const std::vector<float> one{0};
  expect_error(ErrorCode::usage, "1 items cannot form 0 clusters", "from 1 to 1",
               [&] { k_medoids(one, 1, 0, 1); });
  expect_error(ErrorCode::usage, "1 items cannot form 2 clusters", "from 1 to 1",
               [&] { k_medoids(one, 1, 2, 1); });
  expect_error(ErrorCode::usage, "0 items cannot form 1 clusters", "empty",
               [&] { k_medoids({}, 0, 1, 1); });
}

TEST(KMedoids, DoesNotDependOnThreads) {
  constexpr std::size_t n = 500;
  const auto distances = distances_between(random_places(n, 3));
  const Labels many = k_medoids(distances, n, 10, 7);
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  EXPECT_EQ(k_medoids(distances, n, 10, 7), many);
}

TEST(KMedoids, MoreStartsAreNeverWorse) {
  constexpr std::size_t n = 120;
  const auto distances = distances_between(random_places(n, 9));
  // The best medoids for given clusters, by trying all.
  const auto cost = [&](const Labels& clusters) {
    double sum = 0;
    for (std::uint32_t c = 0; c < 6; ++c) {
      double best = 1e300;
      for (std::size_t i = 0; i < n; ++i) {
        if (clusters[i] != c) continue;
        double of_i = 0;
        for (std::size_t j = 0; j < n; ++j) of_i += clusters[j] == c ? distances[i * n + j] : 0;
        best = std::min(best, of_i);
      }
      sum += best;
    }
    return sum;
  };
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Labels few = k_medoids(distances, n, 6, seed, 1);
    EXPECT_LE(cost(k_medoids(distances, n, 6, seed, 8)), cost(few) + 1e-3);
    EXPECT_EQ(k_medoids(distances, n, 6, seed, 0), few);
  }
}

TEST(KMedoids, NoExchangeOfAMedoidWouldSaveAnything) {
  constexpr std::size_t n = 60, k = 5;
  for (unsigned seed = 0; seed < 10; ++seed) {
    // In a plane: on a line many medoids cost the same.
    const auto x = random_places(n, seed), y = random_places(n, seed + 100);
    std::vector<float> distances;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) distances.push_back(std::hypot(x[i] - x[j], y[i] - y[j]));
    const auto cost = [&](const std::vector<std::size_t>& medoids) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        float nearest = 1e30F;
        for (const std::size_t m : medoids) nearest = std::min(nearest, distances[m * n + i]);
        sum += nearest;
      }
      return sum;
    };
    const Labels clusters = k_medoids(distances, n, k, seed, 1);
    std::vector<std::size_t> medoids(k, n);
    std::vector<double> least(k, 1e300);
    for (std::size_t i = 0; i < n; ++i) {
      double of_i = 0;
      for (std::size_t j = 0; j < n; ++j)
        if (clusters[j] == clusters[i]) of_i += distances[i * n + j];
      if (of_i < least[clusters[i]]) least[clusters[i]] = of_i, medoids[clusters[i]] = i;
    }
    const double found = cost(medoids);
    for (std::size_t c = 0; c < k; ++c) {
      for (std::size_t item = 0; item < n; ++item) {
        std::vector<std::size_t> others = medoids;
        others[c] = item;
        EXPECT_GE(cost(others), found - 1e-3) << seed;
      }
    }
  }
}

TEST(KMedoids, ManyItems) {
  constexpr std::size_t n = 2000;
  const Labels clusters = k_medoids(distances_between(random_places(n, 4)), n, 10, 1);
  EXPECT_EQ(std::set(clusters.begin(), clusters.end()).size(), 10u);
}

}  // namespace
}  // namespace tsmini
