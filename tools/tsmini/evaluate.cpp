#include "tsmini/evaluate.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"
#include "tsmini/flaws.h"
#include "tsmini/import.h"
#include "tsmini/train.h"

#include "base/amounts.h"
#include "common/console.h"
#include "common/document.h"
#include "common/fit_trips.h"
#include "common/laps.h"
#include "common/long_trips.h"
#include "common/option_checks.h"
#include "common/pick_options.h"
#include "common/reach_note.h"
#include "gpu.h"
#include "open_trips.h"
#include "report_among.h"
#include "score_text.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

struct EvaluateArguments {
  std::string model, data, base;
  Device device = Device::cpu;
  OnError on_error = OnError::fail;
  PickOptions picking;
  std::uint64_t seed = 1;
};

Json seed_of(const Model& model) {
  const Json provenance = Json::parse(model.provenance, nullptr, false);
  return provenance.is_object() && provenance.contains("seed") ? provenance["seed"] : Json();
}

void print_json(const EvaluateArguments& a, const Model& model, const FitTrips& trips,
                const Evaluation& result, double seconds) {
  const RetrievalScore& score = result.score;
  const Json json = {{"model", a.model},
                     {"data", a.data},
                     {"part", a.picking.part},
                     {"measure", name_of(model.measure)},
                     {"space", Json::parse(model.space.to_json())},
                     {"metric", name_of(model.net.metric.kind)},
                     {"seed", seed_of(model)},
                     {"queries", score.queries},
                     {"base", score.base},
                     {"unfit", trips.unfit},
                     {"first_unfit", trips.first_unfit},
                     {"hr1", score.hr1},
                     {"hr5", score.hr5},
                     {"hr10", score.hr10},
                     {"hr50", score.hr50},
                     {"r10at50", score.r10at50},
                     {"hr10_reranked_50", score.rerank50},
                     {"rand_index", result.rand_index ? Json(*result.rand_index) : Json()},
                     {"median_relative_error", result.relative_error},
                     {"near_median_relative_error", result.near_relative_error},
                     {"device", name_of(a.device)},
                     {"embed_seconds", result.embed_seconds},
                     {"truth_seconds", result.truth_seconds},
                     {"search_seconds", result.search_seconds},
                     {"seconds", seconds}};
  print_document(json);
}

void print_table(const EvaluateArguments& a, const Model& model, const Evaluation& result,
                 double seconds) {
  const RetrievalScore& score = result.score;
  const auto queries = static_cast<double>(score.queries);
  const auto base = static_cast<double>(score.base) + 1;
  Table table;
  table.add("measure",
            fmt::format("{} in {} space", name_of(model.measure), name_of(model.space.kind())));
  table.add("model", fmt::format("seed {}", seed_of(model).dump()));
  table.add("part", fmt::format("{}: {}, each against {}", a.picking.part,
                                counted(score.queries, "query"), counted(score.base, "other")));
  const auto add = [&](const char* name, double value, std::size_t looked_at) {
    table.add(name, score_text(value, looked_at, score.base));
  };
  add("HR@1", score.hr1, 1);
  add("HR@5", score.hr5, 5);
  add("HR@10", score.hr10, 10);
  add("HR@50", score.hr50, 50);
  add("R10@50", score.r10at50, 50);
  add("HR@10, 50 re-ranked", score.rerank50, 50);
  table.add("Rand index", result.rand_index
                              ? fmt::format("{:.4f} (10 medoids)", *result.rand_index)
                              : fmt::format("skipped: for all queries of at most {}",
                                            counted(most_for_rand_index, "trajectory")));
  table.add("relative error", fmt::format("{} (median), {} of the ten nearest by embedding",
                                          human_share(result.relative_error),
                                          human_share(result.near_relative_error)));
  table.add("embedding", fmt::format("{} ({} each)", human_seconds(result.embed_seconds),
                                     human_seconds(result.embed_seconds / base)));
  table.add("true distances", fmt::format("{} ({} a query)", human_seconds(result.truth_seconds),
                                          human_seconds(result.truth_seconds / queries)));
  table.add("search", fmt::format("{} ({} a query)", human_seconds(result.search_seconds),
                                  human_seconds(result.search_seconds / queries)));
  table.add("in all", human_seconds(seconds));
  fmt::print("{}", table.text());
}

