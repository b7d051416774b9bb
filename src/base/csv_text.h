// A field of a table of comma-separated values (RFC 4180).
//
//   quoted_if_needed("Rua 1, Porto");  // "Rua 1, Porto", in quotes
#pragma once

#include <string>
#include <string_view>

namespace tsmini {

// What stands between the quotes of a field: "" becomes ".
std::string unquoted(std::string_view field);
// The value, in quotes where it holds a comma, a quote or a line break, or begins or ends with a
// blank.
std::string quoted_if_needed(std::string_view value);

}  // namespace tsmini
