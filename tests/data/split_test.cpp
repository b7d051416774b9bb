
#include "tsmini/split.h"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "support/error_expectation.h"
#include "support/imports.h"

namespace tsmini {
namespace {

std::size_t count(const std::vector<Part>& parts, Part part) {
  return static_cast<std::size_t>(std::count(parts.begin(), parts.end(), part));
}

TEST(Sample, IsDistinctRisingAndSeeded) {
  const auto sample = draw_sample(1000, 100, 1);
  EXPECT_EQ(sample.size(), 100u);
  EXPECT_TRUE(std::is_sorted(sample.begin(), sample.end()));
  EXPECT_EQ(std::set(sample.begin(), sample.end()).size(), 100u);
  EXPECT_LT(sample.back(), 1000u);
  EXPECT_EQ(draw_sample(1000, 100, 1), sample);
  EXPECT_NE(draw_sample(1000, 100, 2), sample);
}

TEST(Sample, IsTheSameForEver) {
  EXPECT_EQ(draw_sample(20, 5, 1), (std::vector<std::size_t>{1, 8, 11, 16, 19}));
}

TEST(Sample, IsAllWhereThereAreFewer) {
  EXPECT_EQ(draw_sample(3, 10, 1), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(draw_sample(0, 10, 1), std::vector<std::size_t>{});
}

TEST(Sample, ChoosesEachAlike) {
  std::vector<int> hits(20, 0);
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    for (const std::size_t i : draw_sample(20, 5, seed)) ++hits[i];
  }
  for (const int n : hits) EXPECT_NEAR(n, 1000, 150);
}

TEST(Split, InFileOrder) {
  using enum Part;
  EXPECT_EQ(draw_split(7, {2, 1, 3, false}, 1),
            (std::vector<Part>{train, train, validation, test, test, test, none}));
  EXPECT_EQ(draw_split(3, {0, 0, 3, false}, 1), (std::vector<Part>{test, test, test}));
}

TEST(Split, BySharesLeavesNoneOver) {
  for (std::size_t n = 1; n < 3000; n += n < 50 ? 1 : 97) {
    const auto parts = draw_split(n, {0.7, 0.1, 0.2, false}, 1);
    const auto size = static_cast<double>(n);
    EXPECT_EQ(count(parts, Part::none), 0u) << n;
    EXPECT_NEAR(static_cast<double>(count(parts, Part::train)), 0.7 * size, 1) << n;
    EXPECT_NEAR(static_cast<double>(count(parts, Part::validation)), 0.1 * size, 1) << n;
    EXPECT_NEAR(static_cast<double>(count(parts, Part::test)), 0.2 * size, 1) << n;
  }
  const auto some = draw_split(1000, {0.5, 0.1, 0.1, false}, 1);
  EXPECT_EQ(count(some, Part::train), 500u);
  EXPECT_EQ(count(some, Part::validation), 100u);
  EXPECT_EQ(count(some, Part::none), 300u);
}

TEST(Split, AtRandomIsSeeded) {
  const auto parts = draw_split(1000, {700, 100, 200, true}, 1);
  EXPECT_EQ(count(parts, Part::train), 700u);
  EXPECT_EQ(count(parts, Part::validation), 100u);
  EXPECT_EQ(count(parts, Part::test), 200u);
  EXPECT_EQ(draw_split(1000, {700, 100, 200, true}, 1), parts);
  EXPECT_NE(draw_split(1000, {700, 100, 200, true}, 2), parts);
  EXPECT_NE(draw_split(1000, {700, 100, 200, false}, 1), parts);
}

TEST(Split, OfMoreThanThereAre) {
  expect_error(ErrorCode::bad_input, "the split wants 10,000 trajectories, 9,999 are left",
               "`split` of shares, such as 0.7", [] {
                 draw_split(9999, {7000, 1000, 2000, false}, 1);
               });
}

TEST(Split, OfNonsense) {
  for (const double bad : {-1.0, 1e300, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    ImportOptions options;
    options.split = SplitOptions{bad, 0, 0, false};
    expect_error(ErrorCode::usage, "`split", "",
                 [&] { import_text("a\t\t1 2,3 4\n", "a.tsv", options); });
  }
}

}  // namespace
}  // namespace tsmini
