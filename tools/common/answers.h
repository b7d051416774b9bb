// Answers to queries, written as they come: for the eye, for a spreadsheet, for a program, for a
// map.
//
//   AnswerWriter writer(answer_style("", "nearest.csv", false), "nearest.csv", width_of(queries));
//   writer.begin({{"measure", "dtw"}});
//   writer.add(query, answers);          // in the order of queries and ranks
//   writer.end({{"seconds", 0.5}});
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tsmini/trajectory.h"

#include "base/text_sink.h"

namespace tsmini::cli {

enum class AnswerStyle { table, csv, json, geojson };
// The one that `format` names, or the one that the ending of `output` asks for; a table on standard
// output ("-"). Throws Error(usage) where neither tells.
AnswerStyle answer_style(std::string_view format, const std::string& output, bool json);

struct WrittenAnswer {
  Trajectory trip;
  double distance = 0;
};

class AnswerWriter {
 public:
  // `width`: of the longest id of a query, for the table.
  AnswerWriter(AnswerStyle style, const std::string& output, std::size_t width);

  void begin(const nlohmann::ordered_json& facts);
  void add(const Trajectory& query, std::span<const WrittenAnswer> answers);
  void end(const nlohmann::ordered_json& facts);

 private:
  void add_json(const Trajectory& query, std::span<const WrittenAnswer> answers);
  void add_geojson(const Trajectory& query, std::span<const WrittenAnswer> answers);
  void add_line(const std::string& text);  // of a JSON list

  AnswerStyle style_;
  TextSink sink_;
  std::size_t width_;
  bool first_ = true;
};

}  // namespace tsmini::cli
