#include "tsmini/calibration.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace tsmini {
namespace {

using Values = std::vector<float>;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

void expect_fit(const Values& predicted, const Values& truth, const Calibration& expected) {
  const Calibration got = fit_calibration(predicted, truth);
  EXPECT_NEAR(got.scale, expected.scale, 1e-6 * expected.scale);
  EXPECT_NEAR(got.exponent, expected.exponent, 1e-6);
}

TEST(FitCalibration, FindsAPowerLaw) {
  expect_fit({1, 2, 4}, {10, 20, 40}, {10, 1});
  expect_fit({1, 2, 3, 10}, {5, 20, 45, 500}, {5, 2});
  expect_fit({1, 4, 9}, {3, 6, 9}, {3, 0.5});
}

TEST(FitCalibration, TheScaleIsAMedian) {
  expect_fit({1, 1, 1}, {1, 1000, 3}, {3, 1});
  expect_fit({1, 1, 1, 1}, {8, 2, 1, 4}, {std::sqrt(8.0), 1});  // between 2 and 4, of logarithms
}

TEST(FitCalibration, LeavesOutWhatHasNoLogarithm) {
  expect_fit({0, 1, 2, nan, 1, -1, infinity, 1}, {5, 0, 6, 7, nan, 4, 1, infinity}, {3, 1});
}

TEST(FitCalibration, DistancesThatFallAreLeftAsTheyAre) {
  expect_fit({1, 2, 4}, {4, 2, 1}, {1, 1});
}

// Distances that hardly differ and are far from 1, as a net may give that has learned nothing.
TEST(FitCalibration, GivesNothingThatAModelCannotHave) {
  expect_fit({1, 1.001F}, {1, 1000}, {std::sqrt(1000 / double{1.001F}), 1});  // not 1^6911
  const Calibration large = fit_calibration(Values{1e-37F, 1e-36F}, Values{1, 1e25F});
  EXPECT_EQ(large.exponent, 1) << "not 25, with a scale of 1e925";
  EXPECT_TRUE(large.scale >= Calibration::least_scale && large.scale <= Calibration::most_scale);
  const Calibration most = fit_calibration(Values{1e-45F}, Values{3e38F});
  EXPECT_TRUE(most.scale >= Calibration::least_scale && most.scale <= Calibration::most_scale);
}

TEST(FitCalibration, IsOneWhereThereIsNothingToFit) {
  expect_fit({}, {}, {});
  expect_fit({0, nan}, {1, 1}, {});
}

TEST(MedianRelativeError, ByHand) {
  const Values predicted{1, 2, 3}, truth{10, 25, 20};
  // Times 10: errors 0, 5 / 25, 10 / 20.
  EXPECT_DOUBLE_EQ(median_relative_error(predicted, truth, {10, 1}), 0.2);
  EXPECT_DOUBLE_EQ(median_relative_error(Values{1, 2}, Values{10, 25}, {10, 1}), 0.1);
  EXPECT_EQ(median_relative_error(predicted, Values{2, 4, 6}, {2, 1}), 0);
}

TEST(MedianRelativeError, OfDistanceZeroThereIsNone) {
  EXPECT_EQ(median_relative_error(Values{5, 3, 9}, Values{0, 2, nan}, {1, 1}), 0.5);
  EXPECT_TRUE(std::isnan(median_relative_error(Values{5}, Values{0}, {1, 1})));
  EXPECT_TRUE(std::isnan(median_relative_error({}, {}, {1, 1})));
}

TEST(MedianRelativeError, ANanIsTheWorstError) {
  EXPECT_EQ(median_relative_error(Values{nan, 1, 1}, Values{1, 1, 2}, {1, 1}), 0.5);
  EXPECT_EQ(median_relative_error(Values{nan}, Values{1}, {1, 1}), infinity);
}

}  // namespace
}  // namespace tsmini
