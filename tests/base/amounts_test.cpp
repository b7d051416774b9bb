#include "base/amounts.h"

#include <gtest/gtest.h>

namespace tsmini {
namespace {

TEST(Counted, IsPluralUnlessOne) {
  EXPECT_EQ(counted(0, "trip"), "0 trips");
  EXPECT_EQ(counted(1, "trip"), "1 trip");
  EXPECT_EQ(counted(2000, "trip"), "2,000 trips");
  EXPECT_EQ(counted(1, "query"), "1 query");
  EXPECT_EQ(counted(2, "query"), "2 queries");
  EXPECT_EQ(counted(3, "trajectory"), "3 trajectories");
  EXPECT_EQ(counted(2, "day"), "2 days");
}

TEST(HumanNumber, HasNoExponentWherePeopleReadIt) {
  EXPECT_EQ(human_number(0), "0");
  EXPECT_EQ(human_number(1), "1");
  EXPECT_EQ(human_number(1.8432), "1.84");
  EXPECT_EQ(human_number(12.56), "12.6");
  EXPECT_EQ(human_number(99.96), "100");
  EXPECT_EQ(human_number(999.4), "999");
  EXPECT_EQ(human_number(999.6), "1,000");
  EXPECT_EQ(human_number(6234.5), "6,235");
  EXPECT_EQ(human_number(1504462.3), "1,504,462");
  EXPECT_EQ(human_number(-6234), "-6,234");
  EXPECT_EQ(human_number(-0.5), "-0.5");
  EXPECT_EQ(human_number(0.001234), "0.00123");
  EXPECT_EQ(human_number(1e-9), "1e-09");
  EXPECT_EQ(human_number(1e20), "1e+20");
  EXPECT_EQ(human_number(123456.7, 6), "123,457");
  EXPECT_EQ(human_number(12345.67, 6), "12345.7");
}

TEST(HumanShare, IsAllOrNothingOnlyWhereItIs) {
  EXPECT_EQ(human_share(0), "0 %");
  EXPECT_EQ(human_share(1e-7), "< 0.01 %");
  EXPECT_EQ(human_share(0.0004), "0.04 %");
  EXPECT_EQ(human_share(0.00994), "0.99 %");
  EXPECT_EQ(human_share(0.00999), "1.0 %");
  EXPECT_EQ(human_share(0.0361), "3.6 %");
  EXPECT_EQ(human_share(0.0996), "10 %");
  EXPECT_EQ(human_share(0.5), "50 %");
  EXPECT_EQ(human_share(0.996), "99.6 %");
  EXPECT_EQ(human_share(0.99999), "99.9 %");
  EXPECT_EQ(human_share(1), "100 %");
  EXPECT_EQ(human_share(2.03), "203 %");
}

TEST(HumanSeconds, HaveAsManyDigitsAsPeopleNeed) {
  EXPECT_EQ(human_seconds(0), "0 s");
  EXPECT_EQ(human_seconds(3e-7), "0.01 ms");
  EXPECT_EQ(human_seconds(0.00035), "0.35 ms");
  EXPECT_EQ(human_seconds(0.0009996), "1 ms");
  EXPECT_EQ(human_seconds(0.00184), "1.84 ms");
  EXPECT_EQ(human_seconds(0.0842), "84.2 ms");
  EXPECT_EQ(human_seconds(0.09996), "0.10 s");
  EXPECT_EQ(human_seconds(0.354), "0.35 s");
  EXPECT_EQ(human_seconds(6.2), "6.20 s");
  EXPECT_EQ(human_seconds(9.996), "10 s");
  EXPECT_EQ(human_seconds(42), "42 s");
  EXPECT_EQ(human_seconds(99.7), "1 min 40 s");
  EXPECT_EQ(human_seconds(125), "2 min 05 s");
  EXPECT_EQ(human_seconds(3599.6), "1 h 00 min");
  EXPECT_EQ(human_seconds(3725), "1 h 02 min");
  EXPECT_EQ(human_seconds(7199), "2 h 00 min");
}

TEST(HumanBytes, AreOfTheUnitThatFits) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(1000), "1.0 kB");
  EXPECT_EQ(human_bytes(99'960), "100 kB");
  EXPECT_EQ(human_bytes(999'600), "1.0 MB");
  EXPECT_EQ(human_bytes(123e6), "123 MB");
  EXPECT_EQ(human_bytes(1.9e9), "1.9 GB");
}

TEST(PerSecond, IsNoneWithoutTime) {
  EXPECT_EQ(per_second(10, 2), 5);
  EXPECT_EQ(per_second(10, 0), 0);
}

}  // namespace
}  // namespace tsmini
