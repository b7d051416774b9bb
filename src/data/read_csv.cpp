// Generic CSV: a point per row, columns named in the header or by the user (csv_columns.h). The
// name of a file without a column of ids is the id of its one track.
#include <algorithm>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/csv_text.h"
#include "base/text.h"
#include "base/time_format.h"
#include "base/utf8.h"
#include "data/csv_columns.h"
#include "data/csv_fields.h"
#include "data/line_reader.h"

namespace tsmini {
namespace {

// What a row is taken apart into, with memory that is used again.
struct Scratch {
  std::vector<std::string_view> fields, values;
  std::deque<std::string> mended;  // values that are not as they stand there
  std::string id, time;            // where they are joined
};

// Whether one of the first rows has an id, where there is a column of them.
bool has_ids(std::string_view head, const CsvColumns& columns) {
  if (columns.has_header) take_record(head, columns.separator);
  std::vector<std::string_view> fields;
  while (!head.empty()) {
    const std::string_view line = take_record(head, columns.separator);
    if (!split_fields(line, columns.separator, fields)) continue;
    for (const std::size_t place : columns.id) {
      if (place < fields.size() && !value_of(line, fields[place]).empty()) return true;
    }
  }
  return false;
}

class CsvReader : public LineReader {
 public:
  CsvReader(ByteSource& source, const ReadOptions& options, CsvColumns columns,
            std::string_view head)
      : LineReader(source, options, columns.has_header ? 1 : 0, columns.separator),
        columns_(std::move(columns)),
        needs_id_(has_ids(head, columns_)),
        is_exported_(is_exported_csv(head)) {
    std::size_t& least = columns_.least;
    least = std::max({least, columns_.lon + 1, columns_.lat + 1});
    for (const std::size_t column : columns_.id) least = std::max(least, column + 1);
    for (const std::size_t column : columns_.time) least = std::max(least, column + 1);
    if (!options.time_format.empty()) time_format_.emplace(options.time_format);
  }

  bool has_rows() const override { return true; }
  const RowColumns& row_columns() const override { return columns_.others; }
  bool is_one_track() const override { return columns_.id.empty(); }

 private:
  void parse_line(std::string_view line, std::uint64_t number,
                  TrackBuilder& builder) const override {
    thread_local Scratch scratch;
    std::vector<std::string_view>& fields = scratch.fields;
    if (!scratch.mended.empty()) scratch.mended.clear();
    if (!split_fields(line, columns_.separator, fields)) {
      return builder.reject_row(number, "a quote is not closed");
    }
    if (!has_its_columns(fields)) {
      return builder.reject_row(
          number,
          fmt::format("{} columns where the first line has {}", fields.size(), columns_.count),
          fields.size() < columns_.count
              ? ""
              : "a decimal comma, or a separator in a value? Put such values in quotes");
    }
    double lon = 0, lat = 0;
    const bool has_lon = read_coordinate(fields[columns_.lon], lon);
    if (!has_lon || !read_coordinate(fields[columns_.lat], lat)) {
      const std::string_view text = fields[has_lon ? columns_.lat : columns_.lon];
      return builder.reject_row(
          number,
          fmt::format("{} '{}' is not a number", has_lon ? "latitude" : "longitude",
                      printable(text)),
          decimal_comma_from(text, false)
              ? "in a plane the comma may divide thousands: write a decimal point"
              : "");
    }
    std::optional<std::int64_t> time;
    if (!columns_.time.empty()) {
      const std::string_view text = time_text(scratch);
      if (time_format_) {
        time = time_format_->parse(text);
      } else if (const auto found = time_from(text)) {
        time = *found;
      }
      if (!time && !trimmed(text).empty()) {
        return builder.reject_row(number, fmt::format("'{}' is not a time", printable(text)),
                                  time_hint());
      }
    }
    const std::string_view id = id_of(line, scratch);
    if (id.empty() && needs_id_ && !is_exported_without_id(line, fields)) {
      return builder.reject_row(number, "the id is empty, but other rows have one",
                                "rows without an id would be joined into one trip: give them one");
    }
    builder.add_row(number, id, lon, lat, time, values_of(line, scratch));
  }

  // What export writes for a trip whose id is empty.
  bool is_exported_without_id(std::string_view line,
                              const std::vector<std::string_view>& fields) const {
    return is_exported_ && was_quoted(line, fields[columns_.id.front()]);
  }

  // Degrees have no thousands to divide.
  bool read_coordinate(std::string_view text, double& value) const {
    if (const auto number = number_from(text)) {
      value = *number;
      return true;
    }
    const auto number = decimal_comma_from(text, options().planar);
    value = number.value_or(0);
    return number.has_value();
  }

  std::string_view time_text(Scratch& row) const {
    if (columns_.time.size() == 1) return row.fields[columns_.time.front()];
    row.time.clear();
    for (const std::size_t column : columns_.time) {
      row.time += ' ';
      row.time += trimmed(row.fields[column]);
    }
    return row.time;
  }

  std::string time_hint() const {
    if (time_format_) return fmt::format("it should be of the form '{}'", options().time_format);
    return "times are unix seconds or dates such as 2008-02-02 15:36:08; name another form with "
           "`time_format`";
  }

  // A row with more or fewer has other values where we look for ours. Blank ones at its end are
  // nothing.
  bool has_its_columns(const std::vector<std::string_view>& fields) const {
    if (fields.size() < columns_.least) return false;
    for (std::size_t i = columns_.count; i < fields.size(); ++i) {
      if (!trimmed(fields[i]).empty()) return false;
    }
    return true;
  }

  // The value with doubled quotes made single; only in quotes a quote is doubled.
  static std::string_view mended_value(std::string_view line, std::string_view field,
                                       Scratch& row) {
    const std::string_view value = value_of(line, field);
    const bool is_mended = was_quoted(line, field) && value.find('"') != std::string_view::npos;
    return is_mended ? std::string_view(row.mended.emplace_back(unquoted(value))) : value;
  }

  std::string_view id_of(std::string_view line, Scratch& row) const {
    if (columns_.id.empty()) return {};
    if (columns_.id.size() == 1) return mended_value(line, row.fields[columns_.id.front()], row);
    row.id.clear();
    for (const std::size_t column : columns_.id) {
      if (!row.id.empty()) row.id += '_';
      row.id += mended_value(line, row.fields[column], row);
    }
    return row.id;
  }

  // The values of the other columns that are read.
  std::span<const std::string_view> values_of(std::string_view line, Scratch& row) const {
    const std::vector<std::size_t>& places = columns_.places;
    row.values.resize(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      std::string_view& value = row.values[i];
      const bool is_there = places[i] < row.fields.size();
      value = is_there ? mended_value(line, row.fields[places[i]], row) : std::string_view();
    }
    return row.values;
  }

  CsvColumns columns_;
  bool needs_id_, is_exported_;
  std::optional<TimeFormat> time_format_;
};

}  // namespace

std::unique_ptr<Reader> make_csv_reader(ByteSource& source, const ReadOptions& options) {
  const std::string_view head = text_with_header(source, options);
  return std::make_unique<CsvReader>(source, options, choose_columns(head, options, source.name()),
                                     head);
}

}  // namespace tsmini
