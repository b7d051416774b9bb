// What is known of trips besides their points, as rows of the database: an object of JSON a trip
// (data/attribute_json.h), under a checksum that is compared whenever it is used. Trips without
// attributes have no row, and collections of tsmini 0.1 none at all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tsmini/attributes.h"
#include "tsmini/where.h"

#include "store/layout.h"
#include "store/sqlite.h"

namespace tsmini {

void insert_attributes(Database& database, std::int64_t row, std::span<const Attribute> attributes);
// Of what is added from a data set.
void insert_attribute_names(Database& database, std::span<const AttributeColumn> columns);
void delete_attributes(Database& database, std::int64_t row);

// Throws Error(bad_input) where they were altered.
std::vector<OwnedAttribute> read_attributes(Database& database, Layout layout, std::int64_t row);

// All names that any trip has or had.
std::vector<std::string> attribute_names(Database& database, Layout layout);

// Of rows, rising, those that fit all conditions. Throws Error(bad_input) for a name that no trip
// ever had, and for a trip whose attributes were altered. Reads the attributes of all trips.
std::vector<std::int64_t> rows_where(Database& database, Layout layout,
                                     std::span<const Condition> conditions,
                                     const std::vector<std::int64_t>& rows);

// Throws Error(bad_input) for attributes that were altered or belong to none of these trips.
void check_attributes(Database& database, Layout layout, const std::vector<std::int64_t>& rows);

}  // namespace tsmini
