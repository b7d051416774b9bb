// Where a data set came from that a verb made out of another.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tsmini/dataset.h"

namespace tsmini::cli {

// {"step":STEP,"from":PROVENANCE}: what was done, and where the trips came from before. Lists that
// grow with the data are left out of the step.
std::string provenance_after(const nlohmann::ordered_json& step, const Dataset& before);

}  // namespace tsmini::cli
