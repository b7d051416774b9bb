#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/text.h"

namespace tsmini {
namespace {

using Random = std::mt19937_64;

std::size_t up_to(Random& random, std::size_t limit) {
  return std::uniform_int_distribution<std::size_t>(0, limit)(random);
}

std::string digits(Random& random, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += static_cast<char>('0' + up_to(random, 9));
  return text;
}

// The same bits and the same place as std::from_chars.
void expect_as_from_chars(const std::string& text) {
  double wanted = 0;
  const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), wanted);
  std::string_view rest = text;
  double value = 0;
  const bool found = take_number(rest, value);
  if (error == std::errc::result_out_of_range) return;
  ASSERT_EQ(found, error == std::errc()) << text;
  if (!found) {
    ASSERT_EQ(rest, text);
    return;
  }
  ASSERT_EQ(rest.data(), next) << text;
  ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(wanted)) << text;
}

TEST(TakeNumber, IsCorrectlyRoundedForAnyCountOfDigits) {
  Random random(1);
  for (int i = 0; i < 300'000; ++i) {
    const std::size_t whole = up_to(random, 20), decimals = up_to(random, 20);
    std::string text = up_to(random, 1) == 0 ? "" : "-";
    text += digits(random, whole);
    if (decimals > 0 || up_to(random, 3) == 0) text += "." + digits(random, decimals);
    expect_as_from_chars(text);
  }
}

TEST(TakeNumber, IsCorrectlyRoundedAroundTheLimitOfTheFastPath) {
  Random random(2);
  for (int i = 0; i < 200'000; ++i) {
    const std::size_t count = 14 + up_to(random, 6);
    std::string text = digits(random, count);
    text.insert(up_to(random, count), ".");
    expect_as_from_chars(text);
  }
}

TEST(TakeNumber, IsCorrectlyRoundedHalfwayBetweenNumbers) {
  Random random(3);
  for (int i = 0; i < 50'000; ++i) {
    const double number = std::ldexp(static_cast<double>(random() >> 12), -20);
    const double above = std::nextafter(number, std::numeric_limits<double>::infinity());
    std::string text(64, '\0');
    const long double middle = (static_cast<long double>(number) + above) / 2;
    text.resize(static_cast<std::size_t>(std::snprintf(text.data(), 64, "%.40Lf", middle)));
    expect_as_from_chars(text);
  }
}

TEST(TakeNumber, ReadsExponents) {
  Random random(4);
  for (int i = 0; i < 100'000; ++i) {
    std::string text =
        digits(random, 1 + up_to(random, 18)) + "." + digits(random, up_to(random, 5));
    text += up_to(random, 1) == 0 ? "e" : "E";
    if (up_to(random, 2) > 0) text += up_to(random, 1) == 0 ? "-" : "+";
    text += digits(random, up_to(random, 3));
    expect_as_from_chars(text);
  }
}

TEST(TakeNumber, ReadsTheShortestFormOfAnyNumber) {
  Random random(5);
  for (int i = 0; i < 200'000; ++i) {
    const double number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) continue;
    std::string text(40, '\0');
    text.resize(static_cast<std::size_t>(
        std::to_chars(text.data(), text.data() + text.size(), number).ptr - text.data()));
    std::string_view rest = text;
    double value = 0;
    ASSERT_TRUE(take_number(rest, value)) << text;
    ASSERT_TRUE(rest.empty()) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(number)) << text;
  }
}

TEST(TakeNumber, KeepsZeroSigned) {
  for (const char* text : {"-0", "-0.0", "-.0", "-0e5", "-0.00000000000000000000"}) {
    std::string_view rest = text;
    double value = 1;
    ASSERT_TRUE(take_number(rest, value)) << text;
    EXPECT_EQ(value, 0) << text;
    EXPECT_TRUE(std::signbit(value)) << text;
  }
}

struct Taken {
  const char* text;
  double value;
  const char* rest;
};

