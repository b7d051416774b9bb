#include "data/input_file.h"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/utf8.h"
#include "data/csv_columns.h"
#include "data/csv_header.h"
#include "data/line_reader.h"

namespace tsmini {
namespace {

// Where the user named columns, or said that files are CSV, a file of a folder is read only if one
// of its first rows has coordinates in these columns.
void require_fitting_row(ByteSource& source, ReadOptions options) {
  options.where.clear();  // which column is missing for these is told later
  options.cut_on.clear();
  const std::string_view beginning = first_text(source);
  const bool has_line = beginning.find('\n') != std::string_view::npos;
  if (!has_line && !may_be_header(beginning)) {
    throw UnknownFormat(source.name() + ":1", "the first line is none of a table");
  }
  const std::string_view head = text_with_header(source, options);
  try {
    if (has_fitting_row(head, choose_columns(head, options, source.name()))) return;
  } catch (const BadHeader& error) {
    throw UnknownFormat(source.name() + ":1", error.why(), error.hint());
  }
  throw UnknownFormat(source.name(), "no row has numbers where the coordinates should be");
}

Format find_format(const ListedFile& file, ByteSource& source, const ReadOptions& options) {
  const Format format = choose_format(source, options);
  const bool was_told = options.format == Format::csv || !options.columns.empty();
  if (file.is_from_folder && format == Format::csv && was_told) {
    require_fitting_row(source, options);
  }
  return format;
}

void require_columns(const Reader& reader, const std::string& file, Format format,
                     const ReadOptions& options) {
  const RowColumns& columns = reader.row_columns();
  if (!options.cut_on.empty() && !columns.cut_on) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: there is no column '{}' to cut on: {} has {}", file,
                            printable(options.cut_on), name_of(format),
                            reader.has_rows() ? "no further columns" : "one record a trip"));
  }
  if (reader.has_rows() && columns.where.size() < options.where.size()) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: there is no column '{}': {} has no further columns", file,
                            printable(options.where.front().column), name_of(format)));
  }
}

}  // namespace

InputFile::InputFile(const ListedFile& file, const ReadOptions& options, Rows rows,
                     std::function<void()> while_waiting)
    : source(file.path, std::move(while_waiting)),
      format(find_format(file, source, options)),
      reader(make_reader(format, source, options)),
      assembler(file.name, *reader, rows) {
  require_columns(*reader, source.name(), format, options);
}

}  // namespace tsmini
