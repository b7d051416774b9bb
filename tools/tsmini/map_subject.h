// What a data set tells besides its trips, as lines on a map: a query and its answers, groups, odd
// trips. It is known by the columns that our verbs write: role, cluster, group, lof.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tsmini/map.h"

#include "common/console.h"
#include "common/trips.h"

namespace tsmini::cli {

struct MapSubject {
  std::string what;            // "12 groups by cluster"; empty where there are only trips
  std::vector<MapLine> lines;  // views of the trips
  // The line of every trip of the data, or Map::no_line; empty where none has one.
  std::vector<std::uint32_t> line_of_trip = {};
};

// `by` names the column of the groups; where it is empty, what there is decides. Throws
// Error(bad_input) for a column that is not there.
MapSubject subject_of(const Trips& trips, std::span<const std::size_t> indices,
                      const std::string& by, std::size_t top);

// Opens what open_trips() opens, and files of text that the verbs write: .geojson, also compressed.
Trips open_answers(const std::string& path, const Console& console);

}  // namespace tsmini::cli
