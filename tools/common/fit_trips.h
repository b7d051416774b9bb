// --on-error: what embed and evaluate do with trips that the model cannot take.
//
//   add_on_error(verb, on_error);
//   …
//   FitTrips fit = fit_trips(data, std::move(indices), on_error, file,
//                            [&](const Trajectory& trip) { return flaw_of(model, trip); });
//   fit.tell(console);
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tsmini/dataset.h"
#include "tsmini/import.h"

#include "common/console.h"

namespace tsmini::cli {

void add_on_error(CLI::App& verb, OnError& on_error);

struct FitTrips {
  std::vector<std::size_t> indices;  // of those that remain, in the order they had
  std::size_t unfit = 0;             // left out
  std::string first_unfit;           // what is wrong with the first of them

  // How many were left out, and why, where any were.
  void tell(const Console& console) const;
};

// `flaw` says what is wrong with a trip, and nothing where it is fit; it is asked on all cores.
// Throws Error(bad_input) where none is fit, and for the first one that is not, unless `on_error`
// is skip.
using FlawOf = std::function<std::string(const Trajectory& trip)>;
FitTrips fit_trips(const Dataset& data, std::vector<std::size_t> indices, OnError on_error,
                   const std::string& file, const FlawOf& flaw);

}  // namespace tsmini::cli
