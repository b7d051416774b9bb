#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tsmini/city.h"
#include "tsmini/dataset.h"
#include "tsmini/split.h"

#include "base/amounts.h"
#include "common/console.h"
#include "common/document.h"
#include "common/laps.h"
#include "common/option_checks.h"
#include "common/outputs.h"
#include "common/values.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

struct SynthArguments {
  CityOptions city;
  std::string output, split;
};

nlohmann::ordered_json provenance_of(const CityOptions& city) {
  const CityOptions usual;
  nlohmann::ordered_json json = {{"seed", city.seed}};
  if (city.sampling != usual.sampling) json["sampling"] = city.sampling;
  if (city.fewest_points != usual.fewest_points) json["min_points"] = city.fewest_points;
  if (city.most_points != usual.most_points) json["max_points"] = city.most_points;
  return {{"synthetic_city", json}};
}

void run(const SynthArguments& a, const CommonOptions& common) {
  const Laps laps;
  const Console console(common.quiet);
  check_outputs({}, {a.output});
  check_dataset_name(a.output);
  std::vector<Part> parts;
  if (!a.split.empty()) parts = draw_split(a.city.count, split_from(a.split), a.city.seed);
  DatasetWriter writer(a.output);
  std::uint64_t points = 0;
  synthesize_city(
      a.city,
      [&](const Trajectory& trip) {
        writer.add(trip);
        points += trip.size();
      },
      console.progress("driving", Unit::trips));
  writer.finish(parts, provenance_of(a.city).dump());
  if (common.json) {
    const nlohmann::ordered_json json = {{"output", a.output},
                                         {"trajectories", a.city.count},
                                         {"points", points},
                                         {"seed", a.city.seed},
                                         {"seconds", laps.seconds()}};
    print_document(json);
  } else {
    console.say("{}, {}, seed {}, in {} -> {}", counted(a.city.count, "trip"),
                counted(points, "point"), a.city.seed, laps.text(), a.output);
  }
}

}  // namespace

void add_synth(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<SynthArguments>();
  CLI::App* verb = app.add_subcommand("synth", "Make trips in a synthetic city, to try things on");
  verb->footer(
      "The same seed gives the same trips on every machine.\n"
      "Example:\n"
      "  tsmini synth --count 10000 --split 7000,1000,2000 -o city.tsd");
  verb->add_option("-o,--output", a->output, "The data set to write (.tsd)")
      ->required()
      ->option_text("FILE");
  verb->add_option("--count", a->city.count, "How many trips (default 10000)")
      ->check(between(1, 1'000'000'000))
      ->option_text("N");
  verb->add_option("--seed", a->city.seed, "Of the streets and the trips (default 1)")
      ->option_text("N");
  verb->add_option("--sampling", a->city.sampling, "Time between a trip's points (default 15)")
      ->option_text("SECONDS");
  const CLI::Validator points = between(1, 1'000'000);
  verb->add_option("--min-points", a->city.fewest_points, "A trip's points, at least (default 20)")
      ->check(points)
      ->option_text("N");
  verb->add_option("--max-points", a->city.most_points, "A trip's points, at most (default 200)")
      ->check(points)
      ->option_text("N");
  verb->add_option("--split", a->split,
                   "Mark train, validation and test; numbers, or shares below 1")
      ->option_text("TRAIN,VAL,TEST");
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
