#include "tsmini/export.h"

#include <array>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/import.h"

#include "base/enum_names.h"
#include "base/text.h"
#include "base/text_sink.h"
#include "base/utf8.h"
#include "data/exporter.h"
#include "data/part_attribute.h"

namespace tsmini {
namespace {

using MakeExporter = std::unique_ptr<Exporter> (*)(const Dataset& data);
// The makers of exporters, by format.
constexpr std::array<MakeExporter, export_format_names.size()> exporters{
    make_tsv_exporter,    make_csv_exporter, make_geojson_exporter,
    make_mfjson_exporter, make_gpx_exporter, make_kepler_exporter};

std::unique_ptr<Exporter> make_exporter(const Dataset& data, ExportFormat format) {
  if (data.attribute(part_attribute) != nullptr) {
    throw Error(ErrorCode::bad_input,
                fmt::format("an attribute is called '{}', which stands for the part of a split",
                            part_attribute),
                "give it another name");
  }
  return exporters[static_cast<std::size_t>(format)](data);
}

void check_size(const Trajectory& t, std::size_t bytes) {
  if (bytes <= largest_record) return;
  refuse_trip(
      t, fmt::format("takes more than the {} MiB that a record may have", largest_record >> 20),
      "choose csv");
}

}  // namespace

void append_number(TextBuffer& buffer, double value) {
  fmt::format_to(std::back_inserter(buffer), "{}", value);
}

void refuse_trip(const Trajectory& t, std::string_view what, const char* hint) {
  throw Error(ErrorCode::bad_input, fmt::format("trajectory '{}' {}", printable(t.id), what), hint);
}

void check_seconds(const Trajectory& t) {
  constexpr std::int64_t limit = 100'000'000'000;
  if (!t.times.empty() && (t.times.front() <= -limit || t.times.back() >= limit)) {
    refuse_trip(t, "has a time that is more than 3,000 years away", "choose tsv");
  }
}

void check_dates(const Trajectory& t) {
  constexpr std::int64_t year_1 = -62'135'596'800, year_10000 = 253'402'300'800;
  if (!t.times.empty() && (t.times.front() < year_1 || t.times.back() >= year_10000)) {
    refuse_trip(t, "has a time outside the years 1 to 9999", "choose tsv");
  }
}

void check_has_times(const Trajectory& t, std::string_view format) {
  if (t.has_times() || t.size() == 0) return;
  refuse_trip(t, fmt::format("has no times, and {} must have them", format),
              "choose geojson, tsv, csv or gpx, or export only trips with times");
}

void check_degrees(const Dataset& data, std::string_view format) {
  if (data.info().coordinates == Coordinates::degrees) return;
  throw Error(ErrorCode::bad_input,
              fmt::format("the coordinates are planar, and {} has degrees", format),
              "choose tsv, csv or geojson");
}

ExportFormat export_format_from(std::string_view name) {
  if (const auto format = value_in<ExportFormat>(export_format_names, lower_case(name))) {
    return *format;
  }
  throw Error(ErrorCode::usage, fmt::format("'{}' is not an export format", printable(name)),
              fmt::format("the formats are {}", listed(export_format_names, "and")), "format");
}

ExportFormat export_format_of(const std::filesystem::path& path) {
  std::filesystem::path name = lower_case(path.filename().string());
  if (name.extension() == ".gz") name = name.stem();
  if (name.string().ends_with(".kepler.json")) return ExportFormat::kepler;
  for (const std::string_view format : export_format_names) {
    if (name.string().ends_with(fmt::format(".{}", format))) return export_format_from(format);
  }
  const std::string extension = name.extension().string();
  if (extension == ".json") return ExportFormat::geojson;
  if (!extension.empty()) return export_format_from(extension.substr(1));
  throw Error(ErrorCode::usage, fmt::format("which format should {} have?", path.string()),
              "end its name in .tsv, .csv, .geojson, .mfjson, .gpx or .kepler.json, or name the "
              "format",
              "format");
}

void export_dataset(const Dataset& data, const std::filesystem::path& output, ExportFormat format,
                    const Progress& progress) {
  constexpr std::size_t block = std::size_t{1} << 20;
  const std::unique_ptr<Exporter> exporter = make_exporter(data, format);
  TextSink sink(output);
  TextBuffer buffer;
  exporter->begin(buffer);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::size_t before = buffer.size();
    exporter->append_trip(buffer, i);
    if (exporter->has_records()) check_size(data[i], buffer.size() - before);
    if (buffer.size() < block) continue;
    sink.write({buffer.data(), buffer.size()});
    buffer.clear();
    if (progress) progress({i + 1, data.size()});
  }
  exporter->end(buffer);
  sink.write({buffer.data(), buffer.size()});
  sink.commit();
  if (progress) progress({data.size(), data.size()});
}

}  // namespace tsmini
