#include "tsmini/where.h"

#include <string>

#include <gtest/gtest.h>

#include "support/error_expectation.h"

namespace tsmini {
namespace {

bool fits(const std::string& condition, std::string_view text) {
  const Condition parsed = condition_from(condition);
  EXPECT_EQ(holds(parsed, text), holds_for_text(parsed, text));
  return holds_for_text(parsed, text);
}

TEST(Where, ReadsAndWrites) {
  for (const char* text : {"a=1", "a!=1", "a<1", "a<=1", "a>1", "a>=1", "a=", "a=b=c", "a<=>b"}) {
    EXPECT_EQ(text_of(condition_from(text)), text);
  }
  const Condition c = condition_from(" speed  >= 12.5 ");
  EXPECT_EQ(c.column, "speed");
  EXPECT_EQ(c.comparison, Comparison::at_least);
  EXPECT_EQ(c.value, "12.5");
  EXPECT_EQ(c.number, 12.5);
  EXPECT_EQ(condition_from("a=b").number, std::nullopt);
}

TEST(Where, WhatIsNoCondition) {
  for (const char* text : {"", "a", "=1", "!=1", " <2", "a!1"}) {
    expect_error(ErrorCode::usage, "is not a condition", "COLUMN=VALUE",
                 [&] { condition_from(text); });
  }
}

TEST(Where, NumbersAsNumbersAndTextAsText) {
  EXPECT_TRUE(fits("a=1", "1"));
  EXPECT_TRUE(fits("a=1", "1.0"));
  EXPECT_TRUE(fits("a=1", " 1 "));
  EXPECT_FALSE(fits("a=1", "01x"));
  EXPECT_TRUE(fits("a<10", "9"));
  EXPECT_FALSE(fits("a<10", "10"));
  EXPECT_TRUE(fits("a<=10", "10"));
  EXPECT_TRUE(fits("a>-3", "-2.5"));
  EXPECT_TRUE(fits("a!=1", "2"));
  EXPECT_TRUE(fits("a=A", "A"));
  EXPECT_FALSE(fits("a=A", "a"));
  EXPECT_TRUE(fits("a<b", "a"));
  EXPECT_TRUE(fits("a<b", "10"));  // the condition has no number: byte by byte
  for (const char* no_number : {"N7", "1 km", "3,5", "nan"}) {
    for (const char* order : {"<", "<=", ">", ">="}) {
      EXPECT_FALSE(fits(std::string("a") + order + "10", no_number)) << no_number;
    }
    EXPECT_TRUE(fits("a!=10", no_number));
  }
}

TEST(Where, IntegersExactly) {
  const auto both = [](const std::string& condition, std::int64_t value) {
    const bool found = holds(condition_from(condition), value);
    EXPECT_EQ(fits(condition, std::to_string(value)), found) << condition << ' ' << value;
    return found;
  };
  constexpr std::int64_t two_to_53 = std::int64_t{1} << 53;
  EXPECT_TRUE(both("a=9007199254740993", two_to_53 + 1));
  EXPECT_FALSE(both("a=9007199254740993", two_to_53));
  EXPECT_TRUE(both("a!=9007199254740993", two_to_53));
  EXPECT_TRUE(both("a<9007199254740993", two_to_53));
  EXPECT_FALSE(both("a>=9007199254740993", two_to_53));
  EXPECT_TRUE(both("a>-9007199254740993", -two_to_53));
  EXPECT_FALSE(both("a=1372636858620000589", 1372636858620000588));
  EXPECT_TRUE(both("a<=7.5", 7));
  EXPECT_TRUE(both("a=1e3", 1000));
  constexpr std::int64_t largest = 9223372036854775807;
  EXPECT_TRUE(both("a=9223372036854775807", largest));
  EXPECT_FALSE(both("a=9223372036854775808", largest));
  EXPECT_TRUE(both("a!=9223372036854775808", largest));
  EXPECT_TRUE(both("a<92233720368547758080", largest));
}

TEST(Where, IntegersOfMoreThan64BitsByTheirDigits) {
  EXPECT_TRUE(fits("a=18446744073709551617", "18446744073709551617"));
  EXPECT_FALSE(fits("a=18446744073709551617", "18446744073709551616"));
  EXPECT_TRUE(fits("a!=18446744073709551617", "18446744073709551616"));
  EXPECT_FALSE(fits("a=-18446744073709551617", "18446744073709551617"));
  EXPECT_TRUE(fits("a<184467440737095516160", "18446744073709551616"));
  EXPECT_TRUE(fits("a>9", "18446744073709551616"));
}

TEST(Where, OnlyFiniteNumbersAreNumbers) {
  for (const char* name : {"Nan", "nan", "inf", "-Infinity", "1e999"}) {
    const std::string is = std::string("who=") + name, is_not = std::string("who!=") + name;
    EXPECT_EQ(condition_from(is).number, std::nullopt) << name;
    EXPECT_TRUE(fits(is, name));
    EXPECT_FALSE(fits(is_not, name));
    EXPECT_FALSE(fits(is, "Ann"));
    EXPECT_TRUE(fits(is_not, "1"));
  }
  EXPECT_FALSE(fits("who=Nan", "nan"));
}

TEST(Where, WithoutAValue) {
  EXPECT_TRUE(fits("a=", ""));
  EXPECT_FALSE(fits("a=", "x"));
  EXPECT_TRUE(fits("a!=1", ""));
  EXPECT_FALSE(fits("a!=", ""));
  EXPECT_TRUE(fits("a!=", "x"));
  for (const char* text : {"a=1", "a<1", "a<=1", "a>1", "a>=1", "a<", "a>="}) {
    EXPECT_FALSE(fits(text, "")) << text;
    EXPECT_FALSE(holds(condition_from(text), AttributeValue())) << text;
  }
  EXPECT_TRUE(holds(condition_from("a!=1"), AttributeValue()));
  EXPECT_TRUE(holds(condition_from("a="), AttributeValue()));
}

TEST(Where, TypedValues) {
  EXPECT_TRUE(holds(condition_from("a=7"), std::int64_t{7}));
  EXPECT_FALSE(holds(condition_from("a>7"), std::int64_t{7}));
  EXPECT_TRUE(holds(condition_from("a<0.5"), 0.25));
  EXPECT_TRUE(holds(condition_from("a=true"), true));
  EXPECT_FALSE(holds(condition_from("a=true"), false));
  EXPECT_TRUE(holds(condition_from("a!=x"), std::int64_t{7}));
}

}  // namespace
}  // namespace tsmini
