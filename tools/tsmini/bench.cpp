#include "bench.h"

#include <array>
#include <fstream>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"
#include "tsmini/version.h"

#include "base/amounts.h"
#include "base/enum_names.h"
#include "base/text.h"
#include "common/option_checks.h"

namespace tsmini::cli {
namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with("model name") && colon != std::string::npos) {
      return std::string(trimmed(std::string_view(line).substr(colon + 1)));
    }
  }
  return "unknown";
}

struct Subject {
  std::string_view name;
  std::size_t inputs;
  std::string_view usage;
  void (*run)(const BenchArguments&, const CommonOptions&);
};
constexpr std::array subjects = {
    Subject{"measures", 0, "measures (it makes its own trajectories)", &bench_measures},
    Subject{"knn", 1, "knn DATA.tsd", &bench_knn},
    Subject{"growth", 1, "growth DATA.tsd", &bench_growth},
    Subject{"encode", 2, "encode MODEL.safetensors DATA.tsd", &bench_encode},
    Subject{"search", 2, "search MODEL.safetensors DATA.tsd", &bench_search},
    Subject{"collection", 2, "collection COLLECTION QUERIES.tsd", &bench_collection},
};

void run(const BenchArguments& a, const CommonOptions& common) {
  for (const Subject& subject : subjects) {
    if (subject.name != a.what) continue;
    if (a.inputs.size() != subject.inputs) {
      throw Error(ErrorCode::usage,
                  fmt::format("bench {} takes {}, not {}", a.what, counted(subject.inputs, "file"),
                              a.inputs.size()),
                  fmt::format("tsmini bench {}", subject.usage));
    }
    if (!a.target.empty()) force_simd_target(a.target);
    subject.run(a, common);
  }
}

}  // namespace

Trips bench_trips(const BenchArguments& a, std::size_t input) {
  const std::string& file = a.inputs[input];
  return {file, picked_data({file, Dataset::open(file)}, picking_of(a.picking))};
}

nlohmann::ordered_json machine_facts() {
  return {{"version", version()}, {"cpu", cpu_model()}, {"simd", simd_target()}};
}

std::string machine_line() {
  return fmt::format("tsmini {}, {}, {}, one core", version(), cpu_model(), simd_target());
}

void add_bench(CLI::App& app, CommonOptions& common) {
  auto a = std::make_shared<BenchArguments>();
  CLI::App* verb = app.add_subcommand("bench", "Say how fast this machine is");
  verb->footer(
      "INPUT is DATA.tsd for knn and growth; MODEL.safetensors DATA.tsd for encode and search;\n"
      "COLLECTION QUERIES.tsd for collection. Trips are picked from the data set.\n"
      "measures: pairs of random walks a second on one core, for every measure.\n"
      "knn: the first trips of a data set are looked for among the others, with bounds and by\n"
      "computing every distance, in single precision (edwp, edr and lcss: double) and in double;\n"
      "the answers are checked against those of the last.\n"
      "growth: how the time of an exact search grows with the number of trips, from 10,000 on.\n"
      "encode: trips embedded a second, beside the machine's own rate of multiplying matrices.\n"
      "search: the first trips are looked for among the others by every kind of index.\n"
      "collection: how soon a collection gives its first exact answer, with its files in memory\n"
      "and from disk; then the first trips of a data set are looked for in it, exactly, one by "
      "one\n"
      "and many at once.\n"
      "Examples:\n"
      "  tsmini bench measures --points 100\n"
      "  tsmini bench knn city.tsd --measure dtw -k 10\n"
      "  tsmini bench growth million.tsd --output growth.svg\n"
      "  tsmini bench encode frechet.safetensors city.tsd\n"
      "  tsmini bench collection city city.tsd --queries 300");
  static const std::vector<std::string_view> names = names_of(subjects, &Subject::name);
  add_choice(*verb, "WHAT", a->what, names, "What to time")->required();
  verb->add_option("INPUT", a->inputs, "What it takes, see below")->option_text("[INPUT]...");
  verb->add_option("--points", a->points, "measures: of a trajectory (default 100)")
      ->check(between(2, 10'000))
      ->option_text("N");
  verb->add_option("--seconds", a->seconds,
                   "measures, encode, search: for each figure (default 0.3)")
      ->check(between(0.001, 3600.0))
      ->option_text("S");
  verb->add_option("--measure", a->measures,
                   "knn, growth, collection: may be repeated (default dtw, frechet and hausdorff)")
      ->transform(any_case())
      ->allow_extra_args(false)
      ->option_text("NAME");
  verb->add_option(
          "--epsilon", a->epsilon,
          "knn, growth, collection: within which points match, for edr and lcss (default 200)")
      ->option_text("DISTANCE");
  verb->add_option("--queries", a->queries, "All but measures: how many trips (default 1000)")
      ->check(between(1, 1'000'000))
      ->option_text("N");
  verb->add_option("-k", a->k, "All but measures and encode: how many neighbours (default 10)")
      ->check(between(1, 1'000'000))
      ->option_text("N");
  verb->add_option("-o,--output", a->output, "growth: draw it as a picture (.svg)")
      ->option_text("FILE");
  verb->add_option("--target", a->target, "SIMD target to use instead of the best")
      ->option_text("NAME");
  add_pick_options(*verb, a->picking);
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
