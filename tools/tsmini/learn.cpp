// train and experiment. On a GPU they are done by tsmini-learn, which links LibTorch and is looked
// for beside this program, then on the PATH, as git does with its commands.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "tsmini/error.h"

#include "common/learn_options.h"
#include "learn/library_environment.h"
#include "learn_verbs.h"
#include "verbs.h"

namespace tsmini::cli {
namespace {

[[noreturn]] void run_learn(const std::string& verb, char** argv) {
  std::string name = "tsmini-learn";
  argv[0] = name.data();
  learn::check_address_space();
  learn::set_library_environment();
  std::fflush(nullptr);
  std::error_code unknown;
  const std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  if (!folder.empty()) ::execv((folder / name).c_str(), argv);
  ::execvp(name.c_str(), argv);
  throw Error(
      ErrorCode::failure,
      fmt::format("'{}' on a GPU needs the program tsmini-learn, which is neither in {} nor "
                  "on the PATH",
                  verb, folder.empty() ? "the folder of tsmini" : folder.string()),
      "use --device cpu, or build with -DTSMINI_LEARN_CUDA=ON where nvcc and a CUDA LibTorch are");
}

}  // namespace

void add_train(CLI::App& app, CommonOptions& common, char** argv) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App& verb = add_train_verb(app, *options);
  add_common(verb, common, Reports::yes);
  verb.callback([options, &verb, &common, argv] {
    if (options->device == "cuda") run_learn("train", argv);
    train_model(*options, {verb.count("--measure") > 0, verb.count("--space") > 0}, common);
  });
}

void add_experiment(CLI::App& app, CommonOptions& common, char** argv) {
  auto options = std::make_shared<ExperimentOptions>();
  CLI::App& verb = add_experiment_verb(app, *options);
  add_common(verb, common, Reports::yes);
  verb.callback([options, &common, argv] {
    if (options->device == "cuda") run_learn("experiment", argv);
    make_experiments(*options, common);
  });
}

}  // namespace tsmini::cli
