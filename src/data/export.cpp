#include "tsmini/export.h"

#include <iterator>
#include <string>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"
#include "tsmini/import.h"

#include "base/text.h"
#include "base/text_sink.h"
#include "data/csv_columns.h"
#include "data/csv_fields.h"

namespace tsmini {
namespace {

using Buffer = fmt::memory_buffer;

void append(Buffer& buffer, std::string_view text) {
  buffer.append(text.data(), text.data() + text.size());
}

// Shortest text that reads back as the same number, never with an exponent where it fits.
void append_number(Buffer& buffer, double value) {
  fmt::format_to(std::back_inserter(buffer), "{}", value);
}

// Of what ends a column or a line; read_tsv.cpp undoes it.
void append_escaped(Buffer& buffer, std::string_view id) {
  for (const char c : id) {
    switch (c) {
      case '\t': append(buffer, "\\t"); break;
      case '\n': append(buffer, "\\n"); break;
      case '\r': append(buffer, "\\r"); break;
      case '\\': append(buffer, "\\\\"); break;
      default: buffer.push_back(c);
    }
  }
}

void append_tsv(Buffer& buffer, const Trajectory& t) {
  append_escaped(buffer, t.id);
  buffer.push_back('\t');
  fmt::format_to(std::back_inserter(buffer), "{}", fmt::join(t.times, " "));
  buffer.push_back('\t');
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (i > 0) buffer.push_back(',');
    append_number(buffer, t.points[i].lon);
    buffer.push_back(' ');
    append_number(buffer, t.points[i].lat);
  }
  buffer.push_back('\n');
}

void append_csv(Buffer& buffer, const Trajectory& t) {
  const std::string id = quoted_if_needed(t.id);
  for (std::size_t i = 0; i < t.size(); ++i) {
    append(buffer, id);
    buffer.push_back(',');
    if (t.has_times()) fmt::format_to(std::back_inserter(buffer), "{}", t.times[i]);
    buffer.push_back(',');
    append_number(buffer, t.points[i].lon);
    buffer.push_back(',');
    append_number(buffer, t.points[i].lat);
    buffer.push_back('\n');
  }
}

void append_geojson(Buffer& buffer, const Trajectory& t) {
  append(buffer, R"({"type":"Feature","properties":{"id":)");
  constexpr auto replace = nlohmann::json::error_handler_t::replace;
  append(buffer, nlohmann::json(std::string(t.id)).dump(-1, ' ', false, replace));
  if (t.has_times()) {
    fmt::format_to(std::back_inserter(buffer), ",\"times\":[{}]", fmt::join(t.times, ","));
  }
  append(buffer, R"(},"geometry":{"type":"LineString","coordinates":[)");
  for (std::size_t i = 0; i < t.size(); ++i) {
    append(buffer, i > 0 ? ",[" : "[");
    append_number(buffer, t.points[i].lon);
    buffer.push_back(',');
    append_number(buffer, t.points[i].lat);
    buffer.push_back(']');
  }
  append(buffer, "]}}");
}

// Refuses what would come back as something else.
class RoundTripGuard {
 public:
  explicit RoundTripGuard(ExportFormat format) : format_(format) {}

  void check(const Trajectory& t) {
    if (format_ == ExportFormat::csv && !ids_.insert(t.id).second) {
      refuse(t, "is there twice, and a row of csv would not tell which it belongs to",
             "choose tsv or geojson");
    }
    // From here on a number is taken for milliseconds, except in tsv.
    constexpr std::int64_t limit = 100'000'000'000;
    const bool far = !t.times.empty() && (t.times.front() <= -limit || t.times.back() >= limit);
    if (format_ != ExportFormat::tsv && far) {
      refuse(t, "has a time that is more than 3,000 years away", "choose tsv");
    }
  }

  void check_size(const Trajectory& t, std::size_t bytes) const {
    if (format_ == ExportFormat::csv || bytes <= largest_record) return;
    refuse(t,
           fmt::format("takes more than the {} MiB that a record may have", largest_record >> 20),
           "choose csv");
  }

 private:
  [[noreturn]] static void refuse(const Trajectory& t, std::string_view what, const char* hint) {
    throw Error(ErrorCode::bad_input, fmt::format("trajectory '{}' {}", printable(t.id), what),
                hint);
  }

  ExportFormat format_;
  std::unordered_set<std::string_view> ids_;
};

}  // namespace

ExportFormat export_format_from(std::string_view name) {
  if (equal_ignoring_case(name, "tsv")) return ExportFormat::tsv;
  if (equal_ignoring_case(name, "csv")) return ExportFormat::csv;
  if (equal_ignoring_case(name, "geojson")) return ExportFormat::geojson;
  throw Error(ErrorCode::usage, fmt::format("'{}' is not an export format", printable(name)),
              "the formats are tsv, csv and geojson");
}

ExportFormat export_format_of(const std::filesystem::path& path) {
  std::filesystem::path name = path.filename();
  if (name.extension() == ".gz") name = name.stem();
  const std::string extension = lower_case(name.extension().string());
  if (extension == ".json") return ExportFormat::geojson;
  if (extension.empty()) {
    throw Error(ErrorCode::usage, fmt::format("which format should {} have?", path.string()),
                "end its name in .tsv, .csv or .geojson, or add --format");
  }
  return export_format_from(extension.substr(1));
}

void export_dataset(const Dataset& data, const std::filesystem::path& output, ExportFormat format,
                    const Progress& progress) {
  constexpr std::size_t block = std::size_t{1} << 20;
  TextSink sink(output);
  Buffer buffer;
  RoundTripGuard guard(format);
  // Readers pass over one.
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (format == ExportFormat::tsv && data.size() > 0 && data[0].id.starts_with(byte_order_mark)) {
    append(buffer, byte_order_mark);
  }
  if (format == ExportFormat::csv) append(buffer, exported_csv_header);
  if (format == ExportFormat::geojson)
    append(buffer, "{\"type\":\"FeatureCollection\",\"features\":[\n");
  for (std::size_t i = 0; i < data.size(); ++i) {
    const Trajectory t = data[i];
    guard.check(t);
    const std::size_t before = buffer.size();
    switch (format) {
      case ExportFormat::tsv: append_tsv(buffer, t); break;
      case ExportFormat::csv: append_csv(buffer, t); break;
      case ExportFormat::geojson:
        if (i > 0) append(buffer, ",\n");
        append_geojson(buffer, t);
        break;
    }
    guard.check_size(t, buffer.size() - before);
    if (buffer.size() < block) continue;
    sink.write({buffer.data(), buffer.size()});
    buffer.clear();
    if (progress) progress({i + 1, data.size()});
  }
  if (format == ExportFormat::geojson) append(buffer, "\n]}\n");
  sink.write({buffer.data(), buffer.size()});
  sink.commit();
  if (progress) progress({data.size(), data.size()});
}

}  // namespace tsmini
