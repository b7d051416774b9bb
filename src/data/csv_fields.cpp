#include "data/csv_fields.h"

#include <algorithm>
#include <cstddef>

namespace tsmini {

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

std::string unquoted(std::string_view field) {
  std::string result(field);
  for (std::size_t at = 0; (at = result.find("\"\"", at)) != std::string::npos; ++at) {
    result.erase(at, 1);
  }
  return result;
}

std::string quoted_if_needed(std::string_view value) {
  if (value.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(value);
  std::string result = "\"";
  for (const char c : value) {
    if (c == '"') result += '"';
    result += c;
  }
  return result += '"';
}

}  // namespace tsmini
