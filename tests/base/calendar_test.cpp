#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/text.h"

namespace tsmini {
namespace {

struct TimeCase {
  std::string_view text;
  std::optional<std::int64_t> seconds;
};

TEST(TimeFrom, ReadsNumbersOfAnyUnit) {
  for (const TimeCase& c : std::initializer_list<TimeCase>{{"0", 0},
                                                           {"1372636858", 1372636858},
                                                           {" 1372636858 ", 1372636858},
                                                           {"1372636858.9", 1372636858},
                                                           {"-1", -1},
                                                           {"-0.5", -1},
                                                           {"1372636858620", 1372636858},
                                                           {"1372636858620000", 1372636858},
                                                           {"1372636858620000000", 1372636858},
                                                           {"99999999999", 99999999999},
                                                           {"1e9", 1000000000},
                                                           {"nan", std::nullopt},
                                                           {"inf", std::nullopt},
                                                           {"-inf", std::nullopt},
                                                           {"1e400", std::nullopt},
                                                           {"1e30", std::nullopt}}) {
    EXPECT_EQ(time_from(c.text), c.seconds) << c.text;
  }
}

TEST(TimeFrom, ReadsDates) {
  for (const TimeCase& c :
       std::initializer_list<TimeCase>{{"2008-02-02 15:36:08", 1201966568},
                                       {"2008-02-02T15:36:08", 1201966568},
                                       {"2008-02-02T15:36:08Z", 1201966568},
                                       {"2008-02-02T15:36:08z", 1201966568},
                                       {"2008/02/02 15:36:08", 1201966568},
                                       {"2008/02/02T15:36:08.5Z", 1201966568},
                                       {"2008-02-02 15:36:08,999", 1201966568},
                                       {"2008-02-02 15:36:08 UTC", 1201966568},
                                       {"2008-02-02T15:36:08+08:00", 1201966568 - 8 * 3600},
                                       {"2008-02-02T15:36:08+0800", 1201966568 - 8 * 3600},
                                       {"2008-02-02T15:36:08+08", 1201966568 - 8 * 3600},
                                       {"2008-02-02T15:36:08-05:30", 1201966568 + 5 * 3600 + 1800},
                                       {"2008-02-02T15:36Z", 1201966560},
                                       {"2008-02-02", 1201910400},
                                       {"1970-01-01", 0},
                                       {"1969-12-31T23:59:59Z", -1},
                                       {"2000-02-29", 951782400},
                                       {"2016-12-31T23:59:60Z", 1483228800},
                                       {"2008-02-02T24:00:00", 1201996800}}) {
    EXPECT_EQ(time_from(c.text), c.seconds) << c.text;
  }
}

TEST(TimeFrom, RefusesWhatIsNoMoment) {
  for (const std::string_view text : {"",
                                      " ",
                                      "now",
                                      "2008",
                                      "2008-",
                                      "2008-13-01",
                                      "2008-00-01",
                                      "2008-02-30",
                                      "2007-02-29",
                                      "1900-02-29",
                                      "2008-02-00",
                                      "2008-02-02X15:36:08",
                                      "2008-02-02T25:00:00",
                                      "2008-02-02T24:00:01",
                                      "2008-02-02T15:60:00",
                                      "2008-02-02T15:36:61",
                                      "2008-02/02",
                                      "2008-2-2",
                                      "2008-02-02T15:36:08+",
                                      "2008-02-02T15:36:08+8",
                                      "2008-02-02T15:36:08+08:60",
                                      "2008-02-02T15:36:08.",
                                      "2008-02-02T15:36:08 CET",
                                      "2008-02-02T15",
                                      "2008-02-02 15:36:0"}) {
    if (text == "2008") continue;  // a number of seconds
    EXPECT_EQ(time_from(text), std::nullopt) << text;
  }
}

TEST(IsoTime, IsWhatTimeFromReads) {
  EXPECT_EQ(iso_time(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(iso_time(-1), "1969-12-31T23:59:59Z");
  EXPECT_EQ(iso_time(951782400), "2000-02-29T00:00:00Z");
  EXPECT_EQ(iso_time(1201966568), "2008-02-02T15:36:08Z");
  EXPECT_EQ(iso_time(-2203891200), "1900-03-01T00:00:00Z");
  std::mt19937_64 random(1);
  // Years 0 to 9999.
  std::uniform_int_distribution<std::int64_t> moment(-62'167'219'200, 253'402'300'799);
  for (int i = 0; i < 200'000; ++i) {
    const std::int64_t t = moment(random);
    ASSERT_EQ(time_from(iso_time(t)), t) << iso_time(t);
  }
}

// Whatever a file holds.
TEST(IsoTime, MomentsBeyondAllCalendars) {
  EXPECT_EQ(iso_time(900'000'000'000), "30489-11-11T16:00:00Z");
  EXPECT_EQ(iso_time(900'000'000'001), "900000000001 s from 1970 on");
  EXPECT_EQ(iso_time(INT64_MIN), "-9223372036854775808 s from 1970 on");
}

TEST(UnixSeconds, NoSuchDate) {
  EXPECT_EQ(unix_seconds(2008, 0, 1, 0, 0, 0), std::nullopt);
  EXPECT_EQ(unix_seconds(2008, 1, 0, 0, 0, 0), std::nullopt);
  EXPECT_EQ(unix_seconds(2008, 257, 1, 0, 0, 0), std::nullopt) << "257 is 1 in a byte";
  EXPECT_EQ(unix_seconds(2008, 1, 257, 0, 0, 0), std::nullopt);
  EXPECT_EQ(unix_seconds(67544, 1, 1, 0, 0, 0), std::nullopt) << "2008 in two bytes";
  EXPECT_EQ(unix_seconds(2008, 1, 1, 24, 0, 1), std::nullopt);
  EXPECT_EQ(unix_seconds(2008, 1, 1, 24, 0, 0), unix_seconds(2008, 1, 2, 0, 0, 0));
}

TEST(UnixSeconds, CountsEveryDayOfFourCenturies) {
  constexpr unsigned lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  std::int64_t expected = *unix_seconds(1900, 1, 1, 0, 0, 0);
  EXPECT_EQ(expected, -2208988800);
  for (int year = 1900; year < 2300; ++year) {
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    for (unsigned month = 1; month <= 12; ++month) {
      const unsigned length = lengths[month - 1] + (month == 2 && leap ? 1 : 0);
      for (unsigned day = 1; day <= length; ++day) {
        ASSERT_EQ(unix_seconds(year, month, day, 0, 0, 0), expected) << year << month << day;
        expected += 86400;
      }
      ASSERT_EQ(unix_seconds(year, month, length + 1, 0, 0, 0), std::nullopt);
    }
  }
}

}  // namespace
}  // namespace tsmini