void run(EvaluateArguments a, const CommonOptions& common) {
  const Laps laps;
  const Console console(common.quiet);
  if (!a.base.empty() && a.device == Device::cuda) {
    throw Error(ErrorCode::usage, "true distances to a base are searched for on the CPU",
                "leave out --device, or --base");
  }
  const Model model = Model::load(a.model);
  const Trips given = open_trips(a.data, console);
  const Dataset& data = given.data;
  std::string& part = a.picking.part;
  if (part.empty()) part = data.info().has_split ? name_of(Part::test) : "all";
  Picking picking = picking_of(a.picking);
  const std::optional<std::size_t> limit = std::exchange(picking.limit, {});  // of the queries
  check_coordinates(model.frame, data);
  const FitTrips trips = fit_trips(data, picked(given, picking), a.on_error, a.data,
                                   [&](const Trajectory& trip) { return flaw_of(model, trip); });
  check_reach(console, model.space, data, trips.indices, a.data);
  note_long_trip(console, data, trips.indices);
  if (!a.base.empty()) {
    const AmongReport report{a.model, a.data, part, a.base, common.json};
    auto queries = std::span<const std::size_t>(trips.indices);
    queries = queries.first(std::min(queries.size(), limit.value_or(queries.size())));
    report_among(report, model, data, trips, queries, console);
    return trips.tell(console);
  }
  EvaluateRequest request;
  request.limit = limit;
  request.seed = a.seed;
  if (a.device == Device::cuda) request.truth = rows_on_gpu(model.measure, model.measure_settings);
  const Evaluation result =
      evaluate(model, data, trips.indices, request, console.progress("evaluating", Unit::trips));
  if (common.json) return print_json(a, model, trips, result, laps.seconds());
  trips.tell(console);
  print_table(a, model, result, laps.seconds());
}

}  // namespace

void add_evaluate(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<EvaluateArguments>();
  CLI::App* verb =
      app.add_subcommand("evaluate", "Tell how well a model stands in for its measure");
  verb->footer(
      "Every trajectory of the part is a query against all others. HR@k: share of the true k\n"
      "nearest among the k nearest by embedding; R10@50: share of the true 10 nearest among the\n"
      "50 nearest by embedding, which is HR@10 after these 50 are put in their true order.\n"
      "Hit ratios fall as the base grows: --base searches among all trips that will be served.\n"
      "Examples:\n"
      "  tsmini evaluate m.safetensors city.tsd\n"
      "  tsmini evaluate m.safetensors city.tsd --part all --limit 1000 --json\n"
      "  tsmini evaluate m.safetensors city.tsd --base all-trips.tsd --limit 500");
  verb->add_option("MODEL", a->model, "A model (.safetensors)")->required()->option_text("MODEL");
  verb->add_option("DATA", a->data, "A data set (.tsd) or a collection")
      ->required()
      ->option_text("DATA");
  verb->add_option("--base", a->base,
                   "Search among the trips of this data set or collection instead, but for the one "
                   "of the same id")
      ->option_text("DATA|COLLECTION");
  add_choice(*verb, "--device", a->device, device_names,
             "Of true distances: cpu (default) or cuda");
  verb->add_option("--seed", a->seed, "Of the clustering behind the Rand index (default 1)")
      ->option_text("N");
  add_on_error(*verb, a->on_error);
  add_pick_options(
      *verb, a->picking,
      {.part = "Which trips (default: test where there is a split, otherwise all)",
       .limit = "Only the first so many of what is left are queries, against all others"});
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
