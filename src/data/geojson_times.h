// What the times of a line are called in GeoJSON, in whose specification they have no name.
#pragma once

#include <array>
#include <string_view>

namespace tsmini {

// Properties that are read as times. Written is the first of them that no attribute has, which
// would be read as times too.
inline constexpr std::array<std::string_view, 5> geojson_times_names{
    "times", "coordTimes", "timestamps", "time", "datetimes"};

}  // namespace tsmini
