#include "tsmini/find.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"

#include "base/amounts.h"
#include "base/text.h"
#include "base/utf8.h"
#include "common/assumptions.h"
#include "common/console.h"
#include "common/distance_text.h"
#include "common/laps.h"
#include "common/measure_options.h"
#include "common/option_checks.h"
#include "common/outputs.h"
#include "common/pick_options.h"
#include "common/trip_table.h"
#include "common/values.h"
#include "drawing.h"
#include "finding.h"
#include "found_pieces.h"
#include "open_trips.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

struct FindArguments {
  std::string part, data, output, map, piece, points;
  std::optional<std::size_t> k, per_trip;
  std::optional<double> within, min_length, max_length;
  bool skip_self = false;
  MeasureOptions measure;
  PickOptions picking;
};

Piece piece_of(const FindArguments& a, MeasureSetup& setup, const Console& console) {
  const Trips trips = open_trips(a.part, console);
  if (a.piece.empty() && trips.data.size() > 1) {
    throw Error(ErrorCode::usage,
                fmt::format("{} has {}: which of them is the piece?", a.part,
                            counted(trips.data.size(), "trip")),
                "name it with --piece ID");
  }
  Picking picking{.ids = {}, .limit = 1};
  if (!a.piece.empty()) picking.ids.push_back(a.piece);
  MeasuredSet set = setup.load(trips, picking, console);
  const std::size_t points = set.points.length(0);
  const auto [first, last] =
      a.points.empty() ? std::pair(std::size_t{0}, points - 1) : point_range_from(a.points);
  if (last >= points) {
    throw Error(ErrorCode::usage,
                fmt::format("--points {}: '{}' has the points 0 to {}", printable(a.points),
                            printable(set.id(0)), points - 1));
  }
  return {std::move(set), first, last};
}

double length_of(std::span<const Planar> points) {
  double length = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    length += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
  }
  return length;
}

// `usual_length`: the least of a match where none is asked for.
FindOptions options_of(const FindArguments& a, const MeasuredSet& trips, std::string_view own_id,
                       double usual_length) {
  FindOptions options;
  options.k = a.k.value_or(options.k);
  options.within = a.within.value_or(options.within);
  options.max_length = a.max_length.value_or(options.max_length);
  options.min_length = a.min_length.value_or(std::min(usual_length, options.max_length));
  options.per_trip = a.per_trip.value_or(options.per_trip);
  // All within a distance, unless so many are asked for.
  if (a.within && !a.k) options.k = FindOptions::unlimited;
  if (a.skip_self)
    options.allowed = [&trips, own_id](std::size_t i) { return trips.id(i) != own_id; };
  return options;
}

Json facts_of(const FindArguments& a, const MeasuredSet& trips, const Piece& piece,
              const FindOptions& options, const MeasureSetup& setup) {
  const SpaceKind space = setup.space().kind();
  Json facts = {{"verb", "find"},
                {"part", a.part},
                {"piece", piece.trip().id},
                {"piece_first", piece.first},
                {"piece_last", piece.last},
                {"data", a.data},
                {"trajectories", trips.size()},
                {"measure", name_of(setup.measure())},
                {"space", Json::parse(setup.space().to_json())},
                {"unit", unit_json(setup.measure(), space)}};
  if (options.k != FindOptions::unlimited) facts["k"] = options.k;
  if (a.within) facts["within"] = *a.within;
  facts["min_length"] = options.min_length;
  if (a.max_length) facts["max_length"] = *a.max_length;
  return facts;
}

void check(const FindArguments& a, const MeasureSetup& setup) {
  if (setup.measure() != Measure::dtw && setup.measure() != Measure::frechet) {
    throw Error(ErrorCode::usage,
                fmt::format("pieces cannot be found by the measure '{}'", name_of(setup.measure())),
                "choose dtw or frechet");
  }
  if (a.min_length && a.max_length && *a.min_length > *a.max_length) {
    throw Error(ErrorCode::usage, fmt::format("--min-length {} is above --max-length {}",
                                              *a.min_length, *a.max_length));
  }
  check_table_name(a.output);
  if (!a.map.empty()) check_map_name(a.map);
  check_outputs({a.part, a.data, a.picking.ids_from}, {a.output, a.map});
}

