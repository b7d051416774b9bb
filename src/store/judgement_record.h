// The judgement of a model (tsmini/judgement.h) as the database keeps it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tsmini/judgement.h"

#include "store/layout.h"
#include "store/sqlite.h"

namespace tsmini {

// The judgement of a model; none where it has none, as in collections of tsmini 0.1. Throws
// DamagedFile where it was altered.
std::optional<Judgement> read_judgement(Database& database, Layout layout, std::int64_t model);
// Replaces the record there is.
void write_judgement(Database& database, std::int64_t model, const Judgement& judgement);
// Removes the record: what the model was judged with is no longer there.
void forget_judgement(Database& database, std::int64_t model);

// At most so many rows that have an embedding of the model, spread over all, rising.
std::vector<std::int64_t> spread_rows(Database& database, std::int64_t model, std::size_t count);

}  // namespace tsmini
