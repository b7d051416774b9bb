// tsmini-learn: the verbs of tsmini that need LibTorch. `tsmini train …` runs it.
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include <c10/util/Exception.h>
#include <fmt/format.h>
#include <tbb/global_control.h>

#include "tsmini/error.h"
#include "tsmini/version.h"

#include "common/program.h"
#include "learn/library_environment.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

// LibTorch says so at length, with a list of its functions.
template <class Work>
int naming_want_of_memory(const Work& work) {
  try {
    return work();
  } catch (const c10::Error& error) {
    if (std::string_view(error.what()).find("DefaultCPUAllocator") == std::string_view::npos) throw;
    throw Error(ErrorCode::failure, "out of memory",
                "use a smaller --batch or shorter trips, or a machine with more of it");
  }
}

int run(int argc, char** argv) {
  CLI::App app("tsmini-learn trains models and makes experiments; tsmini runs it for you.",
               "tsmini-learn");
  app.set_version_flag("--version", fmt::format("tsmini-learn {}", version()));
  CommonOptions common;
  TrainOptions train;
  ExperimentOptions experiment;
  CLI::App& train_verb = add_train_verb(app, train);
  CLI::App& experiment_verb = add_experiment_verb(app, experiment);
  std::optional<tbb::global_control> limit;
  for (CLI::App* verb : {&train_verb, &experiment_verb}) {
    add_common(*verb, common, Reports::yes);
    verb->parse_complete_callback([&] {
      if (common.threads > 0) {
        limit.emplace(tbb::global_control::max_allowed_parallelism, common.threads);
      }
    });
  }
  train_verb.callback([&] {
    const Given given{train_verb.count("--measure") > 0, train_verb.count("--space") > 0};
    train_model(train, given, common);
  });
  experiment_verb.callback([&] { make_experiments(experiment, common); });
  return parse_and_run(app, argc, argv);
}

}  // namespace
}  // namespace tsmini::cli

int main(int argc, char** argv) {
  tsmini::learn::settle_libraries(argv);
  using tsmini::cli::guarded, tsmini::cli::naming_want_of_memory;
  return guarded(
      [&] { return naming_want_of_memory([&] { return tsmini::cli::run(argc, argv); }); });
}
