// What is worth knowing of the attributes of a data set: name, type, how many values, and their
// range, or the first of them.
#pragma once

#include <nlohmann/json.hpp>

#include "tsmini/dataset.h"

#include "common/console.h"

namespace tsmini::cli {

nlohmann::ordered_json attributes_json(const Dataset& data);
void add_attributes(const Dataset& data, Table& table);

}  // namespace tsmini::cli
