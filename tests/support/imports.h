// Imports of small texts, and data sets as text that can be compared.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tsmini/dataset.h"
#include "tsmini/import.h"

namespace tsmini {

struct Imported {
  Dataset data;
  ImportSummary summary;
};

// Imports a file of this name and content. Checks that nothing else is left beside the result, and
// nothing at all where the import fails.
Imported import_text(std::string_view content, const std::string& name,
                     const ImportOptions& options = {});
Imported import_text(std::string_view content, const std::string& name, std::string_view options);

// "ID | t0 t1 | lon lat,lon lat", a line for each trajectory, with " | PART" where there is a
// split.
std::vector<std::string> lines_of(const Dataset& data);

// Names, order, types and values.
void expect_same_attributes(const Dataset& a, const Dataset& b);
// The trajectories of one are those of the other, bit for bit, with their parts and attributes.
void expect_same(const Dataset& a, const Dataset& b);

std::uint64_t count_of(const ImportSummary& summary, Drop drop);

}  // namespace tsmini
