#include "common/common_options.h"

#include "common/option_checks.h"

namespace tsmini::cli {

void add_common(CLI::App& verb, CommonOptions& common, Reports reports) {
  verb.add_option("--threads", common.threads, "Cores to use (default: all)")
      ->check(between(1, 1024))
      ->option_text("N");
  if (reports == Reports::yes) {
    verb.add_flag("--json", common.json, "Report as JSON on standard output");
  }
  verb.add_flag("--quiet", common.quiet, "No progress and no narration");
}

}  // namespace tsmini::cli
