#include "finding.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/amounts.h"
#include "common/distance_text.h"
#include "common/document.h"
#include "common/option_checks.h"
#include "common/outputs.h"
#include "common/shown.h"
#include "drawing.h"
#include "filling.h"
#include "open_trips.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

// What can be said without having seen the data.
MeasureSetup checked_setup(const FindingOptions& options) {
  if (!options.map.empty()) check_map_name(options.map);
  check_table_name(options.output);
  check_outputs({options.data, options.picking.ids_from}, {options.output, options.map});
  return MeasureSetup(options.measure);
}

// Points of two trips may lie apart where their lines do not.
std::string measure_text(Measure measure) {
  return fmt::format("measure {}{}", name_of(measure),
                     measure == Measure::frechet
                         ? ", between recorded points (frechet-continuous: between lines)"
                         : "");
}

}  // namespace

void add_finding_options(CLI::App& verb, FindingOptions& options, const std::string& output,
                         const std::string& top) {
  verb.add_option("DATA", options.data, "A data set (.tsd), or a collection")
      ->required()
      ->option_text("DATA");
  verb.add_option("-o,--output", options.output, output)->option_text("FILE")->group("Output");
  verb.add_option("--map", options.map, "Draw it (.svg, .png or .html)")
      ->option_text("FILE")
      ->group("Output");
  verb.add_option("--top", options.top, top)
      ->check(between(1, 1'000'000))
      ->option_text("N")
      ->group("Output");
  add_measure_options(verb, options.measure);
  add_pick_options(verb, options.picking);
}

void write_found(const TripTable& rows, Json facts, const std::string& for_people,
                 const std::string& output, bool json, const Laps& laps, const Console& console) {
  if (!output.empty()) rows.write(output, facts, console);
  facts["seconds"] = laps.seconds();
  if (!json) {
    fmt::print("{}", for_people);
  } else if (output.empty()) {
    rows.write("-", facts, console);
  } else {
    Json report = {{"output", output}};
    report.update(facts);
    print_document(report);
  }
}

Finding::Finding(const CLI::App& verb, const FindingOptions& options, const CommonOptions& common)
    : options_(options),
      common_(common),
      verb_(verb.get_name()),
      console_(common.quiet),
      setup_(checked_setup(options)),
      trips_(
          setup_.load(open_trips(options.data, console_), picking_of(options.picking), console_)),
      search_(trips_.points, setup_.measure(), setup_.settings()),
      unit_(unit_of(setup_.measure(), setup_.space().kind())),
      assumed_(console_) {
  laps_.end("opening");
  if (verb.count("--measure") == 0) assume(measure_text(setup_.measure()));
  if (verb.count("--space") == 0) {
    assume(fmt::format("space {}", name_of(setup_.space().kind())));
  }
}

std::string Finding::id_text(std::size_t index) const {
  return shown(trips_.id(index));
}

std::string Finding::text(double distance) const {
  return distance_text(distance, unit_, false);
}

TripTable Finding::table() const {
  return {trips_.data, trips_.indices, {}};
}

Json Finding::facts() const {
  return {{"verb", verb_},
          {"data", options_.data},
          {"trajectories", trips_.size()},
          {"measure", name_of(setup_.measure())},
          {"space", Json::parse(setup_.space().to_json())},
          {"unit", unit_json(setup_.measure(), setup_.space().kind())},
          {"assumed", assumed_.all()}};
}

void Finding::write(const TripTable& table, const Json& found, const std::string& for_people,
                    const SearchWork& work) {
  Json all = facts();
  all.update(found);
  all["work"] = {{"single", work.single}, {"double", work.doubled}};
  write_found(table, std::move(all), for_people, options_.output, common_.json, laps_, console_);
  console_.say("{} in {}{}{}", counted(trips_.size(), "trip"), laps_.text(),
               work.pairs == 0 ? "" : fmt::format("; {} computed", counted(work.pairs, "distance")),
               options_.output.empty() ? "" : " -> " + options_.output);
}

void Finding::draw(const std::string& title, std::vector<MapLine> lines) const {
  Map map;
  map.title = title;
  map.subtitle = fmt::format("{} · {} · {}", name_of(setup_.measure()),
                             std::filesystem::path(options_.data).filename().string(),
                             counted(trips_.size(), "trip"));
  if (!lines.empty()) map.subtitle += " · the view is of what was found";
  map.ground = ground_of(trips_.data, trips_.indices);
  map.coordinates = trips_.data.info().coordinates;
  map.lines = std::move(lines);
  if (!map.lines.empty()) map.shown = extent_of(map.lines, map.coordinates);
  draw_to(options_.map, map, console_);
}

std::string more_text(std::size_t all, std::size_t shown) {
  return all > shown ? fmt::format("… and {} more\n", with_thousands(all - shown)) : "";
}

}  // namespace tsmini::cli
