#include "tsmini/map.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"

#include "base/amounts.h"
#include "common/console.h"
#include "common/document.h"
#include "common/laps.h"
#include "common/option_checks.h"
#include "common/outputs.h"
#include "common/pick_options.h"
#include "common/shell_word.h"
#include "common/values.h"
#include "drawing.h"
#include "filling.h"
#include "map_subject.h"
#include "open_trips.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

struct MapArguments {
  std::string data, output, title, bbox, by;
  std::optional<MapStyle> style;
  std::vector<std::string> highlights;
  std::size_t top = 10;
  int width = 1200;
  PickOptions picking;
};

// Adds these trips on top of everything, each from a ring to a dot.
void add_highlights(Map& map, const Trips& trips, const std::vector<std::string>& ids) {
  if (ids.empty()) return;
  for (const std::size_t i : picked(trips, {.ids = ids})) {
    map.lines.push_back({.trip = trips.data[i], .width = 4, .ends = true});
  }
}

// The trips under the lines, and the lines they belong to.
void set_ground(Map& map, const Trips& trips, const std::vector<std::size_t>& indices,
                const MapSubject& subject) {
  map.ground = ground_of(trips.data, indices);
  if (subject.line_of_trip.empty()) return;
  for (const std::size_t i : indices) map.line_of_trip.push_back(subject.line_of_trip[i]);
  const bool has_others = std::find(map.line_of_trip.begin(), map.line_of_trip.end(),
                                    Map::no_line) != map.line_of_trip.end();
  map.subtitle = fmt::format("{} · {}{}", counted(indices.size(), "trip"), subject.what,
                             has_others ? " · others grey" : "");
}

[[noreturn]] void refuse_empty_box(const Trips& trips, const Box& box, std::size_t count) {
  throw Error(ErrorCode::bad_input,
              fmt::format("{}: {} --bbox={},{},{},{}", trips.file,
                          count == 1 ? "the only trajectory does not touch"
                                     : fmt::format("none of {} trajectories touches",
                                                   with_thousands(count)),
                          box.min_lon, box.min_lat, box.max_lon, box.max_lat),
              fmt::format("tsmini info {} shows where they are", shell_word(trips.file)));
}

Map map_of(const MapArguments& a, const Trips& trips, const Console& console) {
  const std::vector<std::size_t> indices = picked(trips, picking_of(a.picking));
  Map map;
  map.title = a.title.empty() ? std::filesystem::path(a.data).filename().string() : a.title;
  map.coordinates = trips.data.info().coordinates;
  map.width = a.width;
  map.style = a.style;
  const MapSubject subject = subject_of(trips, indices, a.by, a.top);
  if (!subject.what.empty()) console.say("shows {}", subject.what);
  map.lines = subject.lines;
  add_highlights(map, trips, a.highlights);
  if (!a.bbox.empty()) map.shown = box_from(a.bbox);
  const std::vector<std::size_t> ground =
      map.shown ? touching(trips.data, indices, *map.shown) : indices;
  if (ground.empty() && map.shown && !indices.empty() && a.highlights.empty()) {
    refuse_empty_box(trips, *map.shown, indices.size());
  }
  set_ground(map, trips, ground, subject);
  return map;
}

void run(const MapArguments& a, const CommonOptions& common) {
  const Laps laps;
  const Console console(common.quiet);
  check_map_name(a.output);
  check_outputs({a.data, a.picking.ids_from}, {a.output});
  const Trips trips = open_answers(a.data, console);
  const Map map = map_of(a, trips, console);
  const MapSummary summary = draw_to(a.output, map, console);
  console.say("{}, {} in {}", counted(map.ground.size(), "trip"),
              counted(map.ground.point_count(), "point"), laps.text());
  if (!common.json) return;
  const Box& shown = summary.shown;
  print_document({{"output", a.output},
                  {"data", a.data},
                  {"trajectories", map.ground.size()},
                  {"lines", map.lines.size()},
                  {"shown", {shown.min_lon, shown.min_lat, shown.max_lon, shown.max_lat}},
                  {"points", summary.points},
                  {"points_outside", summary.points_outside},
                  {"seconds", laps.seconds()}});
}

}  // namespace

void add_map(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<MapArguments>();
  CLI::App* verb =
      app.add_subcommand("map", "Draw trips, answers or groups as a picture or a page");
  verb->footer(
      "DATA is a data set, a collection, or what another verb wrote as .geojson or .tsd: answers "
      "of\n"
      "search, knn, join and find, clusters, duplicates, outliers. Whatever it is, all of its "
      "trips\n"
      "are the ground, brighter where more go. Trips of the largest groups have the colour of "
      "their\n"
      "group, others are grey. On top are the first query and its answers, of each group its "
      "medoid\n"
      "or the one that is kept, where that is marked, with a width by the size of the group, the "
      "odd\n"
      "trips beside their nearest, and what --highlight names. The kind of picture follows from "
      "the\n"
      "name: .svg, .png, or .html, one file that pans and zooms offline.\n"
      "All of it is in view; --bbox shows a part, with the trips that touch it (elsewhere, with "
      "all\n"
      "verbs, it picks what lies inside).\n"
      "Examples:\n"
      "  tsmini map city.tsd -o city.html\n"
      "  tsmini map city.tsd --bbox=-8.66,41.13,-8.56,41.18 --highlight trip-7 -o centre.png\n"
      "  tsmini map city.tsd --by taxi --top 5 -o taxis.svg\n"
      "  tsmini cluster city.tsd -o clusters.geojson && tsmini map clusters.geojson -o "
      "clusters.html");
  verb->add_option("DATA", a->data, "A data set (.tsd), a collection, or an answer (.geojson)")
      ->required()
      ->option_text("DATA");
  verb->add_option("-o,--output", a->output, "The map to draw (.svg, .png or .html)")
      ->required()
      ->option_text("FILE");
  verb->add_option("--bbox", a->bbox, "Show this part, with the trips that touch it")
      ->option_text("MINLON,MINLAT,MAXLON,MAXLAT");
  verb->add_option("--highlight", a->highlights, "A trip to draw on top; again for more")
      ->type_size(1)
      ->allow_extra_args(false)
      ->option_text("ID");
  verb->add_option(
          "--by", a->by,
          "The attribute that groups trips (default: cluster or group, where there is one)")
      ->option_text("COLUMN");
  verb->add_option("--top", a->top, "How many groups, answers or odd trips (default 10)")
      ->check(between(1, 1000))
      ->option_text("N");
  verb->add_option("--title", a->title, "Of the map (default: the name of DATA)")
      ->option_text("TEXT");
  add_choice(*verb, "--style", a->style, map_style_names,
             "night (default without lines) or day (default with them)");
  verb->add_option("--width", a->width, "In pixels (default 1200)")
      ->check(between(480, 4096))
      ->option_text("PIXELS");
  add_pick_options(*verb, a->picking, {.has_bbox = false});
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
