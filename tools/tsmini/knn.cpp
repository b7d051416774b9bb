#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"
#include "tsmini/exact_search.h"

#include "base/amounts.h"
#include "common/answers.h"
#include "common/console.h"
#include "common/distance_text.h"
#include "common/laps.h"
#include "common/measure_options.h"
#include "common/neighbour_options.h"
#include "common/outputs.h"
#include "common/own_ids.h"
#include "common/pick_options.h"
#include "common/write_in_order.h"
#include "drawing.h"
#include "open_trips.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

struct KnnArguments {
  std::string queries, base, output = "-", map;
  NeighbourOptions wanted;
  MeasureOptions measure;
  PickOptions picking;
};

using Neighbours = std::vector<Neighbour>;

// Answers queries on all cores, and tells how far it is.
class ExactAnswerer {
 public:
  ExactAnswerer(const NeighbourOptions& wanted, const MeasureSetup& setup,
                const MeasuredSet& queries, const MeasuredSet& base, const Progress& progress)
      : wanted_(wanted),
        queries_(queries),
        base_(base),
        search_(setup.measure(), base.points, setup.settings()),
        allowed_(wanted.skip_self ? other_ids(queries, base) : JoinRule()),
        heartbeat_(progress, queries.size()) {}

  std::size_t count() const { return queries_.size(); }
  bool has_bounds() const { return search_.has_bounds(); }
  const SearchWork& work() const { return work_; }
  const AnsweredQuery& first() const { return first_; }

  void run(AnswerWriter& writer) {
    write_in_order(
        count(),
        [&](std::size_t query) {
          SearchWork work;
          AnsweredQuery answered{queries_.data[queries_.indices[query]], {}, false};
          for (const Neighbour& n : answer(query, work)) {
            answered.answers.push_back({base_.data[base_.indices[n.index]], n.distance});
          }
          add(work);
          if (query == 0) first_ = answered;
          heartbeat_.advance(1);
          return writer.text_of(answered);
        },
        [&](const std::string& text) { writer.add(text); });
  }

 private:
  Neighbours answer(std::size_t query, SearchWork& work) const {
    SearchScope scope;
    if (allowed_) scope.allowed = [&](std::size_t trip) { return allowed_(query, trip); };
    return search_.nearest_within(queries_.points[query],
                                  wanted_.within.value_or(std::numeric_limits<double>::infinity()),
                                  wanted_.within ? 0 : wanted_.k, scope, &work, heartbeat_);
  }

  void add(const SearchWork& work) {
    const std::lock_guard lock(mutex_);
    work_ += work;
  }

  const NeighbourOptions& wanted_;
  const MeasuredSet& queries_;
  const MeasuredSet& base_;
  ExactSearch search_;
  JoinRule allowed_;
  Heartbeat heartbeat_;
  std::mutex mutex_;
  SearchWork work_;
  AnsweredQuery first_;
};

void draw(const KnnArguments& a, const AnsweredQuery& first, const MeasuredSet& base,
          const MeasureSetup& setup, const Console& console) {
  const std::string_view unit = unit_of(setup.measure(), setup.space().kind());
  std::vector<AnswerLine> answers;
  for (const WrittenAnswer& answer : first.answers) {
    answers.push_back({answer.trip, distance_text(answer.distance, unit, false)});
  }
  Map map = answer_map(first.query, answers, base.data.info().coordinates);
  map.title = answer_title(first.query, answers.size(), a.wanted.within, unit);
  map.subtitle =
      fmt::format("exact · {} · among {}", name_of(setup.measure()), counted(base.size(), "trip"));
  map.ground = ground_of(base.data, touching(base.data, base.indices, shown_box(map)));
  draw_to(a.map, map, console);
}

