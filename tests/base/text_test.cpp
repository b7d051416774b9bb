#include "base/text.h"

#include <gtest/gtest.h>

namespace tsmini {
namespace {

TEST(WithThousands, GroupsDigits) {
  EXPECT_EQ(with_thousands(0), "0");
  EXPECT_EQ(with_thousands(999), "999");
  EXPECT_EQ(with_thousands(1000), "1,000");
  EXPECT_EQ(with_thousands(123456), "123,456");
  EXPECT_EQ(with_thousands(1234567), "1,234,567");
  EXPECT_EQ(with_thousands(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(Trimmed, TakesBlanksOffBothEnds) {
  EXPECT_EQ(trimmed(" \t a b\r"), "a b");
  EXPECT_EQ(trimmed(" \t\r"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(EqualIgnoringCase, IsAboutLettersOfAscii) {
  EXPECT_TRUE(equal_ignoring_case("LineString", "LINESTRING"));
  EXPECT_FALSE(equal_ignoring_case("line", "lines"));
  EXPECT_FALSE(equal_ignoring_case("[", "{"));
  EXPECT_EQ(lower_case("AbC[Z]9"), "abc[z]9");
}

}  // namespace
}  // namespace tsmini
