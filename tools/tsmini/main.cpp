#include <optional>

#include <fmt/format.h>
#include <tbb/global_control.h>

#include "tsmini/version.h"

#include "common/program.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

int run(int argc, char** argv) {
  CLI::App app(
      "tsmini finds similar trajectories: reads GPS tracks, cleans them, measures, searches, "
      "learns.",
      "tsmini");
  app.set_version_flag("--version", fmt::format("tsmini {}", version()));
  app.footer(
      "First steps:\n"
      "  tsmini synth -o city.tsd              a synthetic city to try things on\n"
      "  tsmini import my.gpx -o mine.tsd      your own tracks\n"
      "  tsmini map city.tsd -o city.html      look at it\n"
      "  tsmini cluster city.tsd               what is typical; outliers: what is odd\n"
      "  tsmini train city.tsd -o m.safetensors --preset quick\n"
      "tsmini VERB --help explains a verb.");

  CommonOptions common;
  std::optional<tbb::global_control> limit;
  add_import(app, common);
  add_synth(app, common);
  add_info(app, common);
  add_export(app, common);
  add_distance(app, common);
  add_knn(app, common);
  add_join(app, common);
  add_find(app, common);
  add_duplicates(app, common);
  add_cluster(app, common);
  add_outliers(app, common);
  add_map(app, common);
  add_train(app, common);
  add_experiment(app, common);
  add_evaluate(app, common);
  add_embed(app, common);
  add_index(app, common);
  add_search(app, common);
  add_model(app, common);
  add_add(app, common);
  add_remove(app, common);
  add_verify(app, common);
  add_compact(app, common);
  add_bench(app, common);
  add_help(app);
  add_completion(app);
  for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    verb->parse_complete_callback([&] {
      if (common.threads > 0) {
        limit.emplace(tbb::global_control::max_allowed_parallelism, common.threads);
      }
    });
  }
  return parse_and_run(app, argc, argv);
}

}  // namespace
}  // namespace tsmini::cli

int main(int argc, char** argv) {
  return tsmini::cli::guarded([&] { return tsmini::cli::run(argc, argv); });
}
