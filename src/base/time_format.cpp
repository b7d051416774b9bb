#include "base/time_format.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "base/utf8.h"

namespace tsmini {
namespace {

constexpr std::string_view directives = "YymbBdejHIpMSfzsaA%";
constexpr std::array<std::string_view, 12> months{"january",   "february", "march",    "april",
                                                  "may",       "june",     "july",     "august",
                                                  "september", "october",  "november", "december"};
constexpr std::array<std::string_view, 7> weekdays{"monday", "tuesday",  "wednesday", "thursday",
                                                   "friday", "saturday", "sunday"};

// What has been read so far.
struct Moment {
  int year = 1970;
  unsigned month = 1, day = 1, hour = 0, minute = 0, second = 0;
  unsigned day_of_year = 0;             // 0: not named
  std::optional<bool> afternoon;        // where the hour is one of twelve
  std::int64_t east = 0;                // seconds east of UTC
  std::optional<std::int64_t> seconds;  // unix seconds, where they are named

  std::optional<std::int64_t> unix_time() const;
};

std::optional<std::int64_t> Moment::unix_time() const {
  if (seconds) return seconds;
  unsigned h = hour;
  if (afternoon) {
    if (hour < 1 || hour > 12) return std::nullopt;
    h = hour % 12 + (*afternoon ? 12 : 0);
  }
  namespace chrono = std::chrono;
  chrono::year_month_day date{chrono::year(year), chrono::month(month), chrono::day(day)};
  if (day_of_year > 0) {
    const chrono::sys_days first = date.year() / chrono::January / 1;
    date = first + chrono::days(day_of_year - 1);
    if (date.year() != chrono::year(year)) return std::nullopt;
  }
  const auto found =
      unix_seconds(static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                   static_cast<unsigned>(date.day()), h, minute, second);
  if (!found) return std::nullopt;
  return *found - east;
}

// 1 to `most` digits.
bool take_integer(std::string_view& text, std::size_t most, unsigned& value) {
  std::size_t count = 0;
  value = 0;
  while (count < std::min(most, text.size()) && is_digit(text[count])) {
    value = value * 10 + static_cast<unsigned>(text[count++] - '0');
  }
  text.remove_prefix(count);
  return count > 0;
}

// Takes one of the names, whole or its first three letters; `number` counts from 1.
bool take_name(std::string_view& text, std::span<const std::string_view> names, unsigned& number) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const std::size_t size : {names[i].size(), std::size_t{3}}) {
      if (!equal_ignoring_case(text.substr(0, size), names[i].substr(0, size))) continue;
      text.remove_prefix(size);
      number = static_cast<unsigned>(i + 1);
      return true;
    }
  }
  return false;
}

bool take_zone(std::string_view& text, std::int64_t& east) {
  if (text.starts_with('Z') || text.starts_with('z')) {
    text.remove_prefix(1);
    return true;
  }
  if (!text.starts_with('+') && !text.starts_with('-')) return false;
  const bool west = text.front() == '-';
  text.remove_prefix(1);
  unsigned hours = 0, minutes = 0;
  if (!take_integer(text, 2, hours)) return false;
  if (text.starts_with(':')) text.remove_prefix(1);
  if (!text.empty() && is_digit(text.front()) && !take_integer(text, 2, minutes)) return false;
  if (hours > 15 || minutes > 59) return false;
  const std::int64_t seconds = std::int64_t{hours} * 3600 + std::int64_t{minutes} * 60;
  east = west ? -seconds : seconds;
  return true;
}

bool take_seconds(std::string_view& text, std::optional<std::int64_t>& seconds) {
  std::size_t size = text.starts_with('-') ? 1 : 0;
  while (size < text.size() && is_digit(text[size])) ++size;
  seconds = integer_from(text.substr(0, size));
  text.remove_prefix(size);
  return seconds && *seconds > -100'000'000'000 && *seconds < 100'000'000'000;
}

