// `tsmini evaluate --base`: a model among as many trips as it will serve.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "tsmini/dataset.h"
#include "tsmini/model.h"

#include "common/console.h"
#include "common/fit_trips.h"

namespace tsmini::cli {

// What was asked for.
struct AmongReport {
  std::string model, data, part, base;
  bool json = false;
};

// Prints a table, or JSON. `queries` are indices of `data`, the first of `trips`.
void report_among(const AmongReport& report, const Model& model, const Dataset& data,
                  const FitTrips& trips, std::span<const std::size_t> queries,
                  const Console& console);

}  // namespace tsmini::cli
