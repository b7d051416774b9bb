// The settings of a network as JSON, one key a setting.
#pragma once

#include <nlohmann/json.hpp>

#include "tsmini/model.h"

namespace tsmini {

nlohmann::json json_of(const NetSettings& settings);

// Throws Error that names the key where one is missing, unknown or of the wrong type, and where
// check_settings() does.
NetSettings net_settings_from(const nlohmann::json& object);

}  // namespace tsmini
