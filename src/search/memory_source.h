// Trips of a data set in memory, as searches see them.
#pragma once

#include <memory>
#include <optional>

#include "tsmini/dataset.h"
#include "tsmini/model.h"
#include "tsmini/progress.h"

#include "search/trip_source.h"

namespace tsmini {

class MemorySource : public TripSource {
 public:
  // Does what MemoryTrips::add_model() does.
  virtual std::string add_model(const Model& model, const Progress& progress) = 0;
};

// Takes and throws what MemoryTrips::MemoryTrips() does.
std::unique_ptr<MemorySource> memory_source(const Dataset& data, std::optional<Space> space);

}  // namespace tsmini
