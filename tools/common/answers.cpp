#include "common/answers.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/csv_text.h"
#include "base/enum_names.h"
#include "base/utf8.h"
#include "common/distance_text.h"
#include "common/document.h"
#include "common/feature.h"
#include "common/shown.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t least_width = 12;  // of a column of distances

Json json_of(const AnsweredQuery& answered) {
  Json list = Json::array();
  for (const WrittenAnswer& a : answered.answers) {
    list.push_back({{"id", a.trip.id}, {"distance", a.distance}});
    if (answered.estimated) list.back()["estimated"] = a.estimated;
  }
  return {{"query", answered.query.id},
          {"estimated", answered.estimated},
          {"neighbours", std::move(list)}};
}

// The query and its answers, as lines of a list.
std::string features_of(const AnsweredQuery& answered) {
  const std::string_view id = answered.query.id;
  std::string text = feature_text(answered.query, line_of({{"role", "query"}, {"id", id}}));
  std::size_t rank = 0;
  for (const WrittenAnswer& a : answered.answers) {
    text += ",\n" + feature_text(a.trip, line_of({{"role", "answer"},
                                                  {"query", id},
                                                  {"rank", ++rank},
                                                  {"id", a.trip.id},
                                                  {"distance", a.distance},
                                                  {"estimated", a.estimated}}));
  }
  return text;
}

}  // namespace

AnswerStyle answer_style(std::optional<AnswerStyle> format, const std::string& output, bool json) {
  if (json && output == "-" && format && format != AnswerStyle::json) {
    throw Error(
        ErrorCode::usage,
        fmt::format("--json and --format {} contradict", name_in(answer_style_names, *format)),
        "leave out one of them, or write the answers to a file with -o");
  }
  if (format) return *format;
  if (output == "-") return json ? AnswerStyle::json : AnswerStyle::table;
  std::filesystem::path name = output;
  if (name.extension() == ".gz") name = name.stem();
  for (const AnswerStyle style : {AnswerStyle::csv, AnswerStyle::json, AnswerStyle::geojson}) {
    if (name.extension() == fmt::format(".{}", name_in(answer_style_names, style))) return style;
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
  print_document(report);
}

std::size_t id_width(std::size_t count, const std::function<std::string_view(std::size_t)>& id) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < count; ++i) width = std::max(width, text_width(id(i)));
  return width;
}

AnswerWriter::AnswerWriter(AnswerStyle style, const std::string& output, const TableLook& look)
    : style_(style),
      sink_(output),
      id_width_(std::clamp<std::size_t>(look.id_width, 5, 40)),
      heading_(distance_heading(look.unit)) {}

void AnswerWriter::begin(const Json& facts) {
  if (style_ == AnswerStyle::csv) opening_ = "query,rank,id,distance,estimated\n";
  if (style_ == AnswerStyle::table) {
    opening_ = fmt::format("{:<{}}  rank  {:>{}}  id\n", "query", id_width_, heading_, least_width);
  }
  if (style_ == AnswerStyle::json) {
    opening_ = line_of(facts);
    opening_.pop_back();
    opening_ += ",\n\"queries\":[";
  }
  if (style_ == AnswerStyle::geojson) {
    opening_ = "{\"type\":\"FeatureCollection\",\n\"features\":[";
  }
}

std::string AnswerWriter::text_of(const AnsweredQuery& answered) const {
  if (style_ == AnswerStyle::json) return line_of(json_of(answered));
  if (style_ == AnswerStyle::geojson) return features_of(answered);
  std::string text;
  std::size_t rank = 0;
  for (const WrittenAnswer& a : answered.answers) {
    text += style_ == AnswerStyle::csv
                ? fmt::format("{},{},{},{},{}\n", quoted_if_needed(answered.query.id), ++rank,
                              quoted_if_needed(a.trip.id), a.distance, a.estimated)
                : fmt::format("{}  {:>4}  {:>{}}  {}\n",
                              to_the_left(shown(answered.query.id), id_width_), ++rank,
                              fmt::format("{}{:.6g}", estimate_mark(a.estimated), a.distance),
                              std::max(least_width, heading_.size()), shown(a.trip.id));
  }
  return text;
}

void AnswerWriter::add(std::string_view text) {
  const bool is_list = style_ == AnswerStyle::json || style_ == AnswerStyle::geojson;
  if (is_list) write(first_ ? "\n" : ",\n");
  write(text);
  first_ = false;
}

void AnswerWriter::write(std::string_view text) {
  sink_.write(std::exchange(opening_, {}));
  sink_.write(text);
}

void AnswerWriter::end(const Json& facts) {
  std::string closing;
  if (style_ == AnswerStyle::json) closing = "\n],\n" + line_of(facts).substr(1) + "\n";
  if (style_ == AnswerStyle::geojson) closing = "\n]}\n";
  write(closing);
  sink_.commit();
}

}  // namespace tsmini::cli
