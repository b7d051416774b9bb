#include "base/sampling.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace tsmini {
namespace {

TEST(Sampling, IsWithoutReplacement) {
  const auto drawn = draw_below(100, 60, Random(1));
  EXPECT_EQ(drawn.size(), 60u);
  EXPECT_EQ(std::set<std::size_t>(drawn.begin(), drawn.end()).size(), 60u);
  EXPECT_LT(*std::max_element(drawn.begin(), drawn.end()), 100u);
  EXPECT_FALSE(std::is_sorted(drawn.begin(), drawn.end()));
  std::vector<std::size_t> rising = drawn;
  std::sort(rising.begin(), rising.end());
  EXPECT_EQ(sample_below(100, 60, Random(1)), rising) << "the same by the same seed";
  EXPECT_NE(sample_below(100, 60, Random(2)), rising);
}

TEST(Sampling, MoreThanThereAreIsAll) {
  EXPECT_EQ(sample_below<int>(3, 7, Random(1)), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(draw_below(3, 7, Random(1)).size(), 3u);
  EXPECT_TRUE(sample_below(0, 7, Random(1)).empty());
  EXPECT_TRUE(sample_below(7, 0, Random(1)).empty());
}

// Each place of a sample of two holds each of five numbers a fifth of the time: within five
// deviations of a binomial count.
TEST(Sampling, EachIsAsLikelyAsAnyOther) {
  constexpr int rounds = 20'000;
  std::vector<std::vector<int>> counts(2, std::vector<int>(5));
  for (int seed = 0; seed < rounds; ++seed) {
    const auto drawn = draw_below(5, 2, Random(static_cast<std::uint64_t>(seed)));
    for (std::size_t place = 0; place < 2; ++place) ++counts[place][drawn[place]];
  }
  const double deviation = std::sqrt(rounds * 0.2 * 0.8);
  for (const auto& place : counts) {
    for (const int count : place) EXPECT_NEAR(count, rounds / 5, 5 * deviation);
  }
}

// A number after the other, as figures of earlier versions were drawn.
TEST(Sampling, MarksAreKnuthsAlgorithmS) {
  for (const std::size_t most : {0u, 1u, 40u, 99u, 100u, 101u}) {
    Random random(7), by_hand(7);
    std::vector<bool> expected;
    std::size_t taken = 0;
    for (std::size_t i = 0; i < 100; ++i) {
      expected.push_back(by_hand.below(100 - i) < most - taken);
      if (expected.back()) ++taken;
    }
    const std::vector<bool> marks = mark_sample(100, most, random);
    EXPECT_EQ(marks, expected);
    EXPECT_EQ(std::count(marks.begin(), marks.end(), true),
              static_cast<std::ptrdiff_t>(std::min<std::size_t>(most, 100)));
    EXPECT_EQ(random.bits(), by_hand.bits()) << "a draw for each, and no more";
  }
}

TEST(Sampling, MarksAreAsLikelyForEach) {
  constexpr int rounds = 20'000;
  std::vector<int> counts(5);
  Random random(1);
  for (int round = 0; round < rounds; ++round) {
    const std::vector<bool> marks = mark_sample(5, 2, random);
    for (std::size_t i = 0; i < 5; ++i) counts[i] += marks[i] ? 1 : 0;
  }
  const double deviation = std::sqrt(rounds * 0.4 * 0.6);
  for (const int count : counts) EXPECT_NEAR(count, rounds * 2 / 5, 5 * deviation);
}

// What is not drawn stays behind it.
TEST(Sampling, ToTheFront) {
  std::vector<char> letters = {'a', 'b', 'c', 'd', 'e'};
  Random random(3);
  draw_to_front(letters, 2, random);
  EXPECT_EQ(std::set<char>(letters.begin(), letters.end()).size(), 5u);
  const auto places = draw_below(5, 2, Random(3));
  EXPECT_EQ(letters[0], static_cast<char>('a' + places[0]));
  EXPECT_EQ(letters[1], static_cast<char>('a' + places[1]));
  EXPECT_NE(places, (std::vector<std::size_t>{0, 1})) << "a seed that moves something";
}

}  // namespace
}  // namespace tsmini
