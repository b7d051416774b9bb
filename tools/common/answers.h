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
// The one that `format` names, or the one that the ending of `output` asks for; on standard output
// ("-") a table, or with --json JSON. Throws Error(usage) where neither tells, or --json
// contradicts `format`.
AnswerStyle answer_style(std::string_view format, const std::string& output, bool json);

// What --json reports on standard output where the answers went to a file.
void print_report(const std::string& output, std::size_t queries,
                  const nlohmann::ordered_json& facts, const nlohmann::ordered_json& figures);

struct WrittenAnswer {
  Trajectory trip;
  double distance = 0;
};

class AnswerWriter {
 public:
  // `width`: of the longest id of a query, for the table.
  AnswerWriter(AnswerStyle style, const std::string& output, std::size_t width);

  // Nothing is written before the first answers are there: an error comes alone.
  void begin(const nlohmann::ordered_json& facts);
  void add(const Trajectory& query, std::span<const WrittenAnswer> answers);
  void end(const nlohmann::ordered_json& facts);

 private:
  void add_json(const Trajectory& query, std::span<const WrittenAnswer> answers);
  void add_geojson(const Trajectory& query, std::span<const WrittenAnswer> answers);
  void add_line(const std::string& text);  // of a JSON list
  void write(std::string_view text);

  AnswerStyle style_;
  TextSink sink_;
  std::size_t width_;
  std::string opening_;  // until it is written
  bool first_ = true;
};

}  // namespace tsmini::cli
