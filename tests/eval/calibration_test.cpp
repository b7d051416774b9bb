#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/evaluation.h"

namespace tsmini {
namespace {

using Values = std::vector<float>;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(FitScale, IsTheMedianOfTheRatios) {
  EXPECT_EQ(fit_scale(Values{1, 2, 4}, Values{10, 20, 40}), 10);
  EXPECT_EQ(fit_scale(Values{1, 1, 1}, Values{1, 1000, 3}), 3);
  EXPECT_EQ(fit_scale(Values{1, 1, 1, 1}, Values{8, 2, 1, 4}), 3);  // between 2 and 4
}

TEST(FitScale, LeavesOutWhatHasNoRatio) {
  const Values predicted{0, 1, 2, nan, 1, -1, infinity, 1}, truth{5, 0, 6, 7, nan, 4, 1, infinity};
  EXPECT_EQ(fit_scale(predicted, truth), 3);
}

TEST(FitScale, IsOneWhereThereIsNothingToFit) {
  EXPECT_EQ(fit_scale({}, {}), 1);
  EXPECT_EQ(fit_scale(Values{0, nan}, Values{1, 1}), 1);
}

TEST(MedianRelativeError, ByHand) {
  const Values predicted{1, 2, 3}, truth{10, 25, 20};
  // Times 10: errors 0, 5 / 25, 10 / 20.
  EXPECT_DOUBLE_EQ(median_relative_error(predicted, truth, 10), 0.2);
  EXPECT_DOUBLE_EQ(median_relative_error(Values{1, 2}, Values{10, 25}, 10), 0.1);
  EXPECT_EQ(median_relative_error(predicted, Values{2, 4, 6}, 2), 0);
}

TEST(MedianRelativeError, OfDistanceZeroThereIsNone) {
  EXPECT_EQ(median_relative_error(Values{5, 3, 9}, Values{0, 2, nan}, 1), 0.5);
  EXPECT_TRUE(std::isnan(median_relative_error(Values{5}, Values{0}, 1)));
  EXPECT_TRUE(std::isnan(median_relative_error({}, {}, 1)));
}

TEST(MedianRelativeError, ANanIsTheWorstError) {
  EXPECT_EQ(median_relative_error(Values{nan, 1, 1}, Values{1, 1, 2}, 1), 0.5);
  EXPECT_EQ(median_relative_error(Values{nan}, Values{1}, 1), infinity);
}

}  // namespace
}  // namespace tsmini
