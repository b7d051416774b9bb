// Connections for reading, lent to one search at a time and kept for the next.
//
//   Readers readers(folder);
//   auto trips = readers.read([](const Readers::Lease& lease) { return count_trips(*lease); });
//
// Where the folder cannot be written, SQLite cannot keep its notes of readers and writers there; a
// database without a log is then read as a frozen file, without any locks. Somebody else may have
// the permission to write it: so what was read from a frozen file counts only where the file is
// afterwards what it was before.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tsmini/error.h"

#include "store/folder.h"
#include "store/records.h"
#include "store/sqlite.h"

namespace tsmini {

// Which file the database is and, where it is frozen, in which state.
struct FileStamp {
  std::uint64_t device = 0, inode = 0;  // 0, 0: there is none
  bool frozen = false;
  std::int64_t seconds = 0, nanoseconds = 0, size = 0;  // of the last change, where frozen

  static FileStamp of(const CollectionFolder& folder);
  // The same, once the file has been left alone for longer than its times are coarse: the next
  // change will have another stamp. Throws Error(failure) where it is not left alone.
  static FileStamp settled(const CollectionFolder& folder);

  bool is_same_file(const FileStamp& other) const {
    return device == other.device && inode == other.inode;
  }
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// Error(failure): others change the file so often that it cannot be read without locks.
[[noreturn]] void throw_restless(const CollectionFolder& folder);

// Thrown where a transaction is older than what others have seen by now, or files that it speaks of
// were replaced or removed since it began: then another is needed.
struct Outdated {};

class Readers {
 public:
  // Readers of whatever collection is there.
  explicit Readers(CollectionFolder folder) : folder_(std::move(folder)) {}
  // Readers of this one, in the file that had this stamp.
  Readers(CollectionFolder folder, std::string identity, const FileStamp& stamp)
      : folder_(std::move(folder)), identity_(std::move(identity)), stamp_(stamp) {}

  class Lease {
   public:
    Lease(Readers& owner, std::unique_ptr<Database> database, const FileStamp& stamp)
        : owner_(&owner), database_(std::move(database)), stamp_(stamp) {}
    Lease(Lease&&) = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease();

    Database& operator*() const { return *database_; }
    Database* operator->() const { return database_.get(); }

    const FileStamp& stamp() const { return stamp_; }
    // Whether everything read up to now is of one state, which is still that of the folder's file.
    bool is_sound() const;

   private:
    Readers* owner_;
    std::unique_ptr<Database> database_;
    FileStamp stamp_;
  };

  // What work(lease) returns, in a read transaction. Done again where it was not sound, whatever it
  // returned or threw: nothing that it leaves elsewhere may rest on what it read before it has
  // asked the lease. Throws Error(failure) where the database was removed or replaced.
  template <class Work>
  auto read(const Work& work) {
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      const FileStamp stamp = FileStamp::settled(folder_);
      try {
        const Lease lease = borrow(stamp);
        const Transaction reading(*lease, Transaction::Kind::read);
        if (!identity_.empty()) check_identity(*lease, identity_);
        auto result = work(lease);
        if (lease.is_sound()) return result;
      } catch (const Error& error) {
        if (FileStamp::of(folder_) == stamp && !may_pass(error, attempt)) throw;
      }
    }
    throw_restless(folder_);
  }

  // Throws Error(failure) where the database was removed or replaced.
  void check_in_place();

 private:
  static constexpr int most_attempts = 100;

  // Who may not write the folder can meet the moment at which the last writer has removed one of
  // SQLite's two companions and not yet the other.
  bool may_pass(const Error& error, int attempt) const;

  Lease borrow(const FileStamp& stamp);
  void check_same_file(const FileStamp& stamp) const;

  CollectionFolder folder_;
  std::string identity_;
  std::mutex mutex_;
  std::optional<FileStamp> stamp_;  // of the last that was lent
  std::vector<std::unique_ptr<Database>> idle_;
};

}  // namespace tsmini
