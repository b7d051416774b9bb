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
      : LineReader(source, options, columns.has_header ? 1 : 0),
        columns_(std::move(columns)),
        file_id_(id_from(source.name())) {
    last_column_ = std::max(columns_.lon, columns_.lat);
    for (const std::size_t column : columns_.id) last_column_ = std::max(last_column_, column);
    if (columns_.time) last_column_ = std::max(last_column_, *columns_.time);
  }

  bool has_rows() const override { return true; }

 private:
  void parse_line(std::string_view line, std::uint64_t number,
                  TrackBuilder& builder) const override {
    thread_local std::vector<std::string_view> fields;
    if (!split_fields(line, columns_.separator, fields)) {
      return builder.reject_row(number, "a quote is not closed");
    }
    if (fields.size() <= last_column_) {
      return builder.reject_row(
          number, fmt::format("{} columns where {} are needed", fields.size(), last_column_ + 1));
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
    builder.add_row(number, id_of(fields), *lon, *lat, time);
  }

  std::string_view id_of(const std::vector<std::string_view>& fields) const {
    if (columns_.id.empty()) return file_id_;
    const std::string_view first = trimmed(fields[columns_.id.front()]);
    if (columns_.id.size() == 1 && first.find('"') == std::string_view::npos) return first;
    thread_local std::string joined;
    joined.clear();
    for (const std::size_t column : columns_.id) {
      if (!joined.empty()) joined += '_';
      joined += unquoted(trimmed(fields[column]));
    }
    return joined;
  }

  CsvColumns columns_;
  std::string file_id_;  // for files that are one trajectory
  std::size_t last_column_ = 0;
};

}  // namespace

std::unique_ptr<Reader> make_csv_reader(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<CsvReader>(
      source, options, choose_columns(first_line(source), options.columns, source.name()));
}

}  // namespace tsmini
