#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/collection.h"
#include "tsmini/error.h"

#include "answerer.h"
#include "base/amounts.h"
#include "common/answers.h"
#include "common/console.h"
#include "common/distance_text.h"
#include "common/laps.h"
#include "common/option_checks.h"
#include "common/outputs.h"
#include "common/shell_word.h"
#include "drawing.h"
#include "model_facts.h"
#include "search_queries.h"
#include "search_request.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

// What the measure looks at besides the points.
void add_settings(Json& facts, Measure measure, const MeasureSettings& settings) {
  if (measure == Measure::edr || measure == Measure::lcss) facts["epsilon"] = settings.epsilon;
  if (measure == Measure::erp) facts["gap"] = {settings.gap.x, settings.gap.y};
  if (measure == Measure::dtw && settings.band) facts["band"] = *settings.band;
}

bool is_filtered(const SearchRequest& request) {
  const SearchFilter& filter = request.filter;
  return filter.ids || filter.box || filter.times || !filter.where.empty();
}

void draw(const std::string& file, const Collection& collection, const Trajectory& query,
          const SearchResult& result, const SearchRequest& request, const Console& console) {
  constexpr std::size_t most_nearby = 20'000;
  const std::string_view unit = unit_of(result.measure, request.space->kind());
  std::vector<AnswerLine> answers;
  for (const Answer& answer : result.answers) {
    answers.push_back({answer.trip.view(), distance_text(answer.distance, unit, answer.estimated)});
  }
  Map map = answer_map(query, answers, collection.coordinates());
  map.title = answer_title(query, answers.size(), request.within, unit);
  map.subtitle =
      fmt::format("{} · {} · among {}{}", name_of(result.mode), name_of(result.measure),
                  counted(collection.size(), "trip"), result.estimated() ? " · ≈ estimated" : "");
  map.ground = collection.around(shown_box(map), most_nearby,
                                 Heartbeat(console.progress("reading", Unit::trips)));
  draw_to(file, map, console);
}

// Says the notes behind the first `said`; returns how many there are in all.
std::size_t say_notes(const Console& console, const Collection& collection, std::size_t said) {
  const std::vector<std::string> notes = notes_of(collection);
  for (std::size_t i = said; i < notes.size(); ++i) console.say("note: {}", notes[i]);
  return notes.size();
}

// How many of the true nearest the answers have.
std::string recall_text(const Answerer& answerer, const SearchRequest& request) {
  const auto& expected = answerer.expected_recall();
  if (!expected) return "how many of the true nearest these are is not known";
  const bool is_short =
      request.mode == SearchMode::rerank && request.candidates == 0 && *expected < request.recall;
  // Two shares that differ look like it.
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
  return is_short ? fmt::format("{} of the true nearest expected, not the {} asked for",
                                percent(*expected), percent(request.recall))
                  : fmt::format("{} of the true nearest expected", human_share(*expected));
}

std::string work_text(const Answerer& answerer, const SearchRequest& request) {
  const bool all_exact = answerer.unfit() == answerer.count();
  if (request.mode == SearchMode::fast && !all_exact) {
    return fmt::format(
        "{} computed, {}",
        answerer.work().pairs == 0 ? "no distances" : counted(answerer.work().pairs, "distance"),
        recall_text(answerer, request));
  }
  if (request.mode == SearchMode::rerank && !all_exact) {
    return fmt::format("{} computed, {} a query, {}", counted(answerer.work().pairs, "distance"),
                       counted(answerer.candidates(), "candidate"), recall_text(answerer, request));
  }
  return fmt::format("{} computed{}", counted(answerer.work().pairs, "distance"),
                     answerer.scanned() ? ": without bounds in this space, every one" : "");
}

// What was asked, and of which collection: for the report.
Json search_facts(const SearchArguments& a, const SearchRequest& request,
                  const Collection& collection, std::size_t unknown_ids) {
  const SpaceKind space = request.space->kind();
  const NeighbourOptions& wanted = a.wanted;
  Json facts = {{"collection", a.collection},
                {"trips", collection.size()},
                {"mode", name_of(*request.mode)},
                {"measure", name_of(*request.measure)},
                {"space", Json::parse(request.space->to_json())},
                {"unit", unit_json(*request.measure, space)},
                {"estimated", request.mode == SearchMode::fast}};
  facts[wanted.within ? "within" : "k"] = wanted.within ? Json(*wanted.within) : Json(wanted.k);
  if (request.filter.ids) facts["unknown_ids"] = unknown_ids;
  add_settings(facts, *request.measure, *request.settings);
  return facts;
}

