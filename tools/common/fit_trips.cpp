#include "common/fit_trips.h"

#include <utility>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "tsmini/error.h"

#include "base/amounts.h"
#include "base/text.h"
#include "base/utf8.h"
#include "common/option_checks.h"

namespace tsmini::cli {

void add_on_error(CLI::App& verb, OnError& on_error) {
  add_choice(
      verb, "--on-error", on_error, on_error_names,
      "What a trip does that the model cannot take: fail (default) ends it, skip leaves it out");
}

void FitTrips::tell(const Console& console) const {
  if (unfit == 0) return;
  console.say("left out {} that the model cannot take, first: {}", with_thousands(unfit),
              first_unfit);
}

FitTrips fit_trips(const Dataset& data, std::vector<std::size_t> indices, OnError on_error,
                   const std::string& file, const FlawOf& flaw) {
  std::vector<std::string> flaws(indices.size());
  tbb::parallel_for(std::size_t{0}, indices.size(),
                    [&](std::size_t i) { flaws[i] = flaw(data[indices[i]]); });
  FitTrips fit;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (flaws[i].empty()) {
      fit.indices.push_back(indices[i]);
    } else if (fit.unfit++ == 0) {
      fit.first_unfit =
          fmt::format("trajectory '{}' {}", printable(data[indices[i]].id, 80), flaws[i]);
    }
  }
  if (fit.indices.empty()) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: the model can take none of {}; the first: {}", file,
                            counted(fit.unfit, "trip"), fit.first_unfit),
                "use data of the model's own region (tsmini info MODEL shows its box), or fit a "
                "model to this one (tsmini train --init MODEL --rebox)");
  }
  if (fit.unfit > 0 && on_error == OnError::fail) {
    throw Error(ErrorCode::bad_input, fmt::format("{}: {}", file, fit.first_unfit),
                "leave such trips out with --on-error skip, or fit a model to this region (tsmini "
                "train --init MODEL --rebox)");
  }
  return fit;
}

}  // namespace tsmini::cli
