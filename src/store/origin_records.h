// Where the trips of a collection came from, as rows of the database: a text of JSON for each
// origin, with the number of trips that were ever added from there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/layout.h"
#include "store/sqlite.h"

namespace tsmini {

// Records that trips came from an origin. More of the same origin are counted with those before,
// and it is the last one then. Of a collection among the origins its identity and state are kept,
// not what it says of its own.
void insert_origin(Database& database, std::string_view origin, std::int64_t added);

// What CollectionInfo::provenance holds.
std::string collection_provenance(Database& database, Layout layout);

// Throws Error(bad_input) where they were altered, or do not add up to the trips.
void check_origins(Database& database, Layout layout);

}  // namespace tsmini
