// A trip as a GeoJSON feature, on a line of its own.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tsmini/trajectory.h"

namespace tsmini::cli {

// `properties` is an object of JSON.
std::string feature_text(const Trajectory& trip, std::string_view properties);
// The JSON on one line; what is no UTF-8 is replaced.
std::string line_of(const nlohmann::ordered_json& json);

}  // namespace tsmini::cli
