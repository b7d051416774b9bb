// Which files of exact search belong to a collection, and whose rows they hold.
//
// As with indexes, the database names the file and the file names the collection and itself.
// Together they hold the rows below a certain one; those from there on are read from the database.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tsmini/space.h"

#include "measure/search_tables.h"
#include "store/folder.h"
#include "store/layout.h"
#include "store/sqlite.h"

namespace tsmini {

// What all of them have in common.
struct ExactOwner {
  CollectionFolder folder;
  std::string identity;  // of the collection
  Space space;           // the points are in
  // How many fill a file: while it is made, its points are in memory.
  std::size_t most_trips = std::size_t{1} << 18;
  std::size_t most_points = std::size_t{1} << 25;
};

struct ExactRecord {
  // The file holds the trips of rows first_row .. end_row - 1 that were there when it was made.
  std::int64_t first_row = 0, end_row = 0;
  std::string name;  // never used again; empty where no trip is left

  // All records by rising rows, each beginning where the one before ends. Throws Error(bad_input)
  // where they do not.
  static std::vector<ExactRecord> read_all(Database& database, Layout layout);
  void insert(Database& database) const;

  // Throws Error(bad_input) where the file is missing, damaged or not what the record speaks of.
  std::shared_ptr<const SearchTablesFile> load(const ExactOwner& owner) const;

  std::int64_t rows() const { return end_row - first_row; }
  friend bool operator==(const ExactRecord&, const ExactRecord&) = default;
};

// What the file of this name says of itself.
std::string exact_mark(const ExactOwner& owner, const std::string& name);

}  // namespace tsmini
