// A new collection is on the disk with its name and that of every folder above it that was made.
#include <algorithm>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tsmini/collection.h"

#include "store/small_collection.h"
#include "support/files.h"

namespace {

std::mutex mutex;
std::vector<std::string> synchronised;  // in this order

}  // namespace

// In place of libc's, for this program and the libraries it uses.
extern "C" int fsync(int file) {
  static const auto original = reinterpret_cast<int (*)(int)>(::dlsym(RTLD_NEXT, "fsync"));
  std::error_code ignored;
  const auto name =
      std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file), ignored).string();
  {
    const std::lock_guard lock(mutex);
    synchronised.push_back(name);
  }
  return original(file);
}

namespace tsmini {
namespace {

TEST(StoreSync, ANewCollectionAndTheFoldersAboveIt) {
  const TemporaryFolder folder;
  synchronised.clear();
  Collection::create(folder / "deep/er/c", small_model());
  const auto last = [&](const std::string& name) {
    const auto place = std::find(synchronised.rbegin(), synchronised.rend(), name);
    EXPECT_NE(place, synchronised.rend()) << name << " was not synchronised";
    return synchronised.rend() - place;
  };
  const std::string root = std::filesystem::canonical(folder.path()).string();
  for (const char* name : {"", "/deep", "/deep/er", "/deep/er/c"}) last(root + name);
  // The database gets its name when everything else has one.
  ASSERT_GE(synchronised.size(), 2u);
  EXPECT_EQ(synchronised.back(), root + "/deep/er/c");
  EXPECT_EQ(synchronised[synchronised.size() - 2], root + "/deep/er/c");
  const auto is_written = [&](const std::string& end) {
    return std::any_of(synchronised.begin(), synchronised.end(), [&](const std::string& name) {
      return name.starts_with(root + "/deep/er/c/tsmini-unfinished-") && name.ends_with(end);
    });
  };
  EXPECT_TRUE(is_written(".safetensors"));
  EXPECT_TRUE(is_written(".db"));
}

}  // namespace
}  // namespace tsmini
