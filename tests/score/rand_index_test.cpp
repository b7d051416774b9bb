#include "tsmini/rand_index.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tsmini {
namespace {

using Clusters = std::vector<std::uint32_t>;

double naive_rand_index(const Clusters& a, const Clusters& b) {
  double agreeing = 0, pairs = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j, ++pairs) agreeing += (a[i] == a[j]) == (b[i] == b[j]);
  }
  return agreeing / pairs;
}

TEST(RandIndex, ByHand) {
  EXPECT_EQ(rand_index(Clusters{0, 0, 1, 1}, Clusters{1, 1, 0, 0}), 1);  // names do not count
  EXPECT_DOUBLE_EQ(rand_index(Clusters{0, 0, 1, 1}, Clusters{0, 1, 0, 1}), 2.0 / 6);
  EXPECT_DOUBLE_EQ(rand_index(Clusters{0, 0, 0}, Clusters{0, 1, 2}), 0);
  EXPECT_DOUBLE_EQ(rand_index(Clusters{0, 0, 0, 1, 1, 1}, Clusters{0, 0, 1, 1, 2, 2}), 10.0 / 15);
}

TEST(RandIndex, OfFewItemsIsOne) {
  EXPECT_EQ(rand_index({}, {}), 1);
  EXPECT_EQ(rand_index(Clusters{3}, Clusters{5}), 1);
}

TEST(RandIndex, TakesAnyNumbers) {
  EXPECT_EQ(rand_index(Clusters{4'000'000'000, 7}, Clusters{0, 4'294'967'295}), 1);
}

TEST(RandIndex, IsAsItsTwin) {
  std::mt19937 random(2);
  for (int round = 0; round < 20; ++round) {
    Clusters a(2 + random() % 60), b(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<std::uint32_t>(random() % 5);
      b[i] = random() % 3 == 0 ? static_cast<std::uint32_t>(random() % 4) : a[i];
    }
    EXPECT_NEAR(rand_index(a, b), naive_rand_index(a, b), 1e-12);
  }
}

}  // namespace
}  // namespace tsmini
