// Which index file belongs to a model of a collection, and which rows it holds.
//
// The database names the file and the rows; the file names the collection and itself. So a file
// that was left behind, copied from elsewhere or made for an earlier state is never used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/embedding_index.h"

#include "store/folder.h"
#include "store/layout.h"
#include "store/sqlite.h"

namespace tsmini {

// What every index of a model in a collection has in common.
struct IndexOwner {
  CollectionFolder folder;
  std::string identity;    // of the collection
  std::int64_t model = 0;  // its number
  std::size_t dimension = 0;
  EmbeddingMetric metric;

  // What the file of this name says of itself.
  std::string mark(std::string_view name) const;
  IndexSettings settings(IndexKind kind) const;
};

struct IndexRecord {
  std::string name;                // of the file, never used again; empty where there is none
  std::int64_t end_row = 0;        // it holds rows below
  std::vector<std::int64_t> rows;  // by position, rising; empty where the two are the same

  // Throws Error(bad_input) where its list of rows is no such list.
  static IndexRecord read(Database& database, Layout layout, std::int64_t model);
  // Replaces the record there is.
  void write(Database& database, std::int64_t model) const;

  bool holds(std::int64_t row) const;

  std::int64_t row_at(std::size_t position) const;
};

struct LoadedIndex {
  IndexRecord record;
  EmbeddingIndex index;

  // Throws Error(bad_input) where the file is missing, damaged or not what the record speaks of.
  static LoadedIndex load(const IndexOwner& owner, IndexRecord record);

  bool holds(std::int64_t row) const { return record.holds(row); }
  // index.size() where it does not hold the row.
  std::size_t position_of(std::int64_t row) const;
};

}  // namespace tsmini
