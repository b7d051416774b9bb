// Numbers, times and lines in text files.
//
// Everything here is independent of the locale and reads only inside the view it is given; nothing
// allocates but what returns a std::string.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tsmini {

// Reads a decimal number at the front of `text` and moves the front behind it. Correctly rounded,
// as std::from_chars is; coordinates (at most 15 digits, no exponent) take a path of a few
// nanoseconds. Accepts a leading '+'. "nan" and "inf" are numbers here: whoever wants a position
// must check that it is finite. False, with `text` unmoved, where there is no number.
bool take_number(std::string_view& text, double& value);

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The whole of `text`, blanks around it allowed, is one number. (Inline, as time_from is, because
// an optional that a call returns is written in parts and read as a whole, which costs as much as
// the number itself.)
inline std::optional<double> number_from(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  if (!take_number(text, value) || !text.empty()) return std::nullopt;
  return value;
}
std::optional<std::int64_t> integer_from(std::string_view text);

// Unix seconds from a number (seconds; or milli-, micro-, nanoseconds, told by their size) or from
// a date and time: 2008-02-02 15:36:08, 2008/02/02T15:36:08.5Z, 2008-02-02T15:36:08+08:00. Without
// a zone it is taken as UTC; fractions of a second are cut off.
bool read_time(std::string_view text, std::int64_t& seconds);  // false where it is no time
inline std::optional<std::int64_t> time_from(std::string_view text) {
  std::int64_t seconds = 0;
  if (!read_time(text, seconds)) return std::nullopt;
  return seconds;
}

// Unix seconds of a moment in UTC; nothing where there is no such date or hour.
std::optional<std::int64_t> unix_seconds(int year, unsigned month, unsigned day, unsigned hour,
                                         unsigned minute, unsigned second);

// "2008-02-02T15:36:08Z". Moments more than 28,000 years away, which no calendar has, are seconds:
// "9000000000000 s from 1970 on".
std::string iso_time(std::int64_t unix_time);

bool equal_ignoring_case(std::string_view a, std::string_view b);
std::string lower_case(std::string_view text);

// 1234567 as "1,234,567".
std::string with_thousands(std::uint64_t number);

// The line's text without its end; `text` moves behind it.
std::string_view take_line(std::string_view& text);

}  // namespace tsmini
