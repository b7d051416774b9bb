// Reading without permission to write the folder, where SQLite cannot lock, while others write.
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tsmini/collection.h"

#include "store/small_collection.h"
#include "support/files.h"
#include "support/process.h"

namespace tsmini {
namespace {

namespace fs = std::filesystem;

// Who writes and who may not are two users, so root it is, who may become another.
Words as_nobody(Words words) {
  words.insert(words.begin(), {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"});
  return words;
}

class StoreFrozen : public testing::Test {
 protected:
  void SetUp() override {
    constexpr int wants_arguments = 2;
    if (::geteuid() != 0 ||
        run_command(as_nobody({TSMINI_FROZEN_READER})).status != wants_arguments) {
      GTEST_SKIP() << "cannot run a program as somebody else";
    }
    fs::permissions(folder_.path(), fs::perms(0755));
    Collection::create(folder_ / "c", small_model()).add(small_trips(50));
  }

  TemporaryFolder folder_;
};

// Whoever closes a collection last writes its log into the database: with nobody else about, that
// is after every batch.
TEST_F(StoreFrozen, NeverSeesHalfOfAChange) {
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int batch = 0; !done; ++batch) {
      Collection collection = Collection::open(folder_ / "c");
      collection.add(small_trips(10, "b" + std::to_string(batch) + "-", 7));
      if (batch == 0) continue;
      std::vector<std::string> ids;
      for (int i = 0; i < 10; ++i) {
        ids.push_back("b" + std::to_string(batch - 1) + "-" + std::to_string(i));
      }
      collection.remove(ids);
      if (batch % 5 == 4) collection.compact();
    }
  });
  const ProcessResult reader =
      run_command(as_nobody({TSMINI_FROZEN_READER, (folder_ / "c").string(), "300"}));
  done = true;
  writer.join();
  EXPECT_EQ(reader.status, 0) << reader.errors;
  Collection::open(folder_ / "c").verify();
}

TEST_F(StoreFrozen, CanBeReadWhereNobodyWrites) {
  const ProcessResult reader =
      run_command(as_nobody({TSMINI_FROZEN_READER, (folder_ / "c").string(), "10"}));
  EXPECT_EQ(reader.status, 0) << reader.errors;
  for (const std::string& name : folder_.names()) {
    EXPECT_FALSE(name.ends_with("-wal") || name.ends_with("-shm")) << name;
  }
}

}  // namespace
}  // namespace tsmini
