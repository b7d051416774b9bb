#include "tsmini/export.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "tsmini/dataset.h"

#include "base/amounts.h"
#include "base/enum_names.h"
#include "common/console.h"
#include "common/laps.h"
#include "common/outputs.h"
#include "common/pick_options.h"
#include "common/trip_table.h"
#include "open_trips.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

struct ExportArguments {
  std::string input, output, format;
  PickOptions picking;
};

// How many trips and points.
std::pair<std::size_t, std::uint64_t> write(const ExportArguments& a, const Picking& picking,
                                            const Console& console) {
  if (a.format.empty() && a.output.ends_with(".tsd")) {
    const Trips trips = open_trips(a.input, console);
    const TripTable table{trips.data, picked(trips, picking), {}};
    table.write(a.output,
                {{"verb", "export"},
                 {"data", a.input},
                 {"picked", picking_text(picking)},
                 {"trajectories", table.size()}},
                console);
    std::uint64_t points = 0;
    for (std::size_t row = 0; row < table.size(); ++row) points += table.trip(row).size();
    return {table.size(), points};
  }
  const ExportFormat format =
      a.format.empty() ? export_format_of(a.output) : export_format_from(a.format);
  const Dataset data = picked_data(open_trips(a.input, console), picking);
  export_dataset(data, a.output, format, console.progress("exporting", Unit::trips));
  return {data.size(), data.point_count()};
}

void run(const ExportArguments& a, const CommonOptions& common) {
  const Laps laps;
  const Console console(common.quiet);
  check_outputs({a.input, a.picking.ids_from}, {a.output});
  const auto [trips, points] = write(a, picking_of(a.picking), console);
  if (a.output != "-") {
    console.say("{}, {} in {} -> {}", counted(trips, "trajectory"), counted(points, "point"),
                laps.text(), a.output);
  }
}

}  // namespace

void add_export(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<ExportArguments>();
  CLI::App* verb =
      app.add_subcommand("export", "Write trips of a data set or collection for other programs");
  verb->footer(
      "Examples:\n"
      "  tsmini export city.tsd -o city.geojson\n"
      "  tsmini export city.tsd --part test --bbox=-8.66,41.13,-8.56,41.18 -o centre.geojson\n"
      "  tsmini export city.tsd --where taxi=17 -o taxi17.tsd\n"
      "  tsmini export city.tsd --format tsv -o - | head");
  verb->add_option("DATA", a->input, "A data set (.tsd), or a collection")
      ->required()
      ->option_text("DATA");
  verb->add_option("-o,--output", a->output,
                   "The file to write; '-' is standard output; .gz compresses")
      ->required()
      ->option_text("FILE");
  verb->add_option(
          "--format", a->format,
          listed(export_format_names, "or") + "; by default as FILE ends; .tsd is a data set")
      ->option_text("NAME");
  add_pick_options(*verb, a->picking);
  add_common(*verb, common, Reports::no);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
