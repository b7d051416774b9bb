#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"
#include "tsmini/matrix.h"
#include "tsmini/measure.h"
#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"
#include "tsmini/train.h"

#include "base/amounts.h"
#include "base/enum_names.h"
#include "base/text.h"
#include "base/utf8.h"
#include "common/console.h"
#include "common/distance_text.h"
#include "common/document.h"
#include "common/laps.h"
#include "common/measure_options.h"
#include "common/option_checks.h"
#include "common/outputs.h"
#include "common/pick_options.h"
#include "common/values.h"
#include "gpu.h"
#include "open_trips.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

using Json = nlohmann::ordered_json;

enum class MatrixDevice { cpu, cuda, automatic };
constexpr std::array<std::string_view, 3> matrix_device_names{
    name_in(device_names, Device::cpu), name_in(device_names, Device::cuda), "auto"};

struct DistanceArguments {
  std::string rows, columns, output, pair;
  Precision precision = Precision::single_precision;
  MatrixDevice device = MatrixDevice::cpu;
  MeasureOptions measure;
  PickOptions picking;
  bool condensed = false, restart = false, path = false;
};

struct Pair {
  std::string first, second;
};

Pair pair_from(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) {
    throw Error(ErrorCode::usage, fmt::format("--pair: '{}' is not ID1,ID2", printable(text)),
                "for example --pair trip-1,trip-2");
  }
  return {text.substr(0, comma), text.substr(comma + 1)};
}

struct Sets {
  MeasuredSet rows;
  std::optional<MeasuredSet> columns;
};

Sets sets_of(const DistanceArguments& a, MeasureSetup& setup, const Console& console) {
  const Picking picking = picking_of(a.picking);
  Sets sets{setup.load(open_trips(a.rows, console), picking, console), {}};
  if (!a.columns.empty()) {
    sets.columns = setup.load(open_trips(a.columns, console), of_both(picking), console);
  }
  return sets;
}

std::vector<std::string> ids_of(const MeasuredSet& set) {
  std::vector<std::string> ids;
  ids.reserve(set.size());
  for (std::size_t i = 0; i < set.size(); ++i) ids.emplace_back(set.id(i));
  return ids;
}

double gap_between(const Planar& a, const Planar& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

void print_pair(const DistanceArguments& a, const CommonOptions& common) {
  const Console console(common.quiet);
  const auto [first, second] = pair_from(a.pair);
  MeasureSetup setup(a.measure);
  if (a.path && setup.measure() != Measure::dtw && setup.measure() != Measure::frechet) {
    throw Error(ErrorCode::usage,
                fmt::format("the measure '{}' has no --path", name_of(setup.measure())),
                "dtw and frechet do");
  }
  const auto [from, others] = sets_of(a, setup, console);
  const MeasuredSet& to = others ? *others : from;
  const auto p = from.points[from.find(first)], q = to.points[to.find(second)];
  const Heartbeat heartbeat(console.progress("measuring", Unit::trips), 1);
  const Alignment alignment =
      a.path ? align(setup.measure(), p, q, setup.settings(), heartbeat)
             : Alignment{distance(setup.measure(), p, q, setup.settings(), heartbeat), {}};
  if (common.json) {
    Json json = {{"measure", name_of(setup.measure())},
                 {"space", Json::parse(setup.space().to_json())},
                 {"unit", unit_json(setup.measure(), setup.space().kind())},
                 {"ids", {first, second}},
                 {"distance", alignment.distance}};
    if (a.path) json["path"] = alignment.steps;
    print_document(json);
    return;
  }
  if (!a.path) return fmt::print("{}\n", alignment.distance);
  const std::string_view of_points = unit_of(Measure::frechet, setup.space().kind());
  fmt::print("{:>6} {:>6}  {}\n", "i", "j", distance_heading(of_points));
  for (const auto& step : alignment.steps) {
    fmt::print("{:>6} {:>6}  {:.6g}\n", step.first, step.second,
               gap_between(p[step.first], q[step.second]));
  }
  const std::string_view unit = unit_of(setup.measure(), setup.space().kind());
  fmt::print("{} {}{}{}\n", name_of(setup.measure()), alignment.distance, unit.empty() ? "" : " ",
             unit);
}

Json as_json(const MatrixSummary& summary, const DistanceArguments& a, const MeasureSetup& setup,
             bool on_gpu, double seconds) {
  return {{"output", a.output},
          {"measure", name_of(setup.measure())},
          {"space", Json::parse(setup.space().to_json())},
          {"unit", unit_json(setup.measure(), setup.space().kind())},
          {"precision", name_in(precision_names, a.precision)},
          {"device", on_gpu ? gpu_name() : "cpu"},
          {"rows", summary.rows},
          {"columns", summary.columns},
          {"condensed", a.condensed},
          {"rows_before", summary.rows_before},
          {"pairs", summary.pairs},
          {"pairs_per_second", per_second(static_cast<double>(summary.pairs), summary.seconds)},
          {"lane_waste", summary.lane_waste},
          {"simd", simd_target()},
          {"seconds", seconds},
          {"measure_seconds", summary.seconds}};
}

void write(const DistanceArguments& a, const CommonOptions& common) {
  Laps laps;
  const Console console(common.quiet);
  MeasureSetup setup(a.measure);
  if (a.condensed && !a.columns.empty()) {
    throw Error(ErrorCode::usage, "--condensed is for all pairs of one data set, not for A times B",
                "leave out one of them");
  }
  check_outputs({a.rows, a.columns, a.picking.ids_from},
                {a.output, a.output + ".json", a.output + ".part", a.output + ".part.json"});
  require_npy_name(a.output);
  const auto [rows, columns] = sets_of(a, setup, console);
  MatrixOptions options;
  options.measure = setup.measure();
  options.settings = setup.settings();
  options.precision = a.precision;
  options.condensed = a.condensed;
  options.space = setup.space();
  options.restart = a.restart;
  options.ids = ids_of(rows);
  if (columns) options.column_ids = ids_of(*columns);
  const bool on_gpu = a.device == MatrixDevice::cuda || (a.device == MatrixDevice::automatic &&
                                                         fits_gpu(options) && !gpu_name().empty());
  const PlanarSet* others = columns ? &columns->points : nullptr;
  laps.end("opening");
  const MatrixSummary summary =
      on_gpu ? write_matrix_on_gpu(rows.points, others, a.output, options)
             : write_matrix(rows.points, others, a.output, options,
                            console.progress("measuring pairs", Unit::trips));
  laps.end("measuring");
  if (common.json) {
    return print_document(as_json(summary, a, setup, on_gpu, laps.seconds()));
  }
  if (summary.rows_before > 0) {
    console.say("went on after {} of {}", with_thousands(summary.rows_before),
                counted(summary.rows, "row"));
  }
  const double rate = per_second(static_cast<double>(summary.pairs), summary.seconds);
  const std::string how = on_gpu ? gpu_name()
                                 : fmt::format("{}, {} of the lanes idle", simd_target(),
                                               human_share(summary.lane_waste));
  console.say("{} in {}; {} pairs/s; {} -> {}",
              counted(summary.pairs, fmt::format("{} pair", name_of(setup.measure()))), laps.text(),
              human_number(rate), how, a.output);
}

}  // namespace