bool take_fraction(std::string_view& text) {
  const std::size_t size = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(size);
  return size > 0;
}

bool take_half_of_day(std::string_view& text, std::optional<bool>& afternoon) {
  const std::string_view half = text.substr(0, 2);
  if (!equal_ignoring_case(half, "am") && !equal_ignoring_case(half, "pm")) return false;
  afternoon = equal_ignoring_case(half, "pm");
  text.remove_prefix(2);
  return true;
}

bool take_year(std::string_view& text, std::size_t digits, int& year) {
  unsigned value = 0;
  const std::size_t before = text.size();
  if (!take_integer(text, digits, value) || before - text.size() != digits) return false;
  year = static_cast<int>(value);
  if (digits == 2) year += value < 69 ? 2000 : 1900;
  return true;
}

bool take_directive(char directive, std::string_view& text, Moment& moment) {
  unsigned weekday = 0;
  switch (directive) {
    case 'Y': return take_year(text, 4, moment.year);
    case 'y': return take_year(text, 2, moment.year);
    case 'm': return take_integer(text, 2, moment.month);
    case 'b':
    case 'B': return take_name(text, months, moment.month);
    case 'd':
    case 'e': return take_integer(text, 2, moment.day);
    case 'j': return take_integer(text, 3, moment.day_of_year) && moment.day_of_year > 0;
    case 'H':
    case 'I': return take_integer(text, 2, moment.hour);
    case 'p': return take_half_of_day(text, moment.afternoon);
    case 'M': return take_integer(text, 2, moment.minute);
    case 'S': return take_integer(text, 2, moment.second);
    case 'f': return take_fraction(text);
    case 'z': return take_zone(text, moment.east);
    case 's': return take_seconds(text, moment.seconds);
    case 'a':
    case 'A': return take_name(text, weekdays, weekday);
    default: break;
  }
  if (!text.starts_with(directive)) return false;
  text.remove_prefix(1);
  return true;
}

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

}  // namespace

TimeFormat::TimeFormat(std::string_view format) {
  std::string named;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      format_ += format[i];
      continue;
    }
    const char directive = i + 1 < format.size() ? format[++i] : ' ';
    const std::string_view long_form = directive == 'F'   ? "%Y-%m-%d"
                                       : directive == 'T' ? "%H:%M:%S"
                                                          : "";
    if (long_form.empty() && directives.find(directive) == std::string_view::npos) {
      throw Error(ErrorCode::usage,
                  fmt::format("'%{}' in the time format '{}' is not known",
                              printable(std::string(1, directive)), printable(format)),
                  "there are %Y %y %m %b %B %d %e %j %H %I %p %M %S %f %z %s %a %A %F %T %%",
                  "time_format");
    }
    format_ += long_form.empty() ? fmt::format("%{}", directive) : std::string(long_form);
    named += directive == 'F' ? "Ymd" : std::string(1, directive);
  }
  const auto names = [&](std::string_view any) {
    return named.find_first_of(any) != std::string::npos;
  };
  if (names("s") || (names("Yy") && ((names("mbB") && names("de")) || names("j")))) return;
  throw Error(ErrorCode::usage, fmt::format("the time format '{}' names no day", printable(format)),
              "it needs year, month and day, as in '%Y-%m-%d %H:%M:%S', or %s", "time_format");
}

std::optional<std::int64_t> TimeFormat::parse(std::string_view text) const {
  text = trimmed(text);
  Moment moment;
  for (std::size_t i = 0; i < format_.size(); ++i) {
    if (is_blank(format_[i])) {
      skip_blanks(text);
    } else if (format_[i] == '%') {
      if (!take_directive(format_[++i], text, moment)) return std::nullopt;
    } else {
      if (!text.starts_with(format_[i])) return std::nullopt;
      text.remove_prefix(1);
    }
  }
  skip_blanks(text);
  return text.empty() ? moment.unix_time() : std::nullopt;
}

}  // namespace tsmini
