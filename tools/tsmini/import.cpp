#include "tsmini/import.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/dataset.h"
#include "tsmini/error.h"
#include "tsmini/input_list.h"

#include "base/amounts.h"
#include "base/enum_names.h"
#include "base/utf8.h"
#include "common/console.h"
#include "common/document.h"
#include "common/option_checks.h"
#include "common/option_names.h"
#include "common/outputs.h"
#include "common/shown.h"
#include "common/values.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

struct ImportArguments {
  std::vector<std::string> inputs;
  std::string output;
  std::string format = "auto", split, bbox, cut_stay, max_speed;
  bool split_at_random = false;
  std::vector<std::string> where;
  std::string attributes;
  double min_length = 0;
  std::int64_t thin = 0, cut_gap = 0, min_duration = 0;
  std::size_t cut_length = 0;
  std::uint64_t sample = 0;
  ImportOptions options;
};

std::vector<std::string> attributes_from(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream in(text == "none" ? "" : text);
  for (std::string name; std::getline(in, name, ',');) names.push_back(name);
  return names;
}

void finish_options(const CLI::App& verb, ImportArguments& a) {
  ImportOptions& o = a.options;
  o.read.format = format_from(a.format);
  const auto given = [&](const char* name) { return verb.count(name) > 0; };
  if (given("--bbox")) o.clean.bbox = box_from(a.bbox);
  if (given("--max-speed")) o.clean.max_speed = speed_from(a.max_speed);
  if (given("--thin")) o.clean.thin = a.thin;
  if (given("--min-length")) o.clean.min_length = a.min_length;
  if (given("--min-duration")) o.clean.min_duration = a.min_duration;
  for (const std::string& condition : a.where) o.read.where.push_back(condition_from(condition));
  if (given("--attributes")) o.read.attributes = attributes_from(a.attributes);
  if (given("--cut-gap")) o.cut.gap = a.cut_gap;
  if (given("--cut-stay")) o.cut.stay = stay_from(a.cut_stay);
  if (given("--cut-length")) o.cut.length = a.cut_length;
  if (given("--sample")) o.sample = a.sample;
  if (given("--split")) {
    o.split = split_from(a.split);
    o.split->random = a.split_at_random;
  }
}

// The first of them; --json has all.
std::string names_text(const std::vector<std::string_view>& names) {
  constexpr std::size_t most_named = 20;
  std::vector<std::string> named;
  for (const std::string_view name : names) {
    if (named.size() == most_named) {
      named.push_back(fmt::format("… and {} more", with_thousands(names.size() - most_named)));
      break;
    }
    named.push_back(printable(name));
  }
  return fmt::format("{}", fmt::join(named, ", "));
}

std::string attributes_text(const ImportSummary& s) {
  std::vector<std::string_view> kept, left_out;
  for (const ColumnUse& use : s.columns) (use.kept > 0 ? kept : left_out).push_back(use.name);
  std::string text;
  if (!kept.empty()) text += fmt::format("attributes: {}\n", names_text(kept));
  if (!left_out.empty()) {
    text += fmt::format("left out: {}, which {} within trips\n", names_text(left_out),
                        left_out.size() == 1 ? "changes" : "change");
  }
  return text;
}

std::string as_table(const ImportSummary& s, const ImportArguments& a) {
  const char* had_ids = a.options.read.unique_ids ? "given an id of their own"
                                                  : "with the id of another (--unique-ids)";
  Table table;
  const auto add = [&](std::string name, std::uint64_t number) {
    table.add(std::move(name), fmt::format("{:>12}", with_thousands(number)));
  };
  add("tracks read", s.tracks);
  if (s.reversed > 0) add("  turned round: newest first", s.reversed);
  if (s.cut > 0) add("  cut into pieces", s.cut);
  for (std::size_t i = 0; i < drop_count; ++i) {
    if (s.dropped[i] > 0)
      add(fmt::format("  dropped: {}", in_options(name_of(static_cast<Drop>(i)))), s.dropped[i]);
  }
  if (s.swapped_in_box > 0) add("    inside it with lon and lat swapped", s.swapped_in_box);
  if (s.bad_records > 0) add("  skipped: bad records", s.bad_records);
  add("trajectories written", s.trajectories);
  add("points written", s.points);
  if (s.unwanted_points > 0) add("  removed: not wanted by --where", s.unwanted_points);
  if (s.duplicate_points > 0) add("  removed: consecutive duplicates", s.duplicate_points);
  if (s.fast_points > 0) add("  removed: faster than --max-speed", s.fast_points);
  if (s.thinned_points > 0) add("  removed: closer than --thin", s.thinned_points);
  if (s.incomplete_times > 0) add("times lost: not at every point", s.incomplete_times);
  if (s.without_times > 0) add("without times, so not cut or thinned", s.without_times);
  if (s.foreign_files > 0) add("files passed over", s.foreign_files);
  if (s.repeated_ids > 0) add(had_ids, s.repeated_ids);
  std::string text = table.text() + attributes_text(s);
  constexpr std::size_t most_named = 5;
  const auto more = [](const char* what, std::uint64_t all, std::size_t named) {
    return all > named ? fmt::format("{}: … and {} more\n", what, with_thousands(all - named)) : "";
  };
  const std::size_t named = std::min(most_named, s.foreign.size());
  for (const ForeignFile& file : std::span(s.foreign).first(named)) {
    text += fmt::format("passed over: {}: {}\n", shown(file.path), file.why);
  }
  text += more("passed over", s.foreign_files, named);
  for (const std::string& example : s.bad_examples)
    text += fmt::format("bad: {}\n", in_options(example));
  text += more("bad", s.bad_records, s.bad_examples.size());
  const auto bytes = static_cast<double>(s.bytes);
  text += fmt::format("{} in {} ({}/s) -> {}\n", human_bytes(bytes), human_seconds(s.seconds),
                      human_bytes(per_second(bytes, s.seconds)), a.output);
  return text;
}

