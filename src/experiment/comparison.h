// Variants of a model side by side: a table and a chart of each figure that is looked at, the
// paper's beside it, and a sentence on which variants are worse than the first.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/study.h"

namespace tsmini::experiment {

struct Figured {
  std::string name;  // "HR@10"
  Spread Outcome::*own;
  // The paper's, for the name of a variant; nothing where it has none.
  std::optional<double> (*paper)(std::string_view city, std::string_view variant, Measure measure);
  std::string_view paper_city;
};

// Adds to the report. The chart is of the first figure.
void compare(Report& report, const Setting& setting, Lab& lab, const std::vector<Variant>& variants,
             const std::vector<Figured>& figures);

}  // namespace tsmini::experiment
