#include "tsmini/recall_curve.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/error_expectation.h"

namespace tsmini {
namespace {

constexpr std::size_t last = RecallCurve::counts.size() - 1;

std::size_t place_of(std::size_t count) {
  std::size_t place = 0;
  while (RecallCurve::counts.at(place) != count) ++place;
  return place;
}

// From that number of candidates on, that share.
void set_from(RecallCurve::Shares& shares, std::size_t depth, std::size_t count, double share) {
  for (std::size_t i = place_of(count); i <= last; ++i) shares[depth][i] = share;
}

RecallCurve::Shares some_shares() {
  RecallCurve::Shares shares{};
  set_from(shares, 0, 1, 0.5);
  set_from(shares, 0, 10, 0.9);
  set_from(shares, 0, 100, 1);
  set_from(shares, 1, 10, 0.4);
  set_from(shares, 1, 50, 0.8);
  set_from(shares, 1, 500, 0.95);
  set_from(shares, 2, 50, 0.3);
  set_from(shares, 2, 1000, 0.9);
  return shares;
}

TEST(RecallCurve, HoldsForWhatWasMeasured) {
  const RecallCurve curve(some_shares());
  EXPECT_EQ(curve.at(1, 0), 0);
  EXPECT_EQ(curve.at(1, 1), 0.5);
  EXPECT_EQ(curve.at(1, 99), 0.9) << "that of the lower count";
  EXPECT_EQ(curve.at(1, 100), 1);
  EXPECT_EQ(curve.at(10, 50), 0.8);
  EXPECT_EQ(curve.at(10, 1'000'000), 1) << "as 100,000 for each";
  EXPECT_EQ(curve.at(50, 1000), 0.9);
  EXPECT_EQ(curve.candidates_for(1, 0.5), 1u);
  EXPECT_EQ(curve.candidates_for(1, 0.51), 10u);
  EXPECT_EQ(curve.candidates_for(10, 0.8), 50u);
  EXPECT_EQ(curve.candidates_for(50, 0.9), 500u) << "50 times what one takes";
}

TEST(RecallCurve, OtherNumbersOfNeighboursTakeTheBetterBound) {
  const RecallCurve curve(some_shares());
  // 5: of 10 at 50 candidates .8, of 1 at 10 candidates .9.
  EXPECT_EQ(curve.at(5, 50), 0.9);
  // 5: of 10 at 500 .95, of 1 at 100 all.
  EXPECT_EQ(curve.at(5, 500), 1);
  // 100: of 50 at 1,000 candidates .9, for which it takes 2,000; of 1 at 20 .9 as well.
  EXPECT_EQ(curve.at(100, 2000), 0.9);
  EXPECT_EQ(curve.at(100, 999), 0.8) << "of 10 at 99";
  EXPECT_EQ(curve.candidates_for(5, 0.9), 50u);
  EXPECT_EQ(curve.candidates_for(100, 0.9), 1000u);
  EXPECT_EQ(curve.candidates_for(7, 0.1), 7u) << "no fewer than are wanted";
}

TEST(RecallCurve, WhatIsNotReachedTakesTheMost) {
  RecallCurve::Shares shares = some_shares();
  shares[0].fill(0.2);
  const RecallCurve curve(shares);
  EXPECT_EQ(curve.candidates_for(10, 0.99), 5000u);
  EXPECT_EQ(curve.at(10, 5000), 0.95);
  EXPECT_EQ(curve.candidates_for(51, 0.99), 5100u);
  EXPECT_EQ(RecallCurve().candidates_for(1, 0.5), 5000u);
  EXPECT_EQ(RecallCurve().at(1, 5000), 0);
  // One of 1 takes 100, so that ten take 1,000 but a hundred more than the most.
  EXPECT_EQ(RecallCurve(some_shares()).candidates_for(10, 1), 1000u);
  EXPECT_EQ(RecallCurve(some_shares()).candidates_for(60, 1), 6000u);
}

TEST(RecallCurve, RefusesWhatIsNoRecall) {
  for (const double share : {-0.1, 1.1, std::nan(""), 0.1}) {
    RecallCurve::Shares shares = some_shares();
    shares[1][last] = share;
    expect_error(ErrorCode::bad_input, "is no recall", "", [&] { RecallCurve{shares}; });
  }
}

}  // namespace
}  // namespace tsmini