// What nothing in the file says, but the form of its rows: no header, and no name of a format.
// Empty where that is not so.
std::string guess_text(const ImportSummary& s, const ImportArguments& a) {
  const ReadOptions& read = a.options.read;
  const bool was_guessed =
      std::find(s.formats.begin(), s.formats.end(), name_of(Format::tdrive)) != s.formats.end();
  if (!was_guessed || read.format != Format::automatic || read.swap_lonlat) return {};
  const Box box = Dataset::open(a.output).info().extent;
  return fmt::format(
      "note: without a header, rows were taken for T-Drive's: id, time, longitude, latitude; lon "
      "{:.6g} to {:.6g}, lat {:.6g} to {:.6g} (if latitude comes first, add --swap-lonlat)",
      box.min_lon, box.max_lon, box.min_lat, box.max_lat);
}

nlohmann::ordered_json as_json(const ImportSummary& s, const ImportArguments& a) {
  nlohmann::ordered_json json = {{"output", a.output},
                                 {"bytes", s.bytes},
                                 {"trajectories", s.trajectories},
                                 {"points", s.points}};
  json.update(nlohmann::ordered_json::parse(to_json(s)));
  json["foreign"] = nlohmann::ordered_json::array();
  for (const ForeignFile& file : s.foreign) {
    json["foreign"].push_back({{"file", file.path}, {"why", file.why}});
  }
  json["bad_examples"] = s.bad_examples;
  json["seed"] = a.options.seed;
  json["seconds"] = s.seconds;
  return json;
}

void run(const CLI::App& verb, ImportArguments& a, const CommonOptions& common) {
  finish_options(verb, a);
  const Console console(common.quiet);
  const InputList inputs = list_inputs({a.inputs.begin(), a.inputs.end()}, a.options.read.pattern);
  check_outputs(paths_of(inputs.files), {a.output});
  check_dataset_name(a.output);
  const ImportSummary summary =
      import_listed(inputs, a.output, a.options, console.progress("importing", Unit::bytes));
  if (const std::string guess = guess_text(summary, a); !guess.empty()) console.say("{}", guess);
  if (common.json) {
    print_document(as_json(summary, a));
  } else {
    std::string text = as_table(summary, a);
    text.pop_back();
    console.say("{}", text);
  }
}

template <class Value>
CLI::Option* add_value(CLI::App& verb, const char* name, Value& value, const char* text,
                       const char* form) {
  return verb.add_option(name, value, text)->option_text(form);
}

void add_reading_options(CLI::App& verb, ImportArguments& a) {
  verb.add_option("--format", a.format,
                  "auto (by content), " + listed(NameList(format_names).subspan(1), "or"))
      ->option_text("NAME")
      ->group("Reading");
  add_value(verb, "--columns", a.options.read.columns,
            "CSV columns by name or number from 1, others as attributes: "
            "id=uid+tid,time=t,lon=x,lat=y,busy=5",
            "ROLE=COLUMN,...")
      ->group("Reading");
  add_value(verb, "--time-format", a.options.read.time_format,
            "Form of times in CSV, as '%d.%m.%Y %H:%M:%S' (default: ISO or unix seconds)", "FORMAT")
      ->group("Reading");
  add_value(
      verb, "--where", a.where,
      "Only rows (where a row is a point) or trips with COLUMN=VALUE; also != < <= > >=; may be "
      "given again",
      "CONDITION")
      ->allow_extra_args(false)
      ->group("Reading");
  add_value(verb, "--attributes", a.attributes, "Columns and properties to keep (default: all)",
            "NAME,...|none")
      ->group("Reading");
  add_value(verb, "--pattern", a.options.read.pattern,
            "Read only the files of a folder whose name fits, as '*.txt'", "PATTERN")
      ->group("Reading");
  verb.add_flag("--planar", a.options.read.planar,
                "Coordinates are x and y of a plane, not degrees")
      ->group("Reading");
  verb.add_flag("--swap-lonlat", a.options.read.swap_lonlat,
                "The file has latitude where longitude belongs")
      ->group("Reading");
  verb.add_flag("--unique-ids", a.options.read.unique_ids,
                "Trips that have the id of another get one of their own: ID#2, ID#3, ...")
      ->group("Reading");
  add_choice(verb, "--on-error", a.options.on_error, on_error_names,
             "What a bad record does: fail ends the import, skip counts it and goes on")
      ->group("Reading");
}