TEST(TakeNumber, StopsBehindTheNumber) {
  for (const Taken& t : std::initializer_list<Taken>{{"1,2", 1, ",2"},
                                                     {"+7", 7, ""},
                                                     {"1.", 1, ""},
                                                     {".5", 0.5, ""},
                                                     {"1.5.5", 1.5, ".5"},
                                                     {"1-2", 1, "-2"},
                                                     {"1e", 1, "e"},
                                                     {"1e+", 1, "e+"},
                                                     {"0x10", 0, "x10"},
                                                     {"12abc", 12, "abc"},
                                                     {"1 2", 1, " 2"}}) {
    std::string_view rest = t.text;
    double value = 0;
    ASSERT_TRUE(take_number(rest, value)) << t.text;
    EXPECT_EQ(value, t.value) << t.text;
    EXPECT_EQ(rest, t.rest) << t.text;
  }
}

TEST(TakeNumber, RefusesWhatIsNone) {
  for (const std::string_view text :
       {"", "-", "+", ".", "-.", "+.", "e5", ".e5", "abc", "--1", "+-1", "-+1", "++1", " 1", ","}) {
    std::string_view rest = text;
    double value = 42;
    EXPECT_FALSE(take_number(rest, value)) << text;
    EXPECT_EQ(rest, text);
  }
}

TEST(TakeNumber, RoundsWhatIsOutOfRange) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::string zeros(400, '0');
  const std::vector<std::pair<std::string, double>> table{{"1e400", infinity},
                                                          {"-1e400", -infinity},
                                                          {"1e-400", 0},
                                                          {"-1e-400", -0.0},
                                                          {"1" + zeros, infinity},
                                                          {"-1" + zeros, -infinity},
                                                          {"0." + zeros + "1", 0},
                                                          {"." + zeros + "1", 0},
                                                          {"1" + zeros + "e-50", infinity},
                                                          {"0." + zeros + "1e50", 0},
                                                          {"1e99999999999999999999", infinity},
                                                          {"1e-99999999999999999999", 0},
                                                          {"0.001e+400", infinity},
                                                          {"1000e-400", 0}};
  for (const auto& [text, wanted] : table) {
    std::string_view rest = text;
    double value = 42;
    ASSERT_TRUE(take_number(rest, value)) << text;
    EXPECT_TRUE(rest.empty()) << text;
    EXPECT_EQ(value, wanted) << text;
    EXPECT_EQ(std::signbit(value), std::signbit(wanted)) << text;
  }
}

TEST(TakeNumber, KnowsNanAndInfinity) {
  for (const char* text : {"nan", "NaN", "NAN", "-nan"}) {
    std::string_view rest = text;
    double value = 0;
    EXPECT_TRUE(take_number(rest, value)) << text;
    EXPECT_TRUE(std::isnan(value)) << text;
  }
  for (const char* text : {"inf", "-inf", "Infinity", "INF"}) {
    std::string_view rest = text;
    double value = 0;
    EXPECT_TRUE(take_number(rest, value)) << text;
    EXPECT_TRUE(std::isinf(value)) << text;
  }
}

TEST(NumberFrom, WantsTheWholeText) {
  EXPECT_EQ(number_from(" 1.5\r"), 1.5);
  EXPECT_EQ(number_from("\t-8.61 "), -8.61);
  for (const char* text : {"", " ", "1,5", "1 5", "1a", "0x10", "1e", "- 1", "1_000"}) {
    EXPECT_EQ(number_from(text), std::nullopt) << text;
  }
}

TEST(IntegerFrom, WantsTheWholeTextAndTheRange) {
  EXPECT_EQ(integer_from(" 42 "), 42);
  EXPECT_EQ(integer_from("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(integer_from("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const char* text : {"", "-", "1.0", "1e3", "9223372036854775808", "12a", "nan"}) {
    EXPECT_EQ(integer_from(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace tsmini
