// Numbers, times and characters in text files.
//
// Everything here is independent of the locale, never allocates, and reads only inside the view it
// is given.
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

// The whole of `text`, blanks around it allowed, is one number.
std::optional<double> number_from(std::string_view text);
std::optional<std::int64_t> integer_from(std::string_view text);

// Unix seconds from a number (seconds; or milli-, micro-, nanoseconds, told by their size) or from
// a date and time: 2008-02-02 15:36:08, 2008/02/02T15:36:08.5Z, 2008-02-02T15:36:08+08:00. Without
// a zone it is taken as UTC; fractions of a second are cut off.
std::optional<std::int64_t> time_from(std::string_view text);

// Unix seconds of a moment in UTC; nothing where there is no such date or hour.
std::optional<std::int64_t> unix_seconds(int year, unsigned month, unsigned day, unsigned hour,
                                         unsigned minute, unsigned second);

// "2008-02-02T15:36:08Z".
std::string iso_time(std::int64_t unix_time);

inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
std::string_view trimmed(std::string_view text);
bool equal_ignoring_case(std::string_view a, std::string_view b);
std::string lower_case(std::string_view text);

bool is_utf8(std::string_view text);
// The text with U+FFFD in place of every byte that is not UTF-8.
std::string as_utf8(std::string_view text);

// At most `limit` characters of a value for a message, with control and non-ASCII bytes shown as
// '?', so that a damaged file cannot garble a terminal.
std::string printable(std::string_view text, std::size_t limit = 40);

// 1234567 as "1,234,567".
std::string with_thousands(std::uint64_t number);

}  // namespace tsmini