void answer_all(Answerer& answerer, AnswerWriter& writer, const std::string& output) {
  try {
    answerer.run(writer);
  } catch (const Error& error) {
    if (output != "-") throw;
    const bool stopped = error.code() == ErrorCode::interrupted;
    throw error.with_message(fmt::format("{}; what was printed is not complete",
                                         stopped ? "interrupted" : error.what()));
  }
}

// What it took, in these seconds.
Json search_figures(Answerer& answerer, const Collection& collection, double opening,
                    double searching, double all) {
  const double median = answerer.quantile(0.5), p99 = answerer.quantile(0.99);
  const SearchWork& work = answerer.work();
  const Json expected_recall =
      answerer.expected_recall() ? Json(*answerer.expected_recall()) : Json();
  return {{"work", {{"single", work.single}, {"double", work.doubled}}},
          {"scanned", answerer.scanned()},
          {"unfit_queries", answerer.unfit()},
          {"candidates", answerer.candidates()},
          {"expected_recall", expected_recall},
          {"seconds", all},
          {"open_seconds", opening},
          {"search_seconds", searching},
          {"query_ms", {{"median", 1000 * median}, {"p99", 1000 * p99}}},
          {"notes", notes_of(collection)}};
}

// The request as the collection takes it. Where no model can answer it, because of what happened to
// a model's file, that is what is wrong.
SearchRequest request_for(const Collection& collection, const SearchArguments& a,
                          const Console& console) {
  try {
    return request_in(collection, request_of(a), a, console);
  } catch (const Error& error) {
    const std::vector<std::string> notes = notes_of(collection);
    if (notes.empty() || (error.field() != "mode" && error.field() != "model")) throw;
    throw Error(ErrorCode::bad_input, notes.front(),
                "search with --mode exact meanwhile, which needs no model");
  }
}

void run(const SearchArguments& a, const CommonOptions& common) {
  Laps laps;
  const Console console(common.quiet);
  const Picking picking = picking_of(a.picking);
  if (a.queries.empty() && picking.ids.empty()) {
    throw Error(ErrorCode::usage, "what should be looked for?",
                "name a data set of queries, or trips of the collection with --id");
  }
  if (!a.map.empty()) check_map_name(a.map);
  const AnswerStyle style = answer_style(a.format, a.output, common.json);
  check_outputs({a.collection, a.queries, a.only_ids, a.picking.ids_from}, {a.output, a.map});
  const Collection collection = Collection::open(a.collection);
  const SearchRequest request = request_for(collection, a, console);
  const std::size_t said = say_notes(console, collection, 0);
  const Dataset queries = queries_of(a, picking, collection, console);
  const std::size_t unknown_ids =
      request.filter.ids ? check_ids(a.only_ids, *request.filter.ids, collection, console) : 0;
  const double opening = laps.end("opening");
  const Progress progress = console.progress("searching", Unit::trips);
  Answerer answerer(collection, queries, request, a.wanted, progress);
  if (!a.queries.empty()) check_queries(console, request, queries, answerer.count(), a.queries);
  const std::size_t width =
      id_width(answerer.count(), [&](std::size_t i) { return queries[i].id; });
  AnswerWriter writer(style, a.output, {width, unit_of(*request.measure, request.space->kind())});
  const Json facts = search_facts(a, request, collection, unknown_ids);
  writer.begin(facts);
  answer_all(answerer, writer, a.output);
  const double searching = laps.end("searching");
  const Json figures = search_figures(answerer, collection, opening, searching, laps.seconds());
  writer.end(figures);
  say_notes(console, collection, said);  // such as an index that turned out to be damaged
  if (answerer.unfit() > 0) {
    console.say("note: the model cannot take {}, answered by exact instead",
                counted(answerer.unfit(), "query"));
  }
  if (!a.map.empty()) {
    if (!answerer.first()) throw Error(ErrorCode::bad_input, "there is no query to draw");
    draw(a.map, collection, queries[0], *answerer.first(), request, console);
    laps.end("drawing");
  }
  if (common.json && a.output != "-") print_report(a.output, answerer.count(), facts, figures);
  console.say("{} in {}; median {}; {}", counted(answerer.count(), "query"), laps.text(),
              human_seconds(answerer.quantile(0.5)), work_text(answerer, request));
  if (answerer.answers() == 0 && is_filtered(request)) {
    console.say("note: no trip passes the filters; tsmini info {} shows where and when they are",
                shell_word(a.collection));
  }
}

