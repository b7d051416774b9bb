#include "base/file_lock.h"

#include <filesystem>
#include <optional>

#include <gtest/gtest.h>

#include "support/files.h"

namespace tsmini {
namespace {

struct Enough {};

class FileLocks : public testing::Test {
 protected:
  bool is_free() const {
    try {
      const FileLock lock(path_, [](const ProgressState&) { throw Enough(); });
      return true;
    } catch (const Enough&) {
      return false;
    }
  }

  TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "lock";
};

TEST_F(FileLocks, AreHeldByOneAtATime) {
  {
    const FileLock lock(path_);
    EXPECT_FALSE(is_free());
  }
  EXPECT_TRUE(is_free());
  EXPECT_TRUE(std::filesystem::exists(path_)) << "the file stays";
}

TEST_F(FileLocks, AreOfTheFileThatHasTheName) {
  std::optional<FileLock> first(path_);
  const FileLock second(path_, [&](const ProgressState&) {
    std::filesystem::remove(path_);
    first.reset();
  });
  EXPECT_TRUE(std::filesystem::exists(path_));
  EXPECT_FALSE(is_free());
}

}  // namespace
}  // namespace tsmini
