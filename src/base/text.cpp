#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

namespace tsmini {
namespace {

constexpr std::array<double, 16> powers_of_ten{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// What a number rounds to that from_chars calls out of range: zero or infinity.
double out_of_range(std::string_view number) {
  const bool negative = number.front() == '-';
  if (negative) number.remove_prefix(1);
  const std::size_t mark = std::min(number.find_first_of("eE"), number.size());
  std::int64_t scale = 0;  // digits before the point, or less than 0: zeros behind it
  bool significant = false, behind_point = false;
  for (const char c : number.substr(0, mark)) {
    significant = significant || (c != '0' && c != '.');
    if (c == '.') {
      behind_point = true;
    } else if (behind_point != significant) {
      scale += significant ? 1 : -1;
    }
    if (significant && behind_point) break;
  }
  std::string_view exponent = number.substr(std::min(mark + 1, number.size()));
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  constexpr std::int64_t huge = std::int64_t{1} << 62;
  if (!exponent.empty()) {
    scale += integer_from(exponent).value_or(exponent.front() == '-' ? -huge : huge);
  }
  const double magnitude = scale < 0 ? 0 : std::numeric_limits<double>::infinity();
  return negative ? -magnitude : magnitude;
}

bool take_number_slowly(std::string_view& text, double& value) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  if (begin != end && *begin == '+') ++begin;
  if (begin == end || *begin == '+' || (begin != text.data() && *begin == '-')) return false;
  const auto [next, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) {
    value = out_of_range(std::string_view(begin, static_cast<std::size_t>(next - begin)));
  } else if (error != std::errc()) {
    return false;
  }
  text.remove_prefix(static_cast<std::size_t>(next - text.data()));
  return true;
}

// Reads exactly `count` digits.
std::optional<unsigned> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  unsigned value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_digit(text[i])) return std::nullopt;
    value = value * 10 + static_cast<unsigned>(text[i] - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

// "Z", "+08:00", "+0800", "+08" or nothing, as seconds east of UTC.
std::optional<std::int64_t> zone_from(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z" || text == "UTC" || text == " UTC") return 0;
  const bool east = text.front() == '+';
  if (!east && text.front() != '-') return std::nullopt;
  text.remove_prefix(1);
  const auto hours = take_digits(text, 2);
  take(text, ':');
  const auto minutes = text.empty() ? std::optional<unsigned>(0) : take_digits(text, 2);
  if (!hours || !minutes || !text.empty() || *hours > 15 || *minutes > 59) return std::nullopt;
  const std::int64_t seconds = std::int64_t{*hours} * 3600 + std::int64_t{*minutes} * 60;
  return east ? seconds : -seconds;
}

std::optional<std::int64_t> calendar_time_from(std::string_view text) {
  const auto year = take_digits(text, 4);
  if (!year || text.empty() || (text.front() != '-' && text.front() != '/')) return std::nullopt;
  const char separator = text.front();
  text.remove_prefix(1);
  const auto month = take_digits(text, 2);
  if (!month || !take(text, separator)) return std::nullopt;
  const auto day = take_digits(text, 2);
  if (!day) return std::nullopt;
  unsigned hour = 0, minute = 0, second = 0;
  if (!text.empty() && (text.front() == 'T' || text.front() == ' ')) {
    text.remove_prefix(1);
    const auto h = take_digits(text, 2);
    if (!h || !take(text, ':')) return std::nullopt;
    const auto m = take_digits(text, 2);
    if (!m) return std::nullopt;
    hour = *h;
    minute = *m;
    if (take(text, ':')) {
      const auto s = take_digits(text, 2);
      if (!s) return std::nullopt;
      second = *s;
      if (take(text, '.') || take(text, ',')) {
        if (text.empty() || !is_digit(text.front())) return std::nullopt;
        while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
      }
    }
  }
  const auto zone = zone_from(text);
  const auto moment = unix_seconds(static_cast<int>(*year), *month, *day, hour, minute, second);
  if (!zone || !moment) return std::nullopt;
  return *moment - *zone;
}

}  // namespace

bool take_number(std::string_view& text, double& value) {
  const char* p = text.data();
  const char* const end = p + text.size();
  const bool negative = p != end && *p == '-';
  if (negative) ++p;
  const char* const first = p;
  std::uint64_t mantissa = 0;
  while (p != end && is_digit(*p)) mantissa = mantissa * 10 + static_cast<unsigned>(*p++ - '0');
  std::ptrdiff_t digits = p - first;
  std::ptrdiff_t decimals = 0;
  if (p != end && *p == '.') {
    const char* const point = p++;
    while (p != end && is_digit(*p)) mantissa = mantissa * 10 + static_cast<unsigned>(*p++ - '0');
    decimals = p - point - 1;
    digits += decimals;
  }
  // Up to 15 digits fit a double exactly, and so do the powers of ten here: one exact division.
  if (digits == 0 || digits > 15 || (p != end && (*p == 'e' || *p == 'E'))) {
    return take_number_slowly(text, value);
  }
  const double magnitude =
      static_cast<double>(mantissa) / powers_of_ten[static_cast<std::size_t>(decimals)];
  value = negative ? -magnitude : magnitude;
  text.remove_prefix(static_cast<std::size_t>(p - text.data()));
  return true;
}

std::optional<std::int64_t> integer_from(std::string_view text) {
  text = trimmed(text);
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || next != end) return std::nullopt;
  return value;
}

bool read_time(std::string_view text, std::int64_t& seconds) {
  const auto number = number_from(text);
  if (!number) {
    const auto moment = calendar_time_from(trimmed(text));
    seconds = moment.value_or(0);
    return moment.has_value();
  }
  double value = *number;
  // A time in seconds stays below 1e11 until the year 5138.
  for (int i = 0; i < 3 && std::abs(value) >= 1e11; ++i) value /= 1000;
  if (!(std::abs(value) < 1e11)) return false;
  seconds = static_cast<std::int64_t>(std::floor(value));
  return true;
}

std::optional<std::int64_t> unix_seconds(int year, unsigned month, unsigned day, unsigned hour,
                                         unsigned minute, unsigned second) {
  namespace chrono = std::chrono;
  // Beyond these std::chrono's own types take others for them.
  if (std::abs(year) > 32767 || month > 12 || day > 31) return std::nullopt;
  if (hour > 24 || minute > 59 || second > 60) return std::nullopt;
  if (hour == 24 && (minute > 0 || second > 0)) return std::nullopt;
  const chrono::year_month_day date{chrono::year(year), chrono::month(month), chrono::day(day)};
  if (!date.ok()) return std::nullopt;
  const chrono::sys_seconds moment = chrono::sys_days(date) + chrono::hours(hour) +
                                     chrono::minutes(minute) + chrono::seconds(second);
  return moment.time_since_epoch().count();
}

std::string iso_time(std::int64_t unix_time) {
  namespace chrono = std::chrono;
  constexpr std::int64_t most = 900'000'000'000;  // in the year 30489; chrono ends at 32767
  if (unix_time > most || unix_time < -most) return fmt::format("{} s from 1970 on", unix_time);
  const chrono::sys_seconds moment{chrono::seconds(unix_time)};
  const auto midnight = chrono::floor<chrono::days>(moment);
  const chrono::year_month_day date(midnight);
  const chrono::hh_mm_ss time(moment - midnight);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

std::string with_thousands(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace tsmini
