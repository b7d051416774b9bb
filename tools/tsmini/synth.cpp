#include <chrono>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/city.h"
#include "tsmini/dataset.h"

#include "base/text.h"
#include "common/console.h"
#include "common/values.h"
#include "data/split.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

struct SynthArguments {
  CityOptions city;
  std::string output, split;
};

void run(const SynthArguments& a, const CommonOptions& common) {
  const Console console(common.quiet);
  std::vector<Part> parts;
  if (!a.split.empty()) parts = draw_split(a.city.count, split_from(a.split), a.city.seed);
  const auto start = std::chrono::steady_clock::now();
  DatasetWriter writer(a.output);
  std::uint64_t points = 0;
  synthesize_city(
      a.city,
      [&](const Trajectory& trip) {
        writer.add(trip);
        points += trip.size();
      },
      console.progress("driving", Unit::trips));
  const nlohmann::ordered_json provenance = {{"synthetic_city", {{"seed", a.city.seed}}}};
  writer.finish(parts, provenance.dump());
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (common.json) {
    const nlohmann::ordered_json json = {{"output", a.output},
                                         {"trajectories", a.city.count},
                                         {"points", points},
                                         {"seed", a.city.seed},
                                         {"seconds", seconds}};
    fmt::print("{}\n", json.dump(2));
  } else {
    console.say("{} trips, {} points, seed {}, in {} -> {}", with_thousands(a.city.count),
                with_thousands(points), a.city.seed, human_seconds(seconds), a.output);
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
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
      ->option_text("N");
  verb->add_option("--seed", a->city.seed, "Of the streets and the trips (default 1)")
      ->option_text("N");
  verb->add_option("--split", a->split,
                   "Mark train, validation and test; numbers, or shares below 1")
      ->option_text("TRAIN,VAL,TEST");
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
