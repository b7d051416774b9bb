#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/model.h"

#include "base/text.h"
#include "common/console.h"
#include "learn/evaluator.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;
using learn::Evaluation;

Json seed_of(const Model& model) {
  const Json provenance = Json::parse(model.provenance, nullptr, false);
  return provenance.is_object() && provenance.contains("seed") ? provenance["seed"] : Json();
}

void print_json(const EvaluateOptions& options, const Model& model, const Evaluation& result) {
  const RetrievalScore& score = result.score;
  const Json json = {{"model", options.model},
                     {"data", options.data},
                     {"part", result.part},
                     {"measure", name_of(model.measure)},
                     {"space", Json::parse(model.space.to_json())},
                     {"metric", name_of(model.net.metric.kind)},
                     {"seed", seed_of(model)},
                     {"queries", score.queries},
                     {"base", score.base},
                     {"hr1", score.hr1},
                     {"hr5", score.hr5},
                     {"hr10", score.hr10},
                     {"hr50", score.hr50},
                     {"r10at50", score.r10at50},
                     {"hr10_reranked_50", score.rerank50},
                     {"rand_index", result.rand_index ? Json(*result.rand_index) : Json()},
                     {"median_relative_error", result.relative_error},
                     {"device", result.device},
                     {"embed_seconds", result.embed_seconds},
                     {"truth_seconds", result.truth_seconds},
                     {"search_seconds", result.search_seconds},
                     {"peak_device_bytes", result.peak_device_bytes}};
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_table(const Model& model, const Evaluation& result) {
  const RetrievalScore& score = result.score;
  const auto queries = static_cast<double>(score.queries);
  const auto base = static_cast<double>(score.base) + 1;
  Table table;
  table.add("measure",
            fmt::format("{} in {} space", name_of(model.measure), name_of(model.space.kind())));
  table.add("model", fmt::format("seed {}", seed_of(model).dump()));
  table.add("part", fmt::format("{}: {} queries, each against {} others", result.part,
                                with_thousands(score.queries), with_thousands(score.base)));
  for (const auto& [name, value] : {std::pair{"HR@1", score.hr1},
                                    {"HR@5", score.hr5},
                                    {"HR@10", score.hr10},
                                    {"HR@50", score.hr50},
                                    {"R10@50", score.r10at50},
                                    {"HR@10, 50 re-ranked", score.rerank50}}) {
    table.add(name, fmt::format("{:.4f}", value));
  }
  table.add("Rand index", result.rand_index
                              ? fmt::format("{:.4f} (10 medoids)", *result.rand_index)
                              : fmt::format("skipped: for all queries of at most {} trajectories",
                                            with_thousands(learn::most_for_rand_index)));
  table.add("relative error", fmt::format("{:.2f} % (median)", 100 * result.relative_error));
  table.add("embedding", fmt::format("{} ({:.3g} ms each, {})", human_seconds(result.embed_seconds),
                                     1000 * result.embed_seconds / base, result.device));
  table.add("true distances",
            fmt::format("{} ({:.3g} ms a query)", human_seconds(result.truth_seconds),
                        1000 * result.truth_seconds / queries));
  table.add("search", fmt::format("{} ({:.3g} ms a query)", human_seconds(result.search_seconds),
                                  1000 * result.search_seconds / queries));
  fmt::print("{}", table.text());
}

}  // namespace

void evaluate_model(const EvaluateOptions& options, const CommonOptions& common) {
  const Console console(common.quiet);
  const Model model = Model::load(options.model);
  const Dataset data = Dataset::open(options.data);
  learn::EvaluateRequest request;
  request.part = options.part;
  request.limit = options.limit;
  request.device = options.device;
  request.threads = common.threads;
  request.seed = options.seed;
  const Evaluation result =
      evaluate(model, data, request, console.progress("evaluating", Unit::trips));
  if (common.json) return print_json(options, model, result);
  print_table(model, result);
}

}  // namespace tsmini::cli
