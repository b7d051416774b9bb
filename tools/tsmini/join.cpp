#include "tsmini/join.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/map.h"
#include "tsmini/map_lines.h"

#include "base/amounts.h"
#include "common/answers.h"
#include "common/assumptions.h"
#include "common/console.h"
#include "common/distance_text.h"
#include "common/laps.h"
#include "common/measure_options.h"
#include "common/option_checks.h"
#include "common/outputs.h"
#include "common/own_ids.h"
#include "common/pick_options.h"
#include "drawing.h"
#include "open_trips.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

struct JoinArguments {
  std::string a, b, output = "-", map;
  std::optional<std::size_t> k;
  std::optional<double> within;
  std::size_t top = 10;
  bool skip_self = false;
  MeasureOptions measure;
  PickOptions picking;
};

struct NearPair {
  std::size_t a = 0, b = 0;
  double distance = 0;
};

// The nearest pairs of all, of which only so many are kept.
class NearestPairs {
 public:
  explicit NearestPairs(std::size_t most) : most_(most) {}

  void add(const NearPair& pair) {
    if (most_ == 0 || (pairs_.size() == most_ && pair.distance >= pairs_.back().distance)) return;
    const auto place = std::upper_bound(
        pairs_.begin(), pairs_.end(), pair,
        [](const NearPair& x, const NearPair& y) { return x.distance < y.distance; });
    pairs_.insert(place, pair);
    if (pairs_.size() > most_) pairs_.pop_back();
  }
  const std::vector<NearPair>& pairs() const { return pairs_; }

 private:
  std::size_t most_;
  std::vector<NearPair> pairs_;
};

Trajectory trip_of(const MeasuredSet& set, std::size_t index) {
  return set.data[set.indices[index]];
}

class Join {
 public:
  Join(const JoinArguments& arguments, const CommonOptions& common)
      : arguments_(arguments),
        console_(common.quiet),
        setup_(arguments.measure),
        picking_(picking_of(arguments.picking)),
        b_(setup_.load(open_trips(arguments.b, console_), of_both(picking_), console_)),
        a_(setup_.load(open_trips(arguments.a, console_), picking_, console_)),
        allowed_(arguments.skip_self ? other_ids(a_, b_) : JoinRule()),
        nearest_(arguments.map.empty() ? 0 : arguments.top) {}

  std::size_t size() const { return a_.size(); }
  std::uint64_t pairs() const { return pairs_; }
  const Console& console() const { return console_; }

  Json facts() const {
    Json json = {{"a", arguments_.a},
                 {"b", arguments_.b},
                 {"measure", name_of(setup_.measure())},
                 {"space", Json::parse(setup_.space().to_json())},
                 {"unit", unit_json(setup_.measure(), setup_.space().kind())}};
    if (arguments_.within) {
      json["within"] = *arguments_.within;
    } else {
      json["k"] = arguments_.k.value_or(1);
    }
    return json;
  }

  AnswerWriter writer(AnswerStyle style) const {
    const std::size_t width = id_width(a_.size(), [&](std::size_t i) { return a_.id(i); });
    return {style, arguments_.output, {width, unit()}};
  }

  SearchWork run(AnswerWriter& writer) {
    const JoinSink sink = [&](std::size_t trip, std::span<const Neighbour> neighbours) {
      AnsweredQuery answered{trip_of(a_, trip), {}, false};
      for (const Neighbour& n : neighbours) {
        answered.answers.push_back({trip_of(b_, n.index), n.distance});
        nearest_.add({trip, n.index, n.distance});
      }
      pairs_ += answered.answers.size();
      if (!answered.answers.empty()) writer.add(writer.text_of(answered));
    };
    const Progress progress = console_.progress("joining", Unit::trips);
    return arguments_.within
               ? join_within(a_.points, b_.points, setup_.measure(), setup_.settings(),
                             *arguments_.within, sink, allowed_, progress)
               : join_nearest(a_.points, b_.points, setup_.measure(), setup_.settings(),
                              arguments_.k.value_or(1), sink, allowed_, progress);
  }

  // The nearest pairs over the trips of B.
  void draw() const {
    std::vector<OddLine> lines;
    for (const NearPair& pair : nearest_.pairs()) {
      lines.push_back(
          {trip_of(a_, pair.a), trip_of(b_, pair.b), distance_text(pair.distance, unit(), false)});
    }
    Map map;
    map.title = fmt::format("{}, the nearest {}", counted(pairs_, "pair"), lines.size());
    map.subtitle = fmt::format("{} · trips of {} beside those of {}", name_of(setup_.measure()),
                               arguments_.a, arguments_.b);
    map.ground = ground_of(b_.data, b_.indices);
    map.coordinates = b_.data.info().coordinates;
    map.lines = odd_lines(lines);
    draw_to(arguments_.map, map, console_);
  }

