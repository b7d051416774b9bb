// Adding and removing trips, in transactions of a connection that may write.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tsmini/collection.h"
#include "tsmini/encoder.h"

#include "store/sqlite.h"

namespace tsmini {

AddSummary add_trips(Database& database, const Encoder& encoder, const Model& model,
                     const Dataset& data, const AddOptions& options, const Progress& progress);

std::uint64_t remove_trips(Database& database, std::span<const std::string> ids, bool missing_too);

}  // namespace tsmini
