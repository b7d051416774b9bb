#include "base/time_format.h"

#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "base/utf8.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

std::optional<std::int64_t> parse(const char* format, std::string_view text) {
  return TimeFormat(format).parse(text);
}

TEST(TimeFormat, AsIso) {
  std::mt19937_64 random(7);
  const TimeFormat iso("%Y-%m-%dT%H:%M:%SZ"), packed("%Y%m%d%H%M%S"), by_day("%Y %j %T");
  for (int i = 0; i < 2000; ++i) {
    const auto time = static_cast<std::int64_t>(random() % 200'000'000'000) - 50'000'000'000;
    if (time < -62'000'000'000) continue;
    const std::string text = iso_time(time);
    ASSERT_EQ(iso.parse(text), time) << text;
    std::string digits;
    for (const char c : text) {
      if (c >= '0' && c <= '9') digits += c;
    }
    ASSERT_EQ(packed.parse(digits), time) << digits;
    const auto new_year = time_from(text.substr(0, 4) + "-01-01");
    ASSERT_EQ(by_day.parse(fmt::format("{} {:03} {}", text.substr(0, 4),
                                       (time - *new_year) / 86400 + 1, text.substr(11, 8))),
              time);
  }
}

TEST(TimeFormat, Directives) {
  const std::int64_t moment = 1201966568;  // 2008-02-02 15:36:08
  EXPECT_EQ(parse("%d.%m.%Y %H:%M:%S", "02.02.2008 15:36:08"), moment);
  EXPECT_EQ(parse("%d.%m.%Y %H:%M:%S", " 2.2.2008   15:36:8 "), moment);
  EXPECT_EQ(parse("%m/%d/%y %I:%M:%S %p", "02/02/08 03:36:08 PM"), moment);
  EXPECT_EQ(parse("%m/%d/%y %I:%M:%S%p", "02/02/08 03:36:08pm"), moment);
  EXPECT_EQ(parse("%A, %d %B %Y %T", "Saturday, 02 February 2008 15:36:08"), moment);
  EXPECT_EQ(parse("%a %b %e %T %z %Y", "Sat Feb  2 16:36:08 +0100 2008"), moment);
  EXPECT_EQ(parse("%FT%T.%f%z", "2008-02-02T10:36:08.250-05:00"), moment);
  EXPECT_EQ(parse("%FT%T%z", "2008-02-02T15:36:08Z"), moment);
  EXPECT_EQ(parse("%s", "1201966568"), moment);
  EXPECT_EQ(parse("%s", "-5"), -5);
  EXPECT_EQ(parse("%Y%%%m%%%d", "1970%01%02"), 86400);
  EXPECT_EQ(parse("%F %I %p", "1970-01-01 12 AM"), 0);
  EXPECT_EQ(parse("%F %I %p", "1970-01-01 12 PM"), 43200);
}

TEST(TimeFormat, YearsOfTwoDigits) {
  EXPECT_EQ(parse("%y-%m-%d", "69-01-01"), time_from("1969-01-01"));
  EXPECT_EQ(parse("%y-%m-%d", "99-01-01"), time_from("1999-01-01"));
  EXPECT_EQ(parse("%y-%m-%d", "00-01-01"), time_from("2000-01-01"));
  EXPECT_EQ(parse("%y-%m-%d", "68-01-01"), time_from("2068-01-01"));
}

TEST(TimeFormat, WhatIsNotOfTheFormat) {
  for (const char* text : {"", "2008", "2008-02-30", "2008-13-01", "2008-02-02 ", "x2008-02-02",
                           "2008-02-02x", "08-02-02", "2008-02-", "2008-0a-02"}) {
    EXPECT_EQ(parse("%Y-%m-%d!", text), std::nullopt) << text;
  }
  EXPECT_EQ(parse("%Y-%m-%d", "2008-02-30"), std::nullopt);
  EXPECT_EQ(parse("%Y %j", "2007 366"), std::nullopt);
  EXPECT_EQ(parse("%Y %j", "2008 000"), std::nullopt);
  EXPECT_NE(parse("%Y %j", "2008 366"), std::nullopt);
  EXPECT_EQ(parse("%F %I %p", "1970-01-01 13 PM"), std::nullopt);
  EXPECT_EQ(parse("%F %H", "1970-01-01 25"), std::nullopt);
  EXPECT_EQ(parse("%F %p", "1970-01-01 XM"), std::nullopt);
  EXPECT_EQ(parse("%b %d %Y", "Foo 1 2008"), std::nullopt);
  EXPECT_EQ(parse("%s", "99999999999999999999"), std::nullopt);
  EXPECT_EQ(parse("%F%z", "1970-01-01+99"), std::nullopt);
}

TEST(TimeFormat, WhatIsNoFormat) {
  for (const char* format : {"%Y-%m-%d %Q", "%", "%Y-%m-%", "%Y %m %d %-H"}) {
    expect_error(ErrorCode::usage, "in the time format '.*' is not known", "%Y %y",
                 [&] { TimeFormat{format}; });
  }
  for (const char* format : {"", "%H:%M", "%Y-%m", "%d.%m.", "%Y %d"}) {
    expect_error(ErrorCode::usage, "names no day", "%Y-%m-%d", [&] { TimeFormat{format}; });
  }
}

TEST(Text, AsUtf8) {
  EXPECT_EQ(as_utf8("caf\xc3\xa9"), "caf\xc3\xa9");
  EXPECT_EQ(as_utf8("caf\xe9"), "caf\xef\xbf\xbd");
  EXPECT_EQ(as_utf8("\xff\xfe"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(as_utf8(""), "");
  std::mt19937_64 random(8);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (int k = 0; k < 8; ++k) text += static_cast<char>(random());
    EXPECT_TRUE(is_utf8(as_utf8(text)));
    if (is_utf8(text)) {
      EXPECT_EQ(as_utf8(text), text);
    }
  }
}

}  // namespace
}  // namespace tsmini
