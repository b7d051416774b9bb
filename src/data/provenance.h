// What a data set says of its own making: the files it was read from, every step of cleaning with
// its setting, and what each step took away, as JSON. What took nothing away is left out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/import_pass.h"

namespace tsmini {

std::string provenance_of(const std::vector<std::filesystem::path>& inputs,
                          const ImportOptions& options, const PassResult& result);

}  // namespace tsmini
