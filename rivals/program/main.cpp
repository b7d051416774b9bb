// tsmini-rivals: the published methods that TSMini is compared with. `tsmini experiment … --rivals
// all` runs it.
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <tbb/global_control.h>
#include <torch/torch.h>
#include <unistd.h>

#include "tsmini/error.h"
#include "tsmini/version.h"

#include "common/program.h"
#include "rivals/core/library_environment.h"
#include "rivals/program/verbs.h"

namespace tsmini::rivals {
namespace {

// Where memory runs out LibTorch says so at length, with a list of its functions; this says it in a
// line.
template <class Work>
int naming_want_of_memory(const Work& work) {
  try {
    return work();
  } catch (const c10::Error& error) {
    const std::string_view text = error.what();
    if (text.find("DefaultCPUAllocator") == std::string_view::npos &&
        text.find("out of memory") == std::string_view::npos)
      throw;
    throw Error(ErrorCode::failure, "out of memory",
                "use fewer or shorter trips, or a machine with more of it");
  }
}

// A program that was started by tsmini ends with it, however that ends.
void follow_parent() {
  const char* parent = std::getenv("TSMINI_PARENT");
  if (parent == nullptr || std::to_string(::getppid()) != parent) return;
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (std::to_string(::getppid()) != parent) std::raise(SIGTERM);  // it has ended meanwhile
}

int run(int argc, char** argv) {
  follow_parent();
  CLI::App app(
      "tsmini-rivals trains the seven published methods that TSMini is compared with, on the same\n"
      "trips and the same true distances; tsmini experiment … --rivals all runs it for you.",
      "tsmini-rivals");
  app.set_version_flag("--version", fmt::format("tsmini-rivals {}", version()));
  app.require_subcommand(1);
  cli::CommonOptions common;
  add_train(app, common);
  add_embed(app, common);
  add_evaluate(app, common);
  add_list(app, common);
  std::optional<tbb::global_control> limit;
  for (CLI::App* verb : app.get_subcommands({})) {
    verb->parse_complete_callback([&] {
      if (common.threads > 0)
        limit.emplace(tbb::global_control::max_allowed_parallelism, common.threads);
    });
  }
  return cli::parse_and_run(app, argc, argv);
}

}  // namespace
}  // namespace tsmini::rivals

int main(int argc, char** argv) {
  tsmini::rivals::settle_libraries(argv);
  using tsmini::rivals::naming_want_of_memory;
  return tsmini::cli::guarded(
      [&] { return naming_want_of_memory([&] { return tsmini::rivals::run(argc, argv); }); });
}