void add_cleaning_options(CLI::App& verb, ImportArguments& a) {
  add_value(verb, "--min-points", a.options.clean.min_points,
            "Drop trajectories with fewer points (default 2)", "N")
      ->group("Cleaning");
  add_value(verb, "--max-points", a.options.clean.max_points, "Drop trajectories with more points",
            "N")
      ->group("Cleaning");
  add_value(verb, "--min-length", a.min_length, "Drop trajectories of a shorter way", "METRES")
      ->group("Cleaning");
  add_value(verb, "--min-duration", a.min_duration,
            "Drop trajectories that last less, and those without times", "SECONDS")
      ->group("Cleaning");
  add_value(verb, "--bbox", a.bbox, "Drop trajectories that leave this box",
            "MINLON,MINLAT,MAXLON,MAXLAT")
      ->group("Cleaning");
  add_value(verb, "--max-speed", a.max_speed,
            "Remove points that would need a higher speed, in m/s or as 45km/h", "SPEED")
      ->group("Cleaning");
  add_value(verb, "--thin", a.thin, "Keep at most one point in so many seconds", "SECONDS")
      ->group("Cleaning");
  verb.add_flag("--sort-by-time", a.options.clean.sort_by_time,
                "Order points by time; otherwise disorder is a bad record (newest first is not)")
      ->group("Cleaning");
  verb.add_flag("--keep-duplicates", a.options.clean.keep_duplicates,
                "Keep consecutive points that are equal in both coordinates")
      ->group("Cleaning");
}

void add_cutting_options(CLI::App& verb, ImportArguments& a) {
  constexpr const char* group = "Cutting long streams (pieces of ID are ID_0, ID_1, ...)";
  add_value(verb, "--cut-gap", a.cut_gap, "Cut where no point came for longer", "SECONDS")
      ->group(group);
  add_value(verb, "--cut-stay", a.cut_stay, "Cut where it stayed within METRES for SECONDS",
            "METRES,SECONDS")
      ->group(group);
  add_value(verb, "--cut-on", a.options.read.cut_on, "Cut where the value of a column changes",
            "COLUMN")
      ->group(group);
  add_value(verb, "--cut-length", a.cut_length, "Cut into pieces of at most so many points",
            "POINTS")
      ->group(group);
}

void add_drawing_options(CLI::App& verb, ImportArguments& a) {
  add_value(verb, "--sample", a.sample, "Keep so many trajectories, drawn at random", "N")
      ->group("Drawing");
  add_value(verb, "--split", a.split,
            "Mark train, validation and test; numbers, or shares below 1 (a .tsd keeps its own)",
            "TRAIN,VAL,TEST")
      ->group("Drawing");
  add_choice(verb, "--split-order", a.split_at_random, split_order_names,
             "Split in file order or at random")
      ->group("Drawing");
  add_value(verb, "--seed", a.options.seed, "Of --sample and --split-order random (default 1)", "N")
      ->group("Drawing");
}

}  // namespace

void add_import(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<ImportArguments>();
  CLI::App* verb = app.add_subcommand("import", "Read trajectory files into a data set");
  verb->footer(
      "Examples:\n"
      "  tsmini import train.csv.gz -o porto.tsd\n"
      "  tsmini import Geolife/Data --cut-gap 1200 --thin 15 -o beijing.tsd\n"
      "  tsmini import trips.csv --columns id=taxi,time=ts,lon=x,lat=y -o trips.tsd\n"
      "  tsmini import cabs --pattern 'new_*.txt' --columns lat=1,lon=2,occupied=3,time=4 \\\n"
      "      --cut-on occupied --where occupied=1 --min-length 500 -o cabs.tsd\n"
      "  tsmini import porto.tsv.gz --bbox=-8.7005,41.1001,-8.5192,41.2086 \\\n"
      "      --min-points 20 --max-points 200 --split 7000,1000,2000 -o porto.tsd");
  verb->add_option("IN", a->inputs, "Files or folders; '-' is standard input; .gz is fine")
      ->required()
      ->option_text("IN...");
  verb->add_option("-o,--output", a->output, "The data set to write (.tsd)")
      ->required()
      ->option_text("FILE");
  add_reading_options(*verb, *a);
  add_cleaning_options(*verb, *a);
  add_cutting_options(*verb, *a);
  add_drawing_options(*verb, *a);
  add_common(*verb, common, Reports::yes);
  verb->callback([verb, a, &common] { run(*verb, *a, common); });
}

}  // namespace tsmini::cli
