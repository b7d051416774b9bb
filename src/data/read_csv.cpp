// Generic CSV: a point per row, columns named in the header or by the user (csv_columns.h).
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "data/csv_columns.h"
#include "data/csv_fields.h"
#include "data/line_reader.h"

namespace tsmini {
namespace {

std::string id_from(std::filesystem::path path) {
  if (path.extension() == ".gz") path = path.stem();
  return path.stem().string();
}

class CsvReader : public LineReader {
 public:
  CsvReader(ByteSource& source, const ReadOptions& options, CsvColumns columns)
      : LineReader(source, options, columns.has_header ? 1 : 0, columns.separator),
        columns_(std::move(columns)),
        file_id_(id_from(source.name())) {
    std::size_t& least = columns_.least;
    least = std::max({least, columns_.lon + 1, columns_.lat + 1});
    for (const std::size_t column : columns_.id) least = std::max(least, column + 1);
    if (columns_.time) least = std::max(least, *columns_.time + 1);
  }

  bool has_rows() const override { return true; }

 private:
  void parse_line(std::string_view line, std::uint64_t number,
                  TrackBuilder& builder) const override {
    thread_local std::vector<std::string_view> fields;
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
    const auto lon = number_from(fields[columns_.lon]), lat = number_from(fields[columns_.lat]);
    if (!lon || !lat) {
      return builder.reject_row(
          number, fmt::format("{} '{}' is not a number", lon ? "latitude" : "longitude",
                              printable(fields[lon ? columns_.lat : columns_.lon])));
    }
    std::optional<std::int64_t> time;
    if (columns_.time) {
      const std::string_view text = fields[*columns_.time];
      time = time_from(text);
      if (!time && !trimmed(text).empty()) {
        return builder.reject_row(number, fmt::format("'{}' is not a time", printable(text)),
                                  "times are unix seconds or dates such as 2008-02-02 15:36:08");
      }
    }
    builder.add_row(number, id_of(line, fields), *lon, *lat, time);
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

  std::string_view id_of(std::string_view line, const std::vector<std::string_view>& fields) const {
    if (columns_.id.empty()) return file_id_;
    const auto value = [&](std::size_t column) {
      return was_quoted(line, fields[column]) ? fields[column] : trimmed(fields[column]);
    };
    const std::string_view first = value(columns_.id.front());
    if (columns_.id.size() == 1 && first.find('"') == std::string_view::npos) return first;
    thread_local std::string joined;
    joined.clear();
    for (const std::size_t column : columns_.id) {
      if (!joined.empty()) joined += '_';
      joined += unquoted(value(column));
    }
    return joined;
  }

  CsvColumns columns_;
  std::string file_id_;  // for files that are one trajectory
};

}  // namespace

std::unique_ptr<Reader> make_csv_reader(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<CsvReader>(
      source, options,
      choose_columns(first_record(first_text(source)), options.columns, source.name()));
}

}  // namespace tsmini
