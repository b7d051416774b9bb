#include "bench.h"

#include <fstream>

#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/pairs.h"
#include "tsmini/version.h"

#include "base/text.h"

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

void run(const BenchArguments& a, const CommonOptions& common) {
  if (a.what == "knn" && a.data.empty()) {
    throw Error(ErrorCode::usage, "which data set should be searched?",
                "tsmini bench knn DATA.tsd; tsmini synth makes one");
  }
  if (a.what == "measures" && !a.data.empty()) {
    throw Error(ErrorCode::usage, fmt::format("what is '{}' for?", printable(a.data)),
                "bench measures makes its own trajectories");
  }
  if (!a.target.empty()) force_simd_target(a.target);
  a.what == "knn" ? bench_knn(a, common) : bench_measures(a, common);
}

}  // namespace

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
      "measures: pairs of random walks a second on one core, for every measure.\n"
      "knn: the first trips of a data set are looked for among the others, with bounds and by\n"
      "computing every distance in single precision; the answers are checked against double.\n"
      "Examples:\n"
      "  tsmini bench measures --points 100\n"
      "  tsmini bench knn city.tsd --measure dtw -k 10");
  verb->add_option("WHAT", a->what, "What to time")
      ->required()
      ->check(CLI::IsMember({"measures", "knn"}))
      ->option_text("measures|knn");
  verb->add_option("DATA", a->data, "knn: a data set (.tsd)")->option_text("[DATA]");
  verb->add_option("--points", a->points, "measures: of a trajectory (default 100)")
      ->check(CLI::Range(2, 10'000))
      ->option_text("N");
  verb->add_option("--seconds", a->seconds, "measures: for each figure (default 0.3)")
      ->check(CLI::Range(0.001, 3600.0))
      ->option_text("S");
  verb->add_option("--measure", a->measures,
                   "knn: may be repeated (default dtw, frechet and hausdorff)")
      ->allow_extra_args(false)
      ->option_text("NAME");
  verb->add_option("--queries", a->queries, "knn: how many (default 1000)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
      ->option_text("N");
  verb->add_option("-k", a->k, "knn: how many neighbours (default 10)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
      ->option_text("N");
  verb->add_option("--target", a->target, "SIMD target to use instead of the best")
      ->option_text("NAME");
  add_common(*verb, common, Reports::yes);
  verb->callback([a, &common] { run(*a, common); });
}

}  // namespace tsmini::cli
