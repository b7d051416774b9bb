// Which rows a filter lets pass, found by the database before a search.
#pragma once

#include "tsmini/search.h"

#include "search/row_selection.h"
#include "store/sqlite.h"

namespace tsmini {

// Box and times go through an index of all trips; ids are looked up one by one.
RowSelection select_rows(Database& database, const SearchFilter& filter);

}  // namespace tsmini