void run(const KnnArguments& a, const CommonOptions& common) {
  Laps laps;
  const Console console(common.quiet);
  const AnswerStyle style = answer_style({}, a.output, common.json);
  if (!a.map.empty()) check_map_name(a.map);
  check_outputs({a.queries, a.base, a.picking.ids_from}, {a.output, a.map});
  MeasureSetup setup(a.measure);
  const Picking picking = picking_of(a.picking);
  const Trips base_trips = open_trips(a.base, console);
  const MeasuredSet base = setup.load(base_trips, of_both(picking), console);
  const Trips query_trips = a.queries == a.base ? base_trips : open_trips(a.queries, console);
  const MeasuredSet queries = setup.load(query_trips, picking, console);
  const SpaceKind space = setup.space().kind();
  const std::size_t width = id_width(queries.size(), [&](std::size_t i) { return queries.id(i); });
  AnswerWriter writer(style, a.output, {width, unit_of(setup.measure(), space)});
  const Progress progress = console.progress("searching", Unit::trips);
  ExactAnswerer answerer(a.wanted, setup, queries, base, progress);
  const double opening = laps.end("opening");
  if (!answerer.has_bounds()) {
    console.say(
        "note: no bounds rule anything out for {} on data of this scale: every distance is "
        "computed",
        name_of(setup.measure()));
  }
  Json facts = {{"measure", name_of(setup.measure())},
                {"space", Json::parse(setup.space().to_json())},
                {"unit", unit_json(setup.measure(), space)}};
  const NeighbourOptions& wanted = a.wanted;
  facts[wanted.within ? "within" : "k"] = wanted.within ? Json(*wanted.within) : Json(wanted.k);
  writer.begin(facts);
  answerer.run(writer);
  const double searching = laps.end("searching");
  const SearchWork work = answerer.work();
  const Json figures = {{"work", {{"single", work.single}, {"double", work.doubled}}},
                        {"seconds", laps.seconds()},
                        {"open_seconds", opening},
                        {"search_seconds", searching}};
  writer.end(figures);
  if (!a.map.empty()) draw(a, answerer.first(), base, setup, console);
  if (common.json && a.output != "-") print_report(a.output, answerer.count(), facts, figures);
  const double pairs = static_cast<double>(answerer.count()) * static_cast<double>(base.size());
  const double each = searching / static_cast<double>(std::max<std::size_t>(answerer.count(), 1));
  console.say("{} in {}; {} each; {} of {} distances computed ({})",
              counted(answerer.count(), "query"), laps.text(), human_seconds(each),
              with_thousands(work.pairs), with_thousands(static_cast<std::uint64_t>(pairs)),
              human_share(static_cast<double>(work.pairs) / std::max(pairs, 1.0)));
}

}  // namespace

void add_knn(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<KnnArguments>();
  CLI::App* verb =
      app.add_subcommand("knn", "Find the true nearest trajectories by an exact measure");
  verb->footer(
      "No model is needed; lower bounds spare most distances. Trips are picked from QUERIES; "
      "--part\n"
      "speaks of both.\n"
      "Examples:\n"
      "  tsmini knn queries.tsd city.tsd -k 10\n"
      "  tsmini knn city.tsd city.tsd --part test --skip-self --measure dtw -o nearest.csv\n"
      "  tsmini knn city.tsd city.tsd --id trip-0000007 --skip-self --map nearest.html\n"
      "  tsmini knn queries.tsd city.tsd --within 250 --json");
  verb->add_option("QUERIES", a->queries, "A data set (.tsd) or a collection: what to look for")
      ->required()
      ->option_text("QUERIES");
  verb->add_option("BASE", a->base, "Another or the same: where to look; fixes the space")
      ->required()
      ->option_text("BASE");
  add_neighbour_options(*verb, a->wanted);
  verb->add_option(
          "-o,--output", a->output,
          "Write the answers there (.csv, .json or .geojson); --json then reports on the work")
      ->option_text("FILE");
  verb->add_option("--map", a->map, "Draw the first query and its answers (.svg, .png or .html)")
      ->option_text("FILE");
  add_measure_options(*verb, a->measure);
  add_pick_options(*verb, a->picking);
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
