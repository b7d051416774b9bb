// What lies in the folder of a collection, and connections to its database.
//
//   collection.db        the truth: trips, embeddings, what was removed, which index belongs to it
//   model.safetensors    the model that made the embeddings
//   index-…              an EmbeddingIndex, made anew where it is missing
//
// SQLite adds collection.db-wal and collection.db-shm while somebody writes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "store/sqlite.h"

namespace tsmini {

class CollectionFolder {
 public:
  explicit CollectionFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path database() const { return path_ / "collection.db"; }
  std::filesystem::path model() const { return path_ / "model.safetensors"; }

  // A name for an index that no other has.
  static std::string new_index_name();
  // All index files but this one, also such that were never finished. What cannot be removed stays.
  void remove_other_indexes(const std::string& kept) const;

 private:
  std::filesystem::path path_;
};

// Waits until what was written to the file, and its name, are on the disk. Throws Error(failure).
void make_durable(const std::filesystem::path& file);

// So many random hexadecimal digits.
std::string random_digits(std::size_t count);

// XXH3-64 of a whole file, as 16 hexadecimal digits.
std::string file_checksum(const std::filesystem::path& file);

// Connections for reading, lent to one search at a time and kept for the next.
//
// Where the folder cannot be written, SQLite cannot keep its notes of readers and writers there; a
// database that nobody writes is then read as a frozen file. Should it change all the same, the
// next connection sees it.
class Readers {
 public:
  // One that is not kept. It may be of any collection.
  static std::unique_ptr<Database> open(const CollectionFolder& folder);

  // Throws Error(failure) from borrow() where the folder became another collection's meanwhile.
  Readers(CollectionFolder folder, std::string identity)
      : folder_(std::move(folder)), identity_(std::move(identity)) {}

  // What tells one frozen state of the file from another; where it can be written, SQLite does.
  struct Stamp {
    bool frozen = false;
    std::int64_t seconds = 0, nanoseconds = 0, size = 0;

    friend bool operator==(const Stamp&, const Stamp&) = default;
  };

  class Lease {
   public:
    Lease(Readers& owner, std::unique_ptr<Database> database, const Stamp& stamp)
        : owner_(&owner), database_(std::move(database)), stamp_(stamp) {}
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease();

    Database& operator*() const { return *database_; }
    Database* operator->() const { return database_.get(); }

   private:
    Readers* owner_;
    std::unique_ptr<Database> database_;
    Stamp stamp_;
  };

  Lease borrow();

 private:
  static Stamp stamp_of(const CollectionFolder& folder);

  CollectionFolder folder_;
  std::string identity_;
  std::mutex mutex_;
  Stamp stamp_;
  std::vector<std::unique_ptr<Database>> idle_;
};

}  // namespace tsmini
