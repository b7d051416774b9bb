#include "tsmini/export.h"

#include <string>

#include <fmt/format.h>

#include "tsmini/dataset.h"

#include "base/amounts.h"
#include "common/console.h"
#include "common/outputs.h"
#include "common/pick_options.h"
#include "common/stopwatch.h"
#include "open_trips.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

struct ExportArguments {
  std::string input, output, format;
  PickOptions picking;
};

void run(const ExportArguments& a, const CommonOptions& common) {
  const Stopwatch watch;
  const Console console(common.quiet);
  const ExportFormat format =
      a.format.empty() ? export_format_of(a.output) : export_format_from(a.format);
  const Picking picking = picking_of(a.picking);
  check_outputs({a.input, a.picking.ids_from}, {a.output});
  const Dataset data = picked_data(open_trips(a.input, console), picking);
  export_dataset(data, a.output, format, console.progress("exporting", Unit::trips));
  if (a.output != "-") {
    console.say("{}, {} in {} -> {}", counted(data.size(), "trajectory"),
                counted(data.point_count(), "point"), watch.text(), a.output);
  }
}

}  // namespace

void add_export(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<ExportArguments>();
  CLI::App* verb =
      app.add_subcommand("export", "Write a data set or a collection as tsv, csv or geojson");
  verb->footer(
      "Examples:\n"
      "  tsmini export city.tsd -o city.geojson\n"
      "  tsmini export city.tsd --part test --bbox=-8.66,41.13,-8.56,41.18 -o centre.geojson\n"
      "  tsmini export city.tsd --where taxi=17 --where 'day>=2014-07-01' -o taxi17.csv\n"
      "  tsmini export city.tsd --format tsv -o - | head");
  verb->add_option("DATA", a->input, "A data set (.tsd), or a collection")
      ->required()
      ->option_text("DATA");
  verb->add_option("-o,--output", a->output,
                   "The file to write; '-' is standard output; .gz compresses")
      ->required()
      ->option_text("FILE");
  verb->add_option("--format", a->format, "tsv, csv or geojson; by default as FILE ends")
      ->option_text("NAME");
  add_pick_options(*verb, a->picking);
  add_common(*verb, common, Reports::no);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
