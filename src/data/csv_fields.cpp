#include "data/csv_fields.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/text.h"

namespace tsmini {
namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr std::size_t longest_quotation = std::size_t{1} << 16;  // beyond its first line

// The quote that closes the one before `at`: the next that is not doubled. npos where there is
// none.
std::size_t closing_quote(std::string_view text, std::size_t at) {
  for (;; at += 2) {
    at = text.find('"', at);
    if (at == npos || at + 1 >= text.size() || text[at + 1] != '"') return at;
  }
}

bool separates(char c, char separator) {
  return c == separator || (separator == ' ' && c == '\t');
}

// The field in quotes at the front of `line`, which moves behind it. False where they do not close.
bool take_quoted(std::string_view& line, std::string_view& field) {
  const std::size_t end = closing_quote(line, 1);
  if (end == npos) return false;
  field = line.substr(1, end - 1);
  line.remove_prefix(end + 1);
  return true;
}

// What fields end at: the characters that, once the bits of `flip` are turned, are below `limit`.
struct Stop {
  unsigned char flip = 0, limit = 0;
};

// The first of them, or `end`. Fields are short: eight characters at a time, in one number, take
// less than a call of memchr. A byte below the limit borrows from its top bit when that is taken
// away; so may the bytes above it, but the lowest one is right.
const char* find_stop(const char* at, const char* end, Stop stop) {
  constexpr std::uint64_t ones = 0x0101010101010101, tops = ones << 7;
  static_assert(std::endian::native == std::endian::little, "the first is the lowest");
  for (std::uint64_t eight = 0; end - at >= 8; at += 8) {
    std::memcpy(&eight, at, 8);
    eight ^= ones * stop.flip;
    const std::uint64_t below = (eight - ones * stop.limit) & ~eight & tops;
    if (below != 0) return at + std::countr_zero(below) / 8;
  }
  return std::find_if(
      at, end, [&](char c) { return (static_cast<unsigned char>(c) ^ stop.flip) < stop.limit; });
}

const char* find_blank(const char* at, const char* end) {
  constexpr Stop below_letters{0, ' ' + 1};
  at = find_stop(at, end, below_letters);
  while (at != end && !is_blank(*at)) at = find_stop(at + 1, end, below_letters);
  return at;
}

bool split_at_blanks(std::string_view line, std::vector<std::string_view>& fields) {
  const char* at = line.data();
  const char* const end = at + line.size();
  for (;;) {
    while (at != end && is_blank(*at)) ++at;
    if (at == end) return true;
    const char* const begin = at;
    if (*at != '"') {
      at = find_blank(at, end);
      fields.emplace_back(begin, static_cast<std::size_t>(at - begin));
      if (at != end) ++at;
      continue;
    }
    std::string_view rest = line.substr(static_cast<std::size_t>(at - line.data()));
    if (!take_quoted(rest, fields.emplace_back())) return false;
    at = rest.data();
    if (at != end && !is_blank(*at)) return false;
  }
}

// The first lines of a table, whole ones.
std::vector<std::string_view> first_lines(std::string_view head) {
  constexpr std::size_t enough = 16;
  std::vector<std::string_view> lines;
  while (lines.size() < enough && !head.empty()) {
    const std::size_t end = head.find('\n');
    if (end == npos && !lines.empty()) break;  // it may go on
    const std::string_view line = trimmed(head.substr(0, end));
    if (!line.empty()) lines.push_back(line);
    head.remove_prefix(end == npos ? head.size() : end + 1);
  }
  return lines;
}

// Whether a separator cuts every line into equally many fields, two at least, and leaves no comma
// but in numbers.
bool fits_all(const std::vector<std::string_view>& lines, char separator) {
  std::vector<std::string_view> fields;
  std::size_t count = 0;
  for (const std::string_view line : lines) {
    if (!split_fields(line, separator, fields) || fields.size() < 2) return false;
    if (count != 0 && fields.size() != count) return false;
    count = fields.size();
    for (const std::string_view field : fields) {
      const bool has_comma = !was_quoted(line, field) && field.find(',') != npos;
      if (has_comma && !decimal_comma_from(field, false)) return false;
    }
  }
  return count > 0;
}

bool holds_blanks_and_numbers(const std::vector<std::string_view>& lines) {
  const auto has_blank = [](std::string_view line) { return line.find(' ') != npos; };
  const auto is_number = [](std::string_view field) {
    return number_from(field) || decimal_comma_from(field, false);
  };
  std::vector<std::string_view> fields;
  return std::any_of(lines.begin(), lines.end(), has_blank) &&
         std::all_of(lines.begin(), lines.end(), [&](std::string_view line) {
           return split_fields(line, ' ', fields) &&
                  std::all_of(fields.begin(), fields.end(), is_number);
         });
}

}  // namespace

