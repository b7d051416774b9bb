// The models of a collection as the database knows them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/embedding_index.h"

#include "store/layout.h"
#include "store/sqlite.h"

namespace tsmini {

struct ModelRecord {
  std::int64_t number = 0;  // never used again
  std::string name;
  std::string file;               // in the folder of the collection
  std::string checksum;           // of that file
  std::optional<IndexKind> kind;  // of its index; what suits its size where it is not given
  std::int64_t embedded = 0;      // rows below were embedded, or found unfit

  // All records in the order of their numbers.
  static std::vector<ModelRecord> read_all(Database& database, Layout layout);
  // Writes all but the number, which the database gives.
  void insert(Database& database) const;

  // Whether it has seen every trip: `next_row` is that of the next.
  bool is_complete(std::int64_t next_row) const { return embedded == next_row; }
};

// Trips of all rows up to this one were embedded by those models that had seen all before.
void set_embedded(Database& database, std::int64_t before, std::int64_t next_row);
// As above, for one model.
void set_embedded_by(Database& database, std::int64_t model, std::int64_t next_row);

std::vector<std::int64_t> numbers_of(const std::vector<ModelRecord>& records);

}  // namespace tsmini
