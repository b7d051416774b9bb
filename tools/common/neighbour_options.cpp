#include "common/neighbour_options.h"

#include "common/option_checks.h"

namespace tsmini::cli {

void add_neighbour_options(CLI::App& verb, NeighbourOptions& options) {
  CLI::Option* k = verb.add_option("-k", options.k, "How many neighbours (default 10)")
                       ->check(between(1, 1'000'000))
                       ->option_text("N");
  verb.add_option("--within", options.within,
                  "All within this distance instead, in the unit of the measure")
      ->check(at_least(0))
      ->excludes(k)
      ->option_text("DISTANCE");
  verb.add_flag("--skip-self", options.skip_self, "Leave out what has the id of the query");
}

}  // namespace tsmini::cli
