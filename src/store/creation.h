// Makes the folder of a new collection: by one at a time, and whole or not at all.
//
//   NewCollection made(folder);         // throws where there is one, or another is making one
//   write(made.database());             // and a model to made.model(), where there is one
//   made.publish();                     // now it is a collection, and survives a power cut
//
// A folder is a collection from the moment that there is a `collection.db` in it, which appears in
// one step. Until then whoever makes it holds a lock on a file named `tsmini-unfinished` and writes
// to files whose names begin so. The lock ends with its process: the next one takes the place of
// one that was killed, and removes what that left behind.
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include "base/file.h"
#include "store/folder.h"
#include "store/sqlite.h"

namespace tsmini {

// The sole right to make, or take back, the collection of a folder. Its file is removed in the end.
class FolderClaim {
 public:
  // None where the folder is not there. Throws Error(failure) where the file cannot be made, or
  // another has it and `wait` is not asked for.
  static std::optional<FolderClaim> take(const CollectionFolder& folder, bool wait);

  FolderClaim(FolderClaim&&) = default;
  FolderClaim& operator=(FolderClaim&&) = delete;
  ~FolderClaim();

 private:
  FolderClaim(std::filesystem::path file, FileHandle lock)
      : file_(std::move(file)), lock_(std::move(lock)) {}

  std::filesystem::path file_;
  FileHandle lock_;
};

class NewCollection {
 public:
  // The folder may be there and empty. Throws Error(failure).
  explicit NewCollection(const std::filesystem::path& folder);
  NewCollection(const NewCollection&) = delete;
  NewCollection& operator=(const NewCollection&) = delete;
  // Takes everything back that was not published.
  ~NewCollection();

  // To be written and closed before publish(): a model, where the collection begins with one, which
  // becomes its first, and the database. SQLite may put files beside the second.
  const std::filesystem::path& model() const { return model_; }
  const std::filesystem::path& database() const { return database_; }

  void publish();

 private:
  CollectionFolder folder_;
  std::filesystem::path model_, database_;
  bool has_made_folder_ = false;
  std::optional<FolderClaim> claim_;
};

// Throws Error(bad_input) for a folder that is not there, or holds no collection or only the
// beginnings of one; the second, for a database of a collection that 0.1.0 did not finish.
void check_finished(const CollectionFolder& folder);
void check_finished(const CollectionFolder& folder, Database& database);

// Removes a collection that no trip was ever added to, and leaves its folder empty; false where
// there was one. `writer` is a connection to it: whoever would write at the same moment comes
// before, or is told that it is gone.
bool remove_unused(const CollectionFolder& folder, Database& writer);

}  // namespace tsmini
