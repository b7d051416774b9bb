// A disk that has no room for more while trips are added.
#include <atomic>
#include <cerrno>
#include <string>

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include "tsmini/collection.h"

#include "store/small_collection.h"
#include "store/writing.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

// Stands between SQLite and the disk.
class SmallDisk {
 public:
  SmallDisk() {
    for (const char* call : {"pwrite", "pwrite64"}) {
      sqlite3_vfs* const files = sqlite3_vfs_find(nullptr);
      if (files->xGetSystemCall(files, call) != nullptr) {
        files->xSetSystemCall(files, call, reinterpret_cast<sqlite3_syscall_ptr>(&write));
      }
    }
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    sqlite3_vfs* const files = sqlite3_vfs_find(nullptr);
    files->xSetSystemCall(files, nullptr, nullptr);  // all of them as they were
    room_ = unlimited;
  }

  // For so many bytes more.
  static void make_room(long bytes) {
    refused_ = 0;
    room_ = bytes;
  }
  static int refused() { return refused_; }

  static constexpr long unlimited = 1L << 60;

 private:
  static ssize_t write(int file, const void* bytes, std::size_t size, off_t at) {
    if ((room_ -= static_cast<long>(size)) < 0) {
      ++refused_;
      errno = ENOSPC;
      return -1;
    }
    return ::pwrite(file, bytes, size, at);
  }

  static inline std::atomic<long> room_ = unlimited;
  static inline std::atomic<int> refused_ = 0;
};

TEST(StoreFullDisk, AddingSaysHowMuchStays) {
  const TemporaryFolder folder;
  const SmallDisk disk;
  Collection collection = Collection::create(folder / "c", small_model());
  collection.add(small_trips(10));
  // From no room at all to enough for the first of two transactions.
  const Dataset more = small_trips(9000, "m", 3);
  std::uint64_t stay = 0;
  bool was_partial = false;
  for (long room = 0; room < 16'000'000 && !was_partial && !testing::Test::HasFailure();
       room += 800'000) {
    SmallDisk::make_room(room);
    AddOptions options;
    options.duplicates = Duplicates::skip;
    const std::uint64_t before = stay;
    expect_error(
        ErrorCode::failure,
        "collection.db: cannot write: no space left; (0|8,192) of [89],\\d+ trips were added "
        "and stay",
        "what was there before is unharmed", [&] { collection.add(more, options); });
    EXPECT_GT(SmallDisk::refused(), 0);
    SmallDisk::make_room(SmallDisk::unlimited);
    stay = collection.size() - 10;
    EXPECT_TRUE(stay == before || stay == most_embedded_at_once) << stay;
    was_partial |= stay == most_embedded_at_once;
    collection.verify();
    Collection::open(folder / "c").verify();
  }
  EXPECT_TRUE(was_partial) << "the second transaction never met the full disk";
  // With room again the same handle goes on.
  AddOptions options;
  options.duplicates = Duplicates::skip;
  EXPECT_EQ(collection.add(more, options).added, 9000 - stay);
  collection.verify();
}

TEST(StoreFullDisk, RemovingAndIndexing) {
  const TemporaryFolder folder;
  const SmallDisk disk;
  Collection collection = Collection::create(folder / "c", small_model());
  const Dataset data = small_trips(200);
  collection.add(data);
  collection.make_index();
  collection.add(small_trips(50, "u", 2));
  SmallDisk::make_room(0);
  expect_error(ErrorCode::failure, "no space left", "unharmed",
               [&] { collection.remove(std::vector<std::string>{"t1"}); });
  expect_error(ErrorCode::failure, "no space left", "unharmed", [&] { collection.make_index(); });
  expect_error(ErrorCode::failure, "no space left", "unharmed", [&] { collection.compact(); });
  EXPECT_GT(SmallDisk::refused(), 0);
  // What is there can be searched meanwhile.
  EXPECT_EQ(ids_of(collection.search(data[1].points, {.k = 1})), std::vector<std::string>{"t1"});
  SmallDisk::make_room(SmallDisk::unlimited);
  EXPECT_EQ(collection.size(), 250u);
  collection.verify();
  collection.compact();
  collection.verify();
}

TEST(StoreFullDisk, MakingOneLeavesNothing) {
  const TemporaryFolder folder;
  const SmallDisk disk;
  SmallDisk::make_room(10'000);
  expect_error(ErrorCode::failure, "no space left", "",
               [&] { Collection::create(folder / "c", small_model()); });
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
  SmallDisk::make_room(SmallDisk::unlimited);
  Collection::create(folder / "c", small_model()).verify();
}

}  // namespace
}  // namespace tsmini
