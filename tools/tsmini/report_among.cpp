#include "report_among.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/evaluate_among.h"
#include "tsmini/flaws.h"
#include "tsmini/search.h"

#include "base/amounts.h"
#include "common/document.h"
#include "common/laps.h"
#include "open_trips.h"
#include "recall_table.h"
#include "score_text.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t usual_k = 10;

// What a search that promises the usual recall would do in such a collection, and what it would
// have found of these queries.
struct Promise {
  double recall = SearchRequest().recall;
  std::size_t candidates;
  double expected, found;

  Promise(const Judgement& judgement, const RecallCurve& curve)
      : candidates(judgement.candidates_for(usual_k, recall)),
        expected(judgement.recall_at(usual_k, candidates)),
        found(curve.at(usual_k, candidates)) {}
};

Json promise_json(const AmongEvaluation& result) {
  if (!result.judgement) return nullptr;
  const Promise promise(*result.judgement, result.recall);
  return {{"recall", promise.recall},
          {"candidates", promise.candidates},
          {"expected", promise.expected},
          {"found", promise.found}};
}

Json curve_json(const RecallCurve& curve) {
  Json lines = Json::array();
  for (const std::size_t count : RecallCurve::counts) {
    Json line = {{"candidates", count}};
    for (const std::size_t k : RecallCurve::depths) {
      line[fmt::format("recall{}", k)] = curve.at(k, count);
    }
    lines.push_back(line);
  }
  return lines;
}

void print_json(const AmongReport& report, const Model& model, const FitTrips& trips,
                const AmongEvaluation& result, double seconds) {
  const RecallCurve& curve = result.recall;
  const auto& judged = result.judged_relative_error;
  const Json json = {{"model", report.model},
                     {"data", report.data},
                     {"part", report.part},
                     {"base_file", report.base},
                     {"measure", name_of(model.measure)},
                     {"space", Json::parse(model.space.to_json())},
                     {"queries", result.queries},
                     {"base", result.base},
                     {"unfit", trips.unfit},
                     {"first_unfit", trips.first_unfit},
                     {"base_unfit", result.unfit},
                     {"hr1", curve.at(1, 1)},
                     {"hr10", curve.at(10, 10)},
                     {"hr50", curve.at(50, 50)},
                     {"r10at50", curve.at(10, 50)},
                     {"rerank", curve_json(curve)},
                     {"promise", promise_json(result)},
                     {"near_median_relative_error", result.relative_error},
                     {"judged_near_median_relative_error", judged ? Json(*judged) : Json()},
                     {"embed_seconds", result.embed_seconds},
                     {"query_seconds", result.query_seconds},
                     {"seconds", seconds}};
  print_document(json);
}

void print_table(const AmongReport& report, const Model& model, const AmongEvaluation& result,
                 double seconds) {
  const RecallCurve& curve = result.recall;
  Table table;
  table.add("measure",
            fmt::format("{} in {} space", name_of(model.measure), name_of(model.space.kind())));
  table.add("part", fmt::format("{}: {} among {}", report.part, counted(result.queries, "query"),
                                counted(result.base, "trip")));
  if (result.unfit > 0) {
    table.add("not embedded", fmt::format("{}, which the model cannot take: measured exactly",
                                          counted(result.unfit, "trip")));
  }
  const auto add = [&](const char* name, double value, std::size_t looked_at) {
    table.add(name, score_text(value, looked_at, result.base));
  };
  add("HR@1", curve.at(1, 1), 1);
  add("HR@10", curve.at(10, 10), 10);
  add("HR@50", curve.at(50, 50), 50);
  add("R10@50", curve.at(10, 50), 50);
  std::string title = "rerank finds";
  for (const std::string& line : recall_lines(curve)) table.add(std::exchange(title, ""), line);
  if (result.judgement) {
    const Promise promise(*result.judgement, curve);
    table.add("promised",
              fmt::format("{} of the true ten: {}, {} expected, {} found",
                          human_share(promise.recall), counted(promise.candidates, "candidate"),
                          human_share(promise.expected), human_share(promise.found)));
  }
  table.add("relative error",
            fmt::format("{} (median) of the ten nearest by embedding{}",
                        human_share(result.relative_error),
                        result.judged_relative_error
                            ? fmt::format(", {} as calibrated by the base",
                                          human_share(*result.judged_relative_error))
                            : ""));
  table.add("embedding", fmt::format("{}, with index", human_seconds(result.embed_seconds)));
  table.add("queries",
            fmt::format("{} ({} a query)", human_seconds(result.query_seconds),
                        human_seconds(result.query_seconds / static_cast<double>(result.queries))));
  table.add("in all", human_seconds(seconds));
  fmt::print("{}", table.text());
}

}  // namespace

void report_among(const AmongReport& report, const Model& model, const Dataset& data,
                  const FitTrips& trips, std::span<const std::size_t> queries,
                  const Console& console) {
  const Laps laps;
  const Dataset base = open_trips(report.base, console).data;
  check_coordinates(model.frame, base);
  const AmongEvaluation result =
      evaluate_among(model, data, queries, base, console.progress("evaluating", Unit::trips));
  if (report.json) return print_json(report, model, trips, result, laps.seconds());
  print_table(report, model, result, laps.seconds());
}

}  // namespace tsmini::cli
