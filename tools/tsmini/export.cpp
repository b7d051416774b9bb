#include "tsmini/export.h"

#include <string>

#include <fmt/format.h>

#include "tsmini/dataset.h"

#include "base/amounts.h"
#include "common/console.h"
#include "common/outputs.h"
#include "common/stopwatch.h"
#include "info_collection.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

struct ExportArguments {
  std::string input, output, format;
};

void run(const ExportArguments& a, const CommonOptions& common) {
  const Stopwatch watch;
  const Console console(common.quiet);
  const ExportFormat format =
      a.format.empty() ? export_format_of(a.output) : export_format_from(a.format);
  check_outputs({a.input}, {a.output});
  const Dataset data = open_trips(a.input);
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
      app.add_subcommand("export", "Write a data set or a collection as tsv, csv, geojson, mfjson, gpx or kepler");
  verb->footer(
      "Examples:\n"
      "  tsmini export city.tsd -o city.geojson\n"
      "  tsmini export city.tsd --format tsv -o - | head");
  verb->add_option("DATA", a->input, "A data set (.tsd), or a collection")
      ->required()
      ->option_text("DATA");
  verb->add_option("-o,--output", a->output,
                   "The file to write; '-' is standard output; .gz compresses")
      ->required()
      ->option_text("FILE");
  verb->add_option("--format", a->format, "tsv, csv, geojson, mfjson, gpx or kepler; by default as FILE ends")
      ->option_text("NAME");
  add_common(*verb, common, Reports::no);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
