// Dates and times in a given format, read as strptime reads them, whatever the locale.
//
//   const TimeFormat format("%d.%m.%Y %H:%M");
//   format.parse("02.02.2008 15:36");          // unix seconds: 1201966560
//
// %Y year, %y year of two digits (69 to 99 are 1969 to 1999, 00 to 68 are 2000 to 2068), %m month,
// %b and %B its English name, short or long, %d or %e day, %j day of the year, %H hour, %I hour of
// twelve with %p AM or PM, %M minute, %S second, %f a fraction of it (cut off), %z zone (+0100,
// +01:00, Z), %s unix seconds, %a and %A a weekday's name, %F for %Y-%m-%d, %T for %H:%M:%S, %%. A
// blank in the format stands for any number of them, none included. Numbers may have fewer digits
// than usual where something else follows ("1/2/2008"). Without a zone a time is UTC; what the
// format does not name is the first of it (January, the 1st, 0 o'clock).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tsmini {

class TimeFormat {
 public:
  // Throws Error(usage) for a directive that is not among those above, and for a format that
  // names no day: neither %s, nor a year with a month and day or a day of the year.
  explicit TimeFormat(std::string_view format);

  // Unix seconds; nothing where the text, blanks around it aside, is not of this format.
  std::optional<std::int64_t> parse(std::string_view text) const;

 private:
  std::string format_;  // %F and %T spelled out
};

}  // namespace tsmini
