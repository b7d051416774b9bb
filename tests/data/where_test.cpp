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
  EXPECT_TRUE(fits("a<b", "10"));     // one is no number: byte by byte
  EXPECT_TRUE(fits("a<10", "1 km"));  // the same the other way round
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
