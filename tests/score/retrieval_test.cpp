#include "tsmini/retrieval.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace tsmini {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

// The slow, simple twin: everything sorted, sets met.
std::vector<std::size_t> sorted(std::size_t self, const std::vector<float>& distances) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (i != self) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (std::isnan(distances[a]) || std::isnan(distances[b])) {
      return !std::isnan(distances[a]) && std::isnan(distances[b]);
    }
    return distances[a] < distances[b];
  });
  return order;
}

double shared(const std::vector<std::size_t>& a, std::size_t k_a, const std::vector<std::size_t>& b,
              std::size_t k_b) {
  k_a = std::min(k_a, a.size());
  const std::set<std::size_t> first(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(k_a));
  double count = 0;
  for (std::size_t i = 0; i < std::min(k_b, b.size()); ++i) count += first.count(b[i]) != 0;
  return count / static_cast<double>(k_a);
}

RetrievalScore naive(const std::vector<std::vector<float>>& predicted,
                     const std::vector<std::vector<float>>& truth) {
  const std::size_t n = truth.size();
  RetrievalScore sum{.queries = n, .base = n - 1};
  const auto count = static_cast<double>(n);
  for (std::size_t q = 0; q < n; ++q) {
    const auto t = sorted(q, truth[q]), p = sorted(q, predicted[q]);
    sum.hr1 += shared(t, 1, p, 1) / count;
    sum.hr5 += shared(t, 5, p, 5) / count;
    sum.hr10 += shared(t, 10, p, 10) / count;
    sum.hr50 += shared(t, 50, p, 50) / count;
    sum.r10at50 += shared(t, 10, p, 50) / count;
    auto again = p;
    again.resize(std::min<std::size_t>(again.size(), 50));
    std::sort(again.begin(), again.end(), [&](std::size_t a, std::size_t b) {
      return std::find(t.begin(), t.end(), a) < std::find(t.begin(), t.end(), b);
    });
    sum.rerank50 += shared(t, 10, again, 10) / count;
  }
  return sum;
}

void expect_near(const RetrievalScore& a, const RetrievalScore& b) {
  EXPECT_EQ(a.queries, b.queries);
  EXPECT_EQ(a.base, b.base);
  EXPECT_NEAR(a.hr1, b.hr1, 1e-12);
  EXPECT_NEAR(a.hr5, b.hr5, 1e-12);
  EXPECT_NEAR(a.hr10, b.hr10, 1e-12);
  EXPECT_NEAR(a.hr50, b.hr50, 1e-12);
  EXPECT_NEAR(a.r10at50, b.r10at50, 1e-12);
  EXPECT_NEAR(a.rerank50, b.rerank50, 1e-12);
}

RetrievalScore score_of(std::size_t self, const std::vector<float>& predicted,
                        const std::vector<float>& truth) {
  RetrievalMeter meter;
  meter.add(self, predicted, truth);
  return meter.score();
}

// 0, 1, 2, … as distances.
std::vector<float> rising(std::size_t n) {
  std::vector<float> row(n);
  std::iota(row.begin(), row.end(), 0.0F);
  return row;
}

TEST(Retrieval, ThePerfectPredictionFindsAll) {
  const auto row = rising(200);
  expect_near(score_of(17, row, row), {1, 199, 1, 1, 1, 1, 1, 1});
}

TEST(Retrieval, TheReverseFindsNothing) {
  const auto row = rising(200);
  expect_near(score_of(0, {row.rbegin(), row.rend()}, row), {1, 199, 0, 0, 0, 0, 0, 0});
}

TEST(Retrieval, ByHand) {
  // Among 100 others, the true nearest come at predicted places 20 … 119: none of the first 10, all
  // true 10 within 50, 30 of the true 50.
  std::vector<float> predicted(101), truth = rising(101);
  for (std::size_t i = 1; i <= 100; ++i) {
    predicted[i] = static_cast<float>((i - 1 + 20) % 100);
  }
  expect_near(score_of(0, predicted, truth), {1, 100, 0, 0, 0, 0.6, 1, 1});
}

TEST(Retrieval, ItselfIsIgnored) {
  // The item itself is nearest in one and farthest in the other.
  std::vector<float> predicted = rising(20), truth = rising(20);
  predicted[5] = 1000;
  truth[5] = -1;
  expect_near(score_of(5, predicted, truth), {1, 19, 1, 1, 1, 1, 1, 1});
}

TEST(Retrieval, TiesGoByIndex) {
  // All predicted alike: the first ones are taken.
  const std::vector<float> same(100, 7);
  expect_near(score_of(99, same, rising(100)), {1, 99, 1, 1, 1, 1, 1, 1});
  auto truth = rising(100);
  std::reverse(truth.begin(), truth.end());
  const RetrievalScore score = score_of(0, same, truth);
  EXPECT_EQ(score.hr10, 0);
  EXPECT_NEAR(score.hr50, 1.0 / 50, 1e-12);  // places 1 … 50 and 50 … 99
}

TEST(Retrieval, WithFewCandidatesKIsTheirNumber) {
  // Three others; predicted nearest is the wrong one.
  expect_near(score_of(0, {0, 2, 1, 3}, {0, 1, 2, 3}), {1, 3, 0, 1, 1, 1, 1, 1});
  expect_near(score_of(1, {3, 0}, {9, 0}), {1, 1, 1, 1, 1, 1, 1, 1});
}

TEST(Retrieval, WithoutCandidatesNothingCounts) {
  expect_near(score_of(0, {1}, {1}), {});
  expect_near(RetrievalMeter().score(), {});
}

TEST(Retrieval, NanIsFarthest) {
  EXPECT_EQ(score_of(0, {0, nan, infinity}, {0, 2, 1}).hr1, 1);
  EXPECT_EQ(score_of(0, {0, nan, 5}, {0, 1, 2}).hr1, 0);
  EXPECT_EQ(score_of(0, {0, nan, nan}, {0, 1, 2}).hr1, 1);  // by index among themselves
}

TEST(Retrieval, IsTheMeanOverQueries) {
  RetrievalMeter meter;
  const auto row = rising(200);
  meter.add(0, row, row);
  meter.add(0, std::vector<float>(row.rbegin(), row.rend()), row);
  expect_near(meter.score(), {2, 199, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5});
}

TEST(Retrieval, IsAsItsTwin) {
  std::mt19937 random(1);
  for (const std::size_t n : {2u, 3u, 8u, 11u, 12u, 51u, 52u, 150u}) {
    std::vector<std::vector<float>> truth(n, std::vector<float>(n)), predicted = truth;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        truth[i][j] = static_cast<float>(random() % 60);  // with many ties
        predicted[i][j] =
            random() % 50 == 0 ? nan : truth[i][j] + static_cast<float>(random() % 20);
      }
    }
    RetrievalMeter meter;
    for (std::size_t q = 0; q < n; ++q) meter.add(q, predicted[q], truth[q]);
    SCOPED_TRACE(n);
    expect_near(meter.score(), naive(predicted, truth));

    // All at once, in two parts.
    RetrievalMeter parts;
    for (const auto& [from, to] : {std::pair(std::size_t{0}, n / 3), std::pair(n / 3, n)}) {
      std::vector<float> p, t;
      for (std::size_t q = from; q < to; ++q) {
        p.insert(p.end(), predicted[q].begin(), predicted[q].end());
        t.insert(t.end(), truth[q].begin(), truth[q].end());
      }
      parts.add_rows(from, n, p, t);
    }
    EXPECT_EQ(parts.score().hr10, meter.score().hr10);
    expect_near(parts.score(), meter.score());
  }
}

}  // namespace
}  // namespace tsmini
