// What a data set says of its own making: the files it was read from, every step of cleaning with
// its setting, and what each step took away, as JSON. What took nothing away is left out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "data/import_pass.h"

namespace tsmini {

// What it says, or where that is no JSON its words as one text.
nlohmann::ordered_json provenance_json(const std::string& text);

std::string provenance_of(const std::vector<std::filesystem::path>& inputs,
                          const ImportOptions& options, const PassResult& result);

}  // namespace tsmini
