#include "common/pace.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "common/laps.h"
#include "support/error_expectation.h"

namespace tsmini::cli {
namespace {

TEST(Pace, IsNoneUntilItCanBeTold) {
  Pace pace;
  EXPECT_FALSE(pace.rate());
  pace.add(0, 0);
  pace.add(1, 100);
  pace.add(2, 200);
  pace.add(3, 300);
  EXPECT_FALSE(pace.seconds_left(1000));  // too soon
  pace.add(4, 400);
  ASSERT_TRUE(pace.rate());
  EXPECT_DOUBLE_EQ(*pace.rate(), 100);
  EXPECT_DOUBLE_EQ(*pace.seconds_left(1000), 6);
  EXPECT_FALSE(pace.seconds_left(400));
  EXPECT_FALSE(pace.seconds_left(0));  // not known how much there is
}

// An answer that had to wait for a file says nothing of the others: whatever is said is true, from
// the first time on.
TEST(Pace, LeavesOutASlowStart) {
  Pace pace;
  for (int i = 0; i < 460; ++i) pace.add(0.1 * i, 0);
  pace.add(46, 1);
  EXPECT_FALSE(pace.seconds_left(10'000));
  int said = 0;
  for (unsigned i = 1; i <= 300; ++i) {
    pace.add(46 + 0.1 * i, 1 + 20u * i);
    const auto left = pace.seconds_left(10'001);
    if (!left) continue;
    ++said;
    EXPECT_NEAR(*left, (10'000 - 20.0 * i) / 200, 0.5);
  }
  EXPECT_GT(said, 250);
}

// The first of two cores is not long before the second.
TEST(Pace, WaitsForMoreThanTheFirstPieces) {
  Pace pace;
  pace.add(0, 0);
  pace.add(10, 1);
  pace.add(10.001, 2);
  EXPECT_FALSE(pace.rate());
  for (int i = 1; i <= 4; ++i) pace.add(10.001 + 10 * i, 2 + 2u * static_cast<unsigned>(i));
  EXPECT_NEAR(*pace.rate(), 0.2, 0.05);
}

// What a run that was stopped has done is not done in no time.
TEST(Pace, GoesOn) {
  Pace pace;
  for (unsigned i = 0; i <= 10; ++i) pace.add(i, 5000 + 10 * i);
  EXPECT_NEAR(*pace.rate(), 10, 0.1);
}

TEST(Pace, FollowsWorkThatBecomesSlower) {
  Pace pace;
  std::uint64_t done = 0;
  for (int i = 0; i <= 100; ++i) pace.add(i, done += i < 50 ? 100 : 10);
  EXPECT_NEAR(*pace.rate(), 10, 1);
}

TEST(Pace, KnowsWorkThatComesInLumps) {
  Pace pace;
  for (int i = 0; i <= 125; ++i) pace.add(i, 4096u * static_cast<unsigned>(i / 30));
  EXPECT_NEAR(*pace.rate(), 4096.0 / 30, 15);
  EXPECT_NEAR(*pace.seconds_left(std::uint64_t{4096} * 8), 120, 15);
}

TEST(Pace, TellsNothingWhereNothingMoves) {
  Pace pace;
  for (int i = 0; i <= 10; ++i) pace.add(i, static_cast<unsigned>(i));
  ASSERT_TRUE(pace.seconds_left(100));
  for (int i = 11; i <= 100; ++i) pace.add(i, 10);
  EXPECT_FALSE(pace.seconds_left(100));
}

TEST(Pace, BeginsAnewWithOtherWork) {
  Pace pace;
  for (int i = 0; i <= 10; ++i) pace.add(i, 1000u * static_cast<unsigned>(i));
  pace.add(11, 5);
  EXPECT_FALSE(pace.rate());
  for (int i = 12; i <= 20; ++i) pace.add(i, static_cast<unsigned>(i));
  EXPECT_NEAR(*pace.rate(), 1, 0.1);
}

TEST(Laps, NamesThePartsWhereThereAreSeveral) {
  Laps laps;
  const std::string time = "[0-9.]+ m?s";
  EXPECT_TRUE(matches(laps.text(), "^" + time + "$")) << laps.text();
  laps.end("opening");
  EXPECT_TRUE(matches(laps.text(), "^" + time + "$")) << laps.text();
  laps.end("searching");
  EXPECT_TRUE(
      matches(laps.text(), "^" + time + " \\(opening " + time + ", searching " + time + "\\)$"))
      << laps.text();
}

TEST(Laps, FollowOneAnother) {
  constexpr std::chrono::milliseconds wait(2);
  Laps laps;
  std::this_thread::sleep_for(wait);
  const double opening = laps.end("opening");
  const double searching = laps.end("searching");
  EXPECT_GE(opening, std::chrono::duration<double>(wait).count());
  EXPECT_LE(opening + searching, laps.seconds());
}

}  // namespace
}  // namespace tsmini::cli