 private:
  std::string_view unit() const { return unit_of(setup_.measure(), setup_.space().kind()); }

  const JoinArguments& arguments_;
  Console console_;
  MeasureSetup setup_;
  Picking picking_;
  MeasuredSet b_, a_;
  JoinRule allowed_;
  NearestPairs nearest_;
  std::uint64_t pairs_ = 0;
};

void run(const CLI::App& verb, const JoinArguments& arguments, const CommonOptions& common) {
  Laps laps;
  const AnswerStyle style = answer_style({}, arguments.output, common.json);
  if (!arguments.map.empty()) check_map_name(arguments.map);
  check_outputs({arguments.a, arguments.b, arguments.picking.ids_from},
                {arguments.output, arguments.map});
  Join join(arguments, common);
  Assumptions assumed(join.console());
  Json facts = join.facts();
  if (verb.count("--measure") == 0) {
    assumed.add(fmt::format("measure {}", facts["measure"].get<std::string>()));
  }
  if (!arguments.k && !arguments.within)
    assumed.add("the nearest of B to each of A (-k, --within)");
  facts["assumed"] = assumed.all();
  laps.end("opening");
  AnswerWriter writer = join.writer(style);
  writer.begin(facts);
  const SearchWork work = join.run(writer);
  laps.end("joining");
  const Json figures = {{"pairs", join.pairs()},
                        {"work", {{"single", work.single}, {"double", work.doubled}}},
                        {"seconds", laps.seconds()}};
  writer.end(figures);
  if (!arguments.map.empty()) join.draw();
  if (common.json && arguments.output != "-") {
    print_report(arguments.output, join.size(), facts, figures);
  }
  join.console().say("{} of {} in {}; {} computed", counted(join.pairs(), "pair"),
                     counted(join.size(), "trip"), laps.text(), counted(work.pairs, "distance"));
}

}  // namespace

void add_join(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<JoinArguments>();
  CLI::App* verb = app.add_subcommand("join", "Find all pairs of two data sets that are near");
  verb->footer(
      "For every trip of A its k nearest of B, or all of B within a distance; a trip of A that "
      "has\n"
      "none is left out. Pairs are written as they are found, in the order of A, so that memory\n"
      "does not grow with them: the trip of A is the query, rank and distance are of the one of "
      "B.\n"
      "Trips are picked from A; --part speaks of both. Of a data set with itself every trip finds\n"
      "itself, unless --skip-self is given.\n"
      "Examples:\n"
      "  tsmini join monday.tsd tuesday.tsd --within 50 -o same-way.csv\n"
      "  tsmini join city.tsd city.tsd --within 50 --skip-self -o alike.csv\n"
      "  tsmini join gps.tsd routes.tsd -k 1 --measure dtw --map matched.html");
  verb->add_option("A", a->a, "A data set (.tsd) or a collection")->required()->option_text("A");
  verb->add_option("B", a->b, "Another; fixes the space")->required()->option_text("B");
  CLI::Option* k = verb->add_option("-k", a->k, "How many of B for each of A (default 1)")
                       ->check(between(1, 1'000'000))
                       ->option_text("N");
  verb->add_option("--within", a->within,
                   "All within this distance instead, in the unit of the measure")
      ->check(at_least(0))
      ->excludes(k)
      ->option_text("DISTANCE");
  verb->add_flag("--skip-self", a->skip_self, "Leave out what has the id of the trip of A");
  verb->add_option(
          "-o,--output", a->output,
          "Write the pairs there (.csv, .json or .geojson); --json then reports on the work")
      ->option_text("FILE")
      ->group("Output");
  verb->add_option("--map", a->map, "Draw the nearest pairs (.svg, .png or .html)")
      ->option_text("FILE")
      ->group("Output");
  verb->add_option("--top", a->top, "Pairs of the map (default 10)")
      ->check(between(1, 1000))
      ->option_text("N")
      ->group("Output");
  add_measure_options(*verb, a->measure);
  add_pick_options(*verb, a->picking);
  add_common(*verb, common, Reports::yes);
  verb->callback([verb, a, &common] { run(*verb, *a, common); });
}

}  // namespace tsmini::cli
