// How fast this machine trains.
#pragma once

#include <cstddef>
#include <string>

#include "tsmini/progress.h"

#include "experiment/setting.h"

namespace tsmini::experiment {

// Multiplications and additions a second, found by training a net for some two seconds. `progress`
// may throw to stop it.
double pace_of(const Setting& setting, const std::string& device, std::size_t threads,
               const Progress& progress);

}  // namespace tsmini::experiment
