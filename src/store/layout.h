// The two ways in which the tables of a collection are laid out, see docs/formats.md.
//
// Collections of tsmini 0.1 are read as they are; whoever is the first to write to one brings it to
// the current layout (upgrade.h), which may happen between any two transactions of a reader.
#pragma once

#include <cstdint>

#include "store/sqlite.h"

namespace tsmini {

enum class Layout {
  first,    // format 1: one model, and the row of a trip holds its embedding
  current,  // format 2: any number of models, each with a table of embeddings
};
inline constexpr std::int64_t first_format = 1, current_format = 2;

// The layout in the transaction that the database is in.
Layout layout_of(Database& database);

// The tables of an empty collection, and those of a model.
extern const char* const schema;
void make_model_tables(Database& database, std::int64_t model);
void drop_model_tables(Database& database, std::int64_t model);

}  // namespace tsmini