void add_mode_options(CLI::App& verb, SearchArguments& a) {
  add_choice(verb, "--mode", a.mode, search_mode_names, "What an answer promises (default exact)");
  verb.add_option("--recall", a.recall,
                  "rerank: share of the true nearest to be found, above 0 and at most 1 "
                  "(default 0.99)")
      ->option_text("SHARE");
  verb.add_option("--model", a.model,
                  "By name: this model (default: the first of the measure that fits)")
      ->option_text("NAME");
  verb.add_option("--candidates", a.candidates,
                  "How many come first by embedding (default: what --recall takes; exact: none)")
      ->check(between(1, 10'000'000))
      ->option_text("N");
}

void add_filter_options(CLI::App& verb, SearchArguments& a) {
  constexpr const char* group = "Which trips may be answers";
  verb.add_option("--bbox", a.bbox, "Only trips that lie inside")
      ->option_text("MINLON,MINLAT,MAXLON,MAXLAT")
      ->group(group);
  add_where(verb, a.where)->group(group);
  verb.add_option(
          "--from", a.from,
          "Only trips that begin then or later: 2025-01-31, 2025-01-31T08:00:00Z, unix seconds")
      ->option_text("TIME")
      ->group(group);
  verb.add_option("--to", a.to, "Only trips that end then or earlier; a day means its end")
      ->option_text("TIME")
      ->group(group);
  verb.add_option("--only-ids", a.only_ids, "Only trips of a file of ids, one a line; - is stdin")
      ->option_text("FILE")
      ->group(group);
}

void add_answer_options(CLI::App& verb, SearchArguments& a) {
  add_choice(verb, "--format", a.format, answer_style_names,
             "Of the answers (default: a table, or as FILE ends)")
      ->group("Output");
  verb.add_option(
          "-o,--output", a.output,
          "Write the answers there (.csv, .json or .geojson); --json then reports on the work")
      ->option_text("FILE")
      ->group("Output");
  verb.add_option("--map", a.map, "Draw the first query and its answers (.svg, .png or .html)")
      ->option_text("FILE")
      ->group("Output");
}

}  // namespace

void add_search(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<SearchArguments>();
  CLI::App* verb = app.add_subcommand("search", "Find the nearest trips in a collection");
  verb->footer(
      "exact: the true nearest, proven. rerank: of the true nearest the share that --recall asks "
      "for,\n"
      "in the order of their exact distances. fast: by embedding; distances are estimates, shown "
      "as ≈.\n"
      "The last two need a model of the measure; a query that it cannot take is answered by "
      "exact.\n"
      "Among trips that filters leave, rerank promises nothing.\n"
      "--epsilon, --gap and --band are those of the first model of the measure where they are not\n"
      "given. Trips are picked from the queries; --bbox and --where speak of the answers.\n"
      "Examples:\n"
      "  tsmini search city queries.tsd -k 10\n"
      "  tsmini search city --id trip-0000001 --skip-self --map nearest.svg\n"
      "  tsmini search city queries.tsd --measure edr --epsilon 100 --within 0.2\n"
      "  tsmini search city queries.tsd --mode fast --from 2025-01-01 --to 2025-02-01 -o "
      "out.json");
  verb->add_option("COLLECTION", a->collection, "The folder that 'tsmini index' made")
      ->required()
      ->option_text("COLLECTION");
  verb->add_option("QUERIES", a->queries,
                   "What to look for: a data set (.tsd) or a collection; without it, trips of "
                   "COLLECTION that --id names")
      ->option_text("[QUERIES]");
  add_neighbour_options(*verb, a->wanted);
  add_mode_options(*verb, *a);
  add_measure_name(*verb, a->measure,
                   "Any that 'tsmini knn' has (default: that of the first model, else frechet)");
  add_space_name(
      *verb, a->settings.space,
      "Of the distances (default: the collection's; another is fitted to its trips and takes "
      "a scan)");
  add_measure_settings(*verb, a->settings);

  add_pick_options(
      *verb, a->picking,
      {.limit = "Only the first so many queries", .has_bbox = false, .has_where = false});
  add_filter_options(*verb, *a);
  add_answer_options(*verb, *a);
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
