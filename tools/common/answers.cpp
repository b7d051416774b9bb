#include "common/answers.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "data/csv_fields.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string as_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

AnswerStyle style_named(std::string_view name) {
  if (name == "table") return AnswerStyle::table;
  if (name == "csv") return AnswerStyle::csv;
  return name == "json" ? AnswerStyle::json : AnswerStyle::geojson;
}

Json feature(const Trajectory& trip, Json properties) {
  Json points = Json::array();
  for (const Position& p : trip.points) points.push_back({p.lon, p.lat});
  return {{"type", "Feature"},
          {"properties", std::move(properties)},
          {"geometry", {{"type", "LineString"}, {"coordinates", std::move(points)}}}};
}

}  // namespace

AnswerStyle answer_style(std::string_view format, const std::string& output, bool json) {
  if (json && output == "-" && !format.empty() && format != "json") {
    throw Error(ErrorCode::usage, fmt::format("--json and --format {} contradict", format),
                "leave out one of them, or write the answers to a file with -o");
  }
  if (!format.empty()) return style_named(format);
  if (output == "-") return json ? AnswerStyle::json : AnswerStyle::table;
  std::filesystem::path name = output;
  if (name.extension() == ".gz") name = name.stem();
  for (const std::string_view known : {"csv", "json", "geojson"}) {
    if (name.extension() == fmt::format(".{}", known)) return style_named(known);
  }
  throw Error(ErrorCode::usage, fmt::format("which format should {} have?", output),
              "end its name in .csv, .json or .geojson");
}

void print_report(const std::string& output, std::size_t queries, const Json& facts,
                  const Json& figures) {
  Json report = {{"output", output}};
  report.update(facts);
  report["query_count"] = queries;
  report.update(figures);
  fmt::print("{}\n", report.dump(2, ' ', false, Json::error_handler_t::replace));
}

AnswerWriter::AnswerWriter(AnswerStyle style, const std::string& output, std::size_t width)
    : style_(style), sink_(output), width_(std::clamp<std::size_t>(width, 5, 40)) {}

void AnswerWriter::begin(const Json& facts) {
  if (style_ == AnswerStyle::csv) opening_ = "query,rank,id,distance\n";
  if (style_ == AnswerStyle::table) {
    opening_ = fmt::format("{:<{}}  rank  {:>12}  id\n", "query", width_, "distance");
  }
  if (style_ == AnswerStyle::json) {
    opening_ = as_text(facts);
    opening_.pop_back();
    opening_ += ",\n\"queries\":[";
  }
  if (style_ == AnswerStyle::geojson) {
    opening_ = "{\"type\":\"FeatureCollection\",\n\"features\":[";
  }
}

void AnswerWriter::write(std::string_view text) {
  sink_.write(std::exchange(opening_, {}));
  sink_.write(text);
}

void AnswerWriter::add(const Trajectory& query, std::span<const WrittenAnswer> answers) {
  if (style_ == AnswerStyle::json) return add_json(query, answers);
  if (style_ == AnswerStyle::geojson) return add_geojson(query, answers);
  std::string text;
  std::size_t rank = 0;
  for (const WrittenAnswer& a : answers) {
    text += style_ == AnswerStyle::csv
                ? fmt::format("{},{},{},{}\n", quoted_if_needed(query.id), ++rank,
                              quoted_if_needed(a.trip.id), a.distance)
                : fmt::format("{:<{}}  {:>4}  {:>12.6g}  {}\n", query.id, width_, ++rank,
                              a.distance, a.trip.id);
  }
  write(text);
}

void AnswerWriter::add_json(const Trajectory& query, std::span<const WrittenAnswer> answers) {
  Json list = Json::array();
  for (const WrittenAnswer& a : answers) {
    list.push_back({{"id", a.trip.id}, {"distance", a.distance}});
  }
  add_line(as_text({{"query", query.id}, {"neighbours", std::move(list)}}));
}

void AnswerWriter::add_geojson(const Trajectory& query, std::span<const WrittenAnswer> answers) {
  add_line(as_text(feature(query, {{"role", "query"}, {"id", query.id}})));
  std::size_t rank = 0;
  for (const WrittenAnswer& a : answers) {
    add_line(as_text(feature(a.trip, {{"role", "answer"},
                                      {"query", query.id},
                                      {"rank", ++rank},
                                      {"id", a.trip.id},
                                      {"distance", a.distance}})));
  }
}

void AnswerWriter::add_line(const std::string& text) {
  write((first_ ? "\n" : ",\n") + text);
  first_ = false;
}

void AnswerWriter::end(const Json& facts) {
  std::string closing;
  if (style_ == AnswerStyle::json) closing = "\n],\n" + as_text(facts).substr(1) + "\n";
  if (style_ == AnswerStyle::geojson) closing = "\n]}\n";
  write(closing);
  sink_.commit();
}

}  // namespace tsmini::cli
