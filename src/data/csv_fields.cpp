#include "data/csv_fields.h"

#include <algorithm>
#include <cstddef>

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
      while (at < near.size() && near[at] != separator && near[at] != '\n') ++at;
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
    if (!rest.starts_with(separator)) return line;
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
  for (;;) {
    if (line.starts_with('"')) {
      std::size_t end = 1;
      for (;; end += 2) {
        end = line.find('"', end);
        if (end == std::string_view::npos) return false;
        if (end + 1 >= line.size() || line[end + 1] != '"') break;
      }
      fields.push_back(line.substr(1, end - 1));
      line.remove_prefix(end + 1);
      if (line.empty()) return true;
      if (line.front() != separator) return false;
    } else {
      const std::size_t end = std::min(line.find(separator), line.size());
      fields.push_back(line.substr(0, end));
      line.remove_prefix(end);
      if (line.empty()) return true;
    }
    line.remove_prefix(1);
  }
}

char guess_separator(std::string_view header) {
  constexpr std::string_view candidates = ",;\t|";
  return *std::max_element(candidates.begin(), candidates.end(), [&](char a, char b) {
    return std::count(header.begin(), header.end(), a) <
           std::count(header.begin(), header.end(), b);
  });
}

std::string_view first_record(std::string_view text) {
  return take_record(text, guess_separator(text.substr(0, text.find('\n'))));
}

std::string unquoted(std::string_view field) {
  std::string result(field);
  for (std::size_t at = 0; (at = result.find("\"\"", at)) != std::string::npos; ++at) {
    result.erase(at, 1);
  }
  return result;
}

std::string quoted_if_needed(std::string_view value) {
  const bool needed = value.find_first_of(",\"\r\n") != npos || trimmed(value) != value;
  if (!needed) return std::string(value);
  std::string result = "\"";
  for (const char c : value) {
    if (c == '"') result += '"';
    result += c;
  }
  return result += '"';
}

}  // namespace tsmini
