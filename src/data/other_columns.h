// The columns of a CSV file besides id, time, longitude and latitude: which of them are read, under
// which names, and which a condition or a cut needs.
#pragma once

#include <vector>

#include "tsmini/import.h"

#include "data/csv_columns.h"
#include "data/csv_fields.h"
#include "data/csv_header.h"

namespace tsmini {

// `named`: those that the user gave a name. Each other column of a header is an attribute by its
// own name; the second of one name is NAME_2. Throws BadHeader where the options name a column that
// is not there, or one of several with one name.
void choose_other_columns(const CsvHeader& header, const std::vector<NamedColumn>& named,
                          const ReadOptions& options, CsvColumns& columns);

}  // namespace tsmini
