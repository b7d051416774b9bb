#include "base/csv_text.h"

#include "base/text.h"

namespace tsmini {

std::string unquoted(std::string_view field) {
  std::string result(field);
  for (std::size_t at = 0; (at = result.find("\"\"", at)) != std::string::npos; ++at) {
    result.erase(at, 1);
  }
  return result;
}

std::string quoted_if_needed(std::string_view value) {
  const bool needed =
      value.find_first_of(",\"\r\n") != std::string_view::npos || trimmed(value) != value;
  if (!needed) return std::string(value);
  std::string result = "\"";
  for (const char c : value) {
    if (c == '"') result += '"';
    result += c;
  }
  return result += '"';
}

}  // namespace tsmini
