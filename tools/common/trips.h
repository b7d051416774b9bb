// Trips as a verb was given them: of a data set or of a collection.
//
//   const Trips trips = open_trips("city", console);            // tools/tsmini/open_trips.h
//   const std::vector<std::size_t> indices = picked(trips, picking);
#pragma once

#include <optional>
#include <string>

#include "tsmini/dataset.h"
#include "tsmini/space.h"

namespace tsmini::cli {

struct Trips {
  std::string file;
  Dataset data;
  std::optional<Space> space = {};  // of a collection, in which its trips are measured

  bool is_collection() const { return space.has_value(); }
};

}  // namespace tsmini::cli
