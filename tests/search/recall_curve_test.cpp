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
  EXPECT_EQ(curve.at(10, 1'000'000), 0.95);
  EXPECT_EQ(curve.at(50, 1000), 0.9);
  EXPECT_EQ(curve.candidates_for(1, 0.5), 1u);
  EXPECT_EQ(curve.candidates_for(1, 0.51), 10u);
  EXPECT_EQ(curve.candidates_for(10, 0.8), 50u);
  EXPECT_EQ(curve.candidates_for(50, 0.9), 1000u);
}

TEST(RecallCurve, AnotherNumberOfNeighboursLiesBetweenTwo) {
  const RecallCurve curve(some_shares());
  EXPECT_EQ(curve.at(5, 25), 0.5) << "of 1 at 5 candidates .5, of 10 at 50 more, at 25 less";
  EXPECT_EQ(curve.at(5, 50), 0.8) << "of 10 at 50 and at 100 .8, of 1 at 10 .9";
  EXPECT_EQ(curve.at(5, 500), 0.95) << "of 10 at 500 and beyond, of 1 all";
  EXPECT_EQ(curve.candidates_for(5, 0.9), 250u) << "of 10 with 500, of 1 with 10";
  EXPECT_EQ(curve.at(5, 250), 0.9);
  EXPECT_EQ(curve.at(5, 249), 0.8);
  EXPECT_EQ(curve.candidates_for(7, 0.1), 7u) << "no fewer than are wanted";
  // Beyond what was measured as many for each.
  EXPECT_EQ(curve.at(100, 2000), 0.9);
  EXPECT_EQ(curve.at(100, 1999), 0.3);
  EXPECT_EQ(curve.candidates_for(100, 0.9), 2000u);
}

// That of more neighbours stands for fewer with as many candidates, even where that of one falls
// short.
TEST(RecallCurve, WhatServesMoreServesFewer) {
  RecallCurve::Shares shares{};
  set_from(shares, 0, 1, 0.5);
  set_from(shares, 1, 50, 0.8);
  set_from(shares, 2, 1000, 0.9);
  const RecallCurve curve(shares);
  EXPECT_EQ(curve.candidates_for(5, 0.8), 50u);
  EXPECT_EQ(curve.at(5, 50), 0.8);
  EXPECT_EQ(curve.candidates_for(20, 0.9), 1000u);
}

// Every trip has a twin: that the first is always found says nothing of others.
TEST(RecallCurve, TwinsDoNotStandForOthers) {
  RecallCurve::Shares shares = some_shares();
  shares[0].fill(1);
  const RecallCurve curve(shares);
  EXPECT_EQ(curve.at(10, 10), 0.4);
  EXPECT_EQ(curve.at(5, 5), 0.4);
}

TEST(RecallCurve, WhatIsNotReachedTakesTheMost) {
  const RecallCurve curve(some_shares());
  EXPECT_EQ(curve.candidates_for(1, 1), 100u);
  EXPECT_EQ(curve.candidates_for(5, 0.99), 5000u);
  EXPECT_EQ(curve.candidates_for(10, 0.99), 5000u);
  EXPECT_EQ(curve.at(10, 5000), 0.95);
  EXPECT_EQ(curve.candidates_for(51, 0.99), 5100u);
  EXPECT_EQ(RecallCurve().candidates_for(1, 0.5), 5000u);
  EXPECT_EQ(RecallCurve().at(1, 5000), 0);
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
