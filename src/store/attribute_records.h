// What is known of trips besides their points, as rows of the database: the part of a split, and an
// object of JSON (data/attribute_json.h), under a checksum that is compared whenever they are used.
// Every trip has such a row, so that a lost one is noticed; in collections of tsmini 0.1 none has.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tsmini/attributes.h"
#include "tsmini/dataset.h"
#include "tsmini/search.h"
#include "tsmini/where.h"

#include "store/layout.h"
#include "store/sqlite.h"

namespace tsmini {

void insert_attributes(Database& database, std::int64_t row, Part part,
                       std::span<const Attribute> attributes);
// Adds the names of columns that are new, in their order, behind those that are there.
void insert_attribute_names(Database& database, std::span<const AttributeColumn> columns);
void delete_attributes(Database& database, std::int64_t row);

// Part and attributes of the trip of this row, into the trip. Throws Error(bad_input) where they
// were altered or are lost.
void read_attributes(Database& database, Layout layout, StoredTrip& trip);

// All names that any trip has or had, in the order in which they first came.
std::vector<std::string> attribute_names(Database& database, Layout layout);

// The rows of `rows`, which rise, that fit all conditions. Throws Error(bad_input) for a name that
// no trip ever had, and for a trip whose attributes were altered or are lost. Reads the attributes
// of all trips, but makes values only of those that are asked about: half a microsecond a trip.
std::vector<std::int64_t> rows_where(Database& database, Layout layout,
                                     std::span<const Condition> conditions,
                                     const std::vector<std::int64_t>& rows);

// Throws Error(bad_input) for attributes that were altered, are lost, or belong to none of these
// trips.
void check_attributes(Database& database, Layout layout, const std::vector<std::int64_t>& rows);

}  // namespace tsmini