void add_distance(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<DistanceArguments>();
  CLI::App* verb =
      app.add_subcommand("distance", "Measure exactly: all pairs, A times B, or one pair");
  verb->footer(
      "The matrix is a NumPy file; FILE.json beside it says what it holds, with the ids of rows\n"
      "(ids) and of columns (column_ids, with B). Stopped or killed, the same command goes on "
      "where\n"
      "it was. Trips are picked from A; --part speaks of both.\n"
      "Examples:\n"
      "  tsmini distance city.tsd --measure dtw -o dtw.npy\n"
      "  tsmini distance queries.tsd city.tsd --measure edr --epsilon 50 -o edr.npy\n"
      "  tsmini distance city.tsd --measure dtw --pair trip-1,trip-2 --path");
  verb->add_option("A", a->rows, "A data set (.tsd) or a collection: the rows; fixes the space")
      ->required()
      ->option_text("A");
  verb->add_option("B", a->columns, "Another: the columns; without it all pairs of A")
      ->option_text("[B]");
  CLI::Option* output =
      verb->add_option("-o,--output", a->output, "The matrix to write (.npy)")->option_text("FILE");
  add_choice(*verb, "--precision", a->precision, precision_names,
             "single (default) or double, of a matrix");
  CLI::Option* device = add_choice(
      *verb, "--device", a->device, matrix_device_names,
      "Of a matrix: cpu (default), cuda (dtw, frechet, hausdorff, edwp; single precision), auto");
  verb->add_flag("--condensed", a->condensed, "Only the pairs i < j, in one dimension");
  verb->add_flag("--restart", a->restart, "Begin again where another request left a part");
  CLI::Option* pair = verb->add_option("--pair", a->pair,
                                       "Print the distance of two trajectories, in double "
                                       "precision: one of A, one of B (or A)")
                          ->option_text("ID1,ID2")
                          ->excludes(output)
                          ->excludes(device);
  verb->add_flag("--path", a->path, "With --pair, for dtw and frechet: print the alignment too")
      ->needs(pair);
  add_measure_options(*verb, a->measure);
  add_pick_options(*verb, a->picking);
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] {
    if (!a->pair.empty()) return print_pair(*a, common);
    if (a->output.empty()) throw CLI::RequiredError("--output (or --pair)");
    write(*a, common);
  });
}

}  // namespace tsmini::cli