std::size_t record_size(std::string_view text, char separator, bool at_end) {
  const std::size_t behind = at_end ? text.size() : npos;  // goes on to the end at least
  const std::size_t line_end = text.find('\n');
  if (line_end == npos) return behind;
  const std::size_t line = line_end + 1;
  const std::string_view near = text.substr(0, line + longest_quotation);
  const bool is_all = near.size() == text.size();
  for (std::size_t at = 0; at < near.size();) {
    if (near[at] != '"') {
      while (at < near.size() && !separates(near[at], separator) && near[at] != '\n') ++at;
      if (at < near.size() && near[at] == '\n') return at + 1;
      ++at;
      continue;
    }
    const std::size_t end = closing_quote(near, at + 1);
    if (end == npos) return is_all && !at_end ? npos : line;
    const std::string_view rest = near.substr(end + 1);
    if (is_all && !at_end && (rest.empty() || rest == "\r")) return npos;
    if (rest.empty()) return is_all ? text.size() : line;
    if (rest.starts_with("\r\n")) return end + 3;
    if (rest.starts_with('\n')) return end + 2;
    if (!separates(rest.front(), separator)) return line;
    at = end + 2;
  }
  return is_all ? behind : line;
}

std::string_view take_record(std::string_view& text, char separator) {
  std::string_view record = text.substr(0, record_size(text, separator, true));
  text.remove_prefix(record.size());
  if (record.ends_with('\n')) record.remove_suffix(1);
  if (record.ends_with('\r')) record.remove_suffix(1);
  return record;
}

bool split_fields(std::string_view line, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  if (separator == ' ') return split_at_blanks(line, fields);
  const Stop at_separator{static_cast<unsigned char>(separator), 1};
  for (;;) {
    if (line.starts_with('"')) {
      if (!take_quoted(line, fields.emplace_back())) return false;
      if (line.empty()) return true;
      if (line.front() != separator) return false;
    } else {
      const char* const begin = line.data();
      const char* const end = find_stop(begin, begin + line.size(), at_separator);
      fields.emplace_back(begin, static_cast<std::size_t>(end - begin));
      line.remove_prefix(fields.back().size());
      if (line.empty()) return true;
    }
    line.remove_prefix(1);
  }
}

char find_separator(std::string_view head) {
  const std::vector<std::string_view> lines = first_lines(head);
  if (lines.empty()) return ',';
  const auto count = [&](char c) { return std::count(lines[0].begin(), lines[0].end(), c); };
  constexpr std::string_view candidates = ",;\t|";
  const char frequent = *std::max_element(candidates.begin(), candidates.end(),
                                          [&](char a, char b) { return count(a) < count(b); });
  if (count(frequent) == 0) return count(' ') > 0 ? ' ' : ',';
  if (frequent == ';' || frequent == '|') return frequent;
  // Tabs in between do not make it less of a table of numbers between blanks.
  if (fits_all(lines, ' ') && holds_blanks_and_numbers(lines)) return ' ';
  for (const char other : {';', '\t', '|', ' '}) {
    if (fits_all(lines, other)) return other;
  }
  return frequent;
}

std::optional<double> decimal_comma_from(std::string_view text, bool thousands) {
  text = trimmed(text);
  constexpr std::size_t longest = 64;
  const std::size_t comma = text.find(',');
  if (comma == npos || text.size() > longest) return std::nullopt;
  if (text.find_first_not_of("+-0123456789,") != npos) return std::nullopt;
  const std::size_t behind = text.size() - comma - 1;
  if (comma == 0 || behind == 0 || (thousands && behind == 3)) return std::nullopt;
  std::string number(text);
  number[comma] = '.';
  return number_from(number);
}

}  // namespace tsmini
