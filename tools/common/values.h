// Option values of several parts: --bbox, --points, --split, --cut-stay, --max-speed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "tsmini/import.h"
#include "tsmini/trajectory.h"

namespace tsmini::cli {

// "MINLON,MINLAT,MAXLON,MAXLAT"; "7000,1000,2000" or "0.7,0.1,0.2"; "METRES,SECONDS". Each throws
// Error(usage) that shows the right form.
Box box_from(std::string_view text);
// "FIRST,LAST", whole numbers from 0 of which the first is not above the last.
std::pair<std::size_t, std::size_t> point_range_from(std::string_view text);
SplitOptions split_from(std::string_view text);
CutOptions::Stay stay_from(std::string_view text);
// Metres a second, from "12.5", "12.5m/s", "45km/h" or "45kmh".
double speed_from(std::string_view text);

// Throws Error(usage) where the name of an output promises another format than NumPy's.
void require_npy_name(const std::string& output);

}  // namespace tsmini::cli
