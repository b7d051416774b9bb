// The records of a CSV file (RFC 4180), cut into fields.
//
// Quotes around a field are taken off; a doubled quote inside stays doubled (unquoted() mends it).
// A field in quotes may hold separators and line breaks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tsmini {

// The size of the first record of `text`, its line end included: a line, or several where quotes
// hold line breaks. npos where it ends behind the text; but never where nothing comes behind
// (`at_end`). A quote that no other closes within 64 KiB of its line's end, right before a
// separator or line end, is taken for a mistake of that line, which is then the record: one stray
// quote does not swallow the file.
std::size_t record_size(std::string_view text, char separator, bool at_end);

// The first record without its line end; `text`, behind which nothing comes, moves behind it.
std::string_view take_record(std::string_view& text, char separator);

// Replaces `fields` by the fields of `line`. False where a quote is not closed.
bool split_fields(std::string_view line, char separator, std::vector<std::string_view>& fields);

// The separator that a header line uses: comma, semicolon, tab or bar, whichever is most frequent.
char guess_separator(std::string_view header);
// The header itself, at the beginning of a file.
std::string_view first_record(std::string_view text);

// `field` is one of `line`, and was in quotes there: its blanks are its own.
inline bool was_quoted(std::string_view line, std::string_view field) {
  return field.data() != line.data() && *(field.data() - 1) == '"';
}

std::string unquoted(std::string_view field);          // "" becomes "
std::string quoted_if_needed(std::string_view value);  // for writing

}  // namespace tsmini
