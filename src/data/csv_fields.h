// One line of a CSV file, cut into fields.
//
// Quotes around a field are taken off; a doubled quote inside stays doubled (unquoted() mends it).
// A field cannot hold a line break.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tsmini {

// Replaces `fields` by the fields of `line`. False where a quote is not closed.
bool split_fields(std::string_view line, char separator, std::vector<std::string_view>& fields);

// The separator that a header line uses: comma, semicolon, tab or bar, whichever is most frequent.
char guess_separator(std::string_view header);

std::string unquoted(std::string_view field);          // "" becomes "
std::string quoted_if_needed(std::string_view value);  // for writing

}  // namespace tsmini
