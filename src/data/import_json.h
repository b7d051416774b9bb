// What an import did as JSON, the same for its report and for the provenance of the data set.
#pragma once

#include <nlohmann/json.hpp>

#include "tsmini/import.h"

namespace tsmini {

// Files, tracks and points, each step by itself; what became of the columns; and by name what was
// passed over, up to 1,000 files. All keys are there, whatever their numbers.
nlohmann::ordered_json counts_json(const ImportSummary& summary);

}  // namespace tsmini