void run(const CLI::App& verb, const FindArguments& a, const CommonOptions& common) {
  Laps laps;
  const Console console(common.quiet);
  MeasureSetup setup(a.measure);
  check(a, setup);
  const MeasuredSet trips = setup.load(open_trips(a.data, console), picking_of(a.picking), console);
  const Piece piece = piece_of(a, setup, console);
  // A single point is a stretch, too, and often the nearest of what is left: nobody wants it.
  const double half = length_of(piece.points()) / 2;
  const FindOptions options = options_of(a, trips, piece.set.id(0), half);
  Assumptions assumed(console);
  if (verb.count("--measure") == 0)
    assumed.add(fmt::format("measure {}", name_of(setup.measure())));
  if (!a.k && !a.within) assumed.add(fmt::format("{} (-k, --within)", counted(options.k, "match")));
  if (!a.min_length && options.min_length > 0) {
    assumed.add(fmt::format(
        "matches of at least {}, half the piece (--min-length)",
        distance_text(options.min_length, unit_of(Measure::frechet, setup.space().kind()), false)));
  }
  laps.end("opening");
  FindWork work;
  const Heartbeat heartbeat(console.progress("looking", Unit::trips), trips.size());
  const PieceMatches matches =
      PieceFinder(trips.points).find(setup.measure(), piece.points(), options, &work, heartbeat);
  laps.end("looking");
  const TripTable rows = rows_of(trips, piece, matches);
  Json facts = facts_of(a, trips, piece, options, setup);
  facts["assumed"] = assumed.all();
  facts["matches"] = matches.size();
  facts["work"] = {{"trips", work.trips}, {"single", work.single}, {"double", work.doubled}};
  if (!a.map.empty()) draw_found(a.map, trips, piece, rows, matches, setup, console);
  const SpaceKind space = setup.space().kind();
  write_found(
      rows, std::move(facts),
      table_of(rows, matches, unit_of(setup.measure(), space), unit_of(Measure::frechet, space)),
      a.output, common.json, laps, console);
  console.say("{} among {} in {}; {} compared point by point{}", counted(matches.size(), "match"),
              counted(trips.size(), "trip"), laps.text(), with_thousands(work.single),
              a.output.empty() ? "" : " -> " + a.output);
}

}  // namespace

void add_find(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<FindArguments>();
  CLI::App* verb = app.add_subcommand("find", "Find where in which trips a piece of a trip is");
  verb->footer(
      "The piece is the one trip of PART, or the one that --piece names, or some points of it. A\n"
      "match is a stretch of a trip of DATA, told by its first and last point (counted from 0); "
      "its\n"
      "distance is that of the piece to this stretch alone. The best match comes first, then the\n"
      "best that shares no point with it, and so on: exact, whatever the length of the trips.\n"
      "Trips are picked from DATA, which fixes the space; lengths are along the path.\n"
      "-o writes the matched pieces: .csv, .json, .geojson (with the piece that was looked for), "
      "or\n"
      "a data set (.tsd). An attribute of the trips that is called as one of its columns is "
      "own_NAME\n"
      "there. --map draws the thousand nearest, and their trips thin in the same colours.\n"
      "Examples:\n"
      "  tsmini find bridge.tsd city.tsd -k 20\n"
      "  tsmini find city.tsd city.tsd --piece trip-7 --points 10,40 --skip-self --map found.html\n"
      "  tsmini find bridge.tsd city --measure dtw --within 500 --max-length 3000 -o over.geojson");
  verb->add_option("PART", a->part, "Where the piece is: a data set (.tsd) or a collection")
      ->required()
      ->option_text("PART");
  verb->add_option("DATA", a->data, "Where to look: a data set or a collection")
      ->required()
      ->option_text("DATA");
  verb->add_option("--piece", a->piece, "The trip of PART (default: the only one)")
      ->option_text("ID");
  verb->add_option("--points", a->points, "Of this trip only the points FIRST to LAST, from 0")
      ->option_text("FIRST,LAST");
  verb->add_option("-k", a->k, "How many matches (default 10; with --within all)")
      ->check(between(1, 1'000'000'000))
      ->option_text("N");
  verb->add_option("--within", a->within,
                   "Only matches within this distance, in the unit of the measure")
      ->check(at_least(0))
      ->option_text("DISTANCE");
  verb->add_option("--min-length", a->min_length,
                   "Only matches at least so long (default: half the piece)")
      ->check(at_least(0))
      ->option_text("LENGTH");
  verb->add_option("--max-length", a->max_length, "Only matches at most so long")
      ->check(at_least(0))
      ->option_text("LENGTH");
  verb->add_option("--per-trip", a->per_trip, "At most so many matches of one trip (default: any)")
      ->check(between(1, 1'000'000'000))
      ->option_text("N");
  verb->add_flag("--skip-self", a->skip_self, "Leave out what has the id of the piece");
  verb->add_option("-o,--output", a->output,
                   "Write the matched pieces there (.csv, .json, .geojson or .tsd)")
      ->option_text("FILE")
      ->group("Output");
  verb->add_option("--map", a->map, "Draw the piece and its matches (.svg, .png or .html)")
      ->option_text("FILE")
      ->group("Output");
  add_measure_name(*verb, a->measure.measure, "frechet (default) or dtw");
  add_space_name(*verb, a->measure.space);
  add_pick_options(*verb, a->picking);
  add_common(*verb, common, Reports::yes);
  verb->callback([verb, a, &common] { run(*verb, *a, common); });
}

}  // namespace tsmini::cli
