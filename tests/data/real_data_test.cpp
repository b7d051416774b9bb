// Counts of public data sets, where $TSMINI_DATA names a folder that has them.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "tsmini/dataset.h"
#include "tsmini/import.h"

#include "support/arguments.h"
#include "support/files.h"

namespace tsmini {
namespace {

std::filesystem::path data_file(const char* name) {
  const char* folder = std::getenv("TSMINI_DATA");
  return folder == nullptr ? std::filesystem::path() : std::filesystem::path(folder) / name;
}

TEST(RealData, Porto) {
  const auto file = data_file("porto.tsv.gz");
  if (!std::filesystem::exists(file))
    GTEST_SKIP() << "set TSMINI_DATA to a folder with porto.tsv.gz";
  const TemporaryFolder out;
  const ImportSummary summary = import_files(
      {file}, out / "x.tsd", import_options_from("--bbox=-8.7005,41.1001,-8.5192,41.2086"));
  EXPECT_EQ(summary.trajectories, 13'707u);
  const Dataset data = Dataset::open(out / "x.tsd");
  data.verify();
  EXPECT_EQ(data.size(), 13'707u);
}

TEST(RealData, Geolife) {
  const auto file = data_file("geolife.tsv.gz");
  if (!std::filesystem::exists(file))
    GTEST_SKIP() << "set TSMINI_DATA to a folder with geolife.tsv.gz";
  const TemporaryFolder out;
  const ImportSummary summary = import_files({file}, out / "x.tsd", {});
  EXPECT_EQ(summary.trajectories, 12'000u);
  Dataset::open(out / "x.tsd").verify();
}

}  // namespace
}  // namespace tsmini
