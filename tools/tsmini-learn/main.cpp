// tsmini-learn: the verbs of tsmini that need LibTorch. `tsmini train …` runs it.
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <malloc.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include "tsmini/version.h"

#include "common/program.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

// Starts itself again where the environment lacked something that libraries read as they load.
void settle_environment(char** argv) {
  if (!set_waiting_policy()) return;
  std::error_code unknown;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", unknown);
  if (!unknown) ::execv(self.c_str(), argv);
}

// LibTorch allocates and frees the same large blocks in every step: keep them, rather than have
// the kernel clear new pages each time.
void settle_memory() {
  constexpr int large = 256 << 20;
  ::mallopt(M_MMAP_THRESHOLD, large);
  ::mallopt(M_TRIM_THRESHOLD, 2 * large);
}

int run(int argc, char** argv) {
  CLI::App app("tsmini-learn trains and evaluates models; tsmini runs it for you.", "tsmini-learn");
  app.set_version_flag("--version", fmt::format("tsmini-learn {}", version()));
  CommonOptions common;
  TrainOptions train;
  EvaluateOptions evaluate;
  CLI::App& train_verb = add_train_verb(app, train);
  CLI::App& evaluate_verb = add_evaluate_verb(app, evaluate);
  std::optional<tbb::global_control> limit;
  for (CLI::App* verb : {&train_verb, &evaluate_verb}) {
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
  evaluate_verb.callback([&] { evaluate_model(evaluate, common); });
  return parse_and_run(app, argc, argv);
}

}  // namespace
}  // namespace tsmini::cli

int main(int argc, char** argv) {
  tsmini::cli::settle_environment(argv);
  tsmini::cli::settle_memory();
  return tsmini::cli::guarded([&] { return tsmini::cli::run(argc, argv); });
}
