#include "data/used_ids.h"

#include <gtest/gtest.h>

#include "tsmini/dataset.h"
#include "tsmini/import.h"

#include "support/files.h"

namespace tsmini {
namespace {

std::vector<std::string> given(bool tells_apart, std::vector<std::string> ids,
                               std::uint64_t repeated) {
  UsedIds used(tells_apart);
  for (std::string& id : ids) used.add(id);
  EXPECT_EQ(used.repeated(), repeated);
  return ids;
}

using Ids = std::vector<std::string>;

TEST(UsedIds, AreCountedAndStay) {
  EXPECT_EQ(given(false, {"a", "b", "a", "", "a", ""}, 3), (Ids{"a", "b", "a", "", "a", ""}));
  EXPECT_EQ(given(false, {}, 0), Ids{});
}

TEST(UsedIds, AreToldApart) {
  EXPECT_EQ(given(true, {"a", "b", "a", "a", "b"}, 3), (Ids{"a", "b", "a#2", "a#3", "b#2"}));
}

TEST(UsedIds, OfTheInputAreNotGivenAgain) {
  EXPECT_EQ(given(true, {"a", "a#2", "a", "a"}, 2), (Ids{"a", "a#2", "a#3", "a#4"}));
  EXPECT_EQ(given(true, {"a", "a", "a#2", "a#2"}, 2), (Ids{"a", "a#2", "a#2#2", "a#2#3"}));
}

// A day a file, the same bus in each.
TEST(UsedIds, OfAnImport) {
  const TemporaryFolder folder;
  for (const char* day : {"1", "2", "3"}) {
    write_file(folder / (std::string(day) + ".csv"), "id,lon,lat\nbus,10,45\nbus,10.01,45\n");
  }
  ImportOptions options;
  ImportSummary summary = import_files({folder.path()}, folder / "kept.tsd", options);
  EXPECT_EQ(summary.repeated_ids, 2u);
  EXPECT_EQ(Dataset::open(folder / "kept.tsd")[2].id, "bus");
  std::filesystem::remove(folder / "kept.tsd");
  options.read.unique_ids = true;
  summary = import_files({folder.path()}, folder / "apart.tsd", options);
  EXPECT_EQ(summary.repeated_ids, 2u);
  EXPECT_EQ(Dataset::open(folder / "apart.tsd")[2].id, "bus#3");
}

}  // namespace
}  // namespace tsmini
