// Answers to queries, written as they come: for the eye, for a spreadsheet, for a program, for a
// map. Distances that are a model's guess look like it in each of them.
//
//   AnswerWriter writer(answer_style({}, "nearest.csv", false), "nearest.csv", {width, "m"});
//   writer.begin({{"measure", "frechet"}});
//   writer.add(writer.text_of({query, answers}));  // in the order of queries and ranks
//   writer.end({{"seconds", 0.5}});
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "tsmini/trajectory.h"

#include "base/text_sink.h"

namespace tsmini::cli {

enum class AnswerStyle { table, csv, json, geojson };
inline constexpr std::array<std::string_view, 4> answer_style_names{"table", "csv", "json",
                                                                    "geojson"};
// `format`, or the one that the ending of `output` asks for; on standard output ("-") a table, or
// with --json JSON. Throws Error(usage) where neither tells, or --json contradicts `format`.
AnswerStyle answer_style(std::optional<AnswerStyle> format, const std::string& output, bool json);

// What --json reports on standard output where the answers went to a file.
void print_report(const std::string& output, std::size_t queries,
                  const nlohmann::ordered_json& facts, const nlohmann::ordered_json& figures);

struct WrittenAnswer {
  Trajectory trip;
  double distance = 0;
  bool estimated = false;  // a model's guess
};

struct AnsweredQuery {
  Trajectory query;
  std::vector<WrittenAnswer> answers;  // by rank
  bool estimated = false;              // by a model: distances may be its guess
};

// What a table needs to know before its first row.
struct TableLook {
  std::size_t id_width = 0;  // of the longest id of a query
  std::string_view unit;     // of distances, see distance_text.h
};
// The width of the longest of so many ids, on a screen.
std::size_t id_width(std::size_t count, const std::function<std::string_view(std::size_t)>& id);

class AnswerWriter {
 public:
  AnswerWriter(AnswerStyle style, const std::string& output, const TableLook& look);

  // Begins the output; nothing is written before the first answers are there: an error comes alone.
  void begin(const nlohmann::ordered_json& facts);
  // What add() is to be given for a query; may be made on any number of threads.
  std::string text_of(const AnsweredQuery& answered) const;
  void add(std::string_view text);
  void end(const nlohmann::ordered_json& facts);

 private:
  void write(std::string_view text);

  AnswerStyle style_;
  TextSink sink_;
  std::size_t id_width_;
  std::string heading_;  // of the distances
  std::string opening_;  // until it is written
  bool first_ = true;
};

}  // namespace tsmini::cli
