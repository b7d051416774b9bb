// The records of a CSV file (RFC 4180), cut into fields.
//
// The separator is comma, semicolon, tab or bar, or a blank, which stands for any number of blanks
// and tabs: there are no empty fields then, and blanks at the ends of a line separate nothing.
//
// Quotes around a field are taken off; a doubled quote inside stays doubled (unquoted() mends it).
// A field in quotes may hold separators and line breaks.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv_text.h"
#include "base/text.h"

namespace tsmini {

// A column of a table, by its place from 0.
struct NamedColumn {
  std::string name;
  std::size_t place = 0;
};

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

// The separator of a table, by its first lines: of comma, semicolon, tab and bar the one that is
// most frequent in the first line, or a blank where that has none of them. Where this is comma or
// tab, and another one or a blank cuts every line into equally many fields and leaves commas in
// decimal numbers alone, it is that other one.
char find_separator(std::string_view head);

// A number with a decimal comma: 41,15. No number with a point besides, nor, where a comma may
// divide `thousands`, one with three digits behind it.
std::optional<double> decimal_comma_from(std::string_view text, bool thousands);

// `field` is one of `line`, and was in quotes there: its blanks are its own.
inline bool was_quoted(std::string_view line, std::string_view field) {
  return field.data() != line.data() && *(field.data() - 1) == '"';
}

// The field without blanks around it, unless they are its own.
inline std::string_view value_of(std::string_view line, std::string_view field) {
  if (field.empty()) return field;  // of a quote without its end it is a view of nothing
  return was_quoted(line, field) ? field : trimmed(field);
}

}  // namespace tsmini
