#include "rivals/program/saved_options.h"

#include "tsmini/train.h"

#include "common/option_checks.h"
#include "rivals/core/run.h"

namespace tsmini::rivals {

void add_saved_options(CLI::App& verb, SavedOptions& options) {
  verb.add_option("RIVAL", options.rival, "What train has left (.safetensors)")
      ->required()
      ->option_text("RIVAL");
  verb.add_option("DATA", options.data, "A data set (.tsd) with trips marked test")
      ->required()
      ->option_text("DATA");
  verb.add_flag("--move", options.move,
                "In another city: box, statistics and vectors of cells are made anew for DATA");
  cli::add_choice(verb, "--device", options.device, device_names,
                  "Where to compute: cpu (default) or cuda");
}

void warn_of_another_city(const cli::Console& console, const SavedRival& saved,
                          const Dataset& data) {
  const double outside = share_outside(saved, data);
  if (outside > .5)
    console.say(
        "note: {:.0f} % of the points are outside the city that it learned in; --move "
        "takes it to this one",
        100 * outside);
}

}  // namespace tsmini::rivals
