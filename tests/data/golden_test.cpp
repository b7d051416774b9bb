// A file written by version 1 stays readable for ever.
//
// tests/data/golden/v1.tsd was written by the function below; to make one for a later version, run
//   TSMINI_WRITE_GOLDEN=FILE tests_data --gtest_filter=Golden.*
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/datasets.h"
#include "support/files.h"
#include "support/imports.h"

namespace tsmini {
namespace {

const std::vector<OwnedTrajectory> contents{
    {"taxi 7",
     {{-8.618643, 41.141412}, {-8.618499, 41.141376}, {-8.620326, 41.14251}},
     {1372636858, 1372636873, 1372636888}},
    {"\xe5\x8c\x97\xe4\xba\xac", {{116.3, 39.9}, {-180, -90}, {180, 90}}, {}},
    {"", {{0, 0}}, {-1}},
    {"taxi 7", {{1e-9, -1e-9}, {0.1, 0.2}}, {}}};
const std::vector<Part> parts{Part::train, Part::validation, Part::test, Part::none};

TEST(Golden, Version1StaysReadable) {
  if (const char* path = std::getenv("TSMINI_WRITE_GOLDEN")) write_dataset(path, contents, parts);
  const Dataset data = Dataset::open(TSMINI_SOURCE_DIR "/tests/data/golden/v1.tsd");
  data.verify();
  EXPECT_EQ(lines_of(data),
            (std::vector<std::string>{
                "taxi 7 | 1372636858 1372636873 1372636888 | "
                "-8.618643 41.141412,-8.618499 41.141376,-8.620326 41.14251 | train",
                "\xe5\x8c\x97\xe4\xba\xac |  | 116.3 39.9,-180 -90,180 90 | validation",
                " | -1 | 0 0 | test", "taxi 7 |  | 1e-09 -1e-09,0.1 0.2 | none"}));
  expect_same(data, built(contents, parts));
  EXPECT_EQ(data.info().provenance, "{\"made\":\"by a test\"}");
  EXPECT_EQ(data.info().extent, (Box{-180, -90, 180, 90}));
}

TEST(Golden, Version1IsStillWrittenAlike) {
  const TemporaryFolder folder;
  write_dataset(folder / "now.tsd", contents, parts);
  EXPECT_EQ(read_file(folder / "now.tsd"), read_file(TSMINI_SOURCE_DIR "/tests/data/golden/v1.tsd"))
      << "the bytes changed: raise the version, keep the golden file, add a new one";
}

}  // namespace
}  // namespace tsmini
