// Folders as the input of an import.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/import.h"

#include "data/input_files.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/imports.h"

namespace tsmini {
namespace {

using Lines = std::vector<std::string>;

const std::string plt =
    "Geolife trajectory\r\nWGS 84\r\nAltitude is in Feet\r\nReserved 3\r\n"
    "0,2,255,My Track,0,0,2,8421376\r\n0\r\n"
    "39.9,116.4,0,13,39298,1970-01-01,00:00:01\r\n"
    "39.8,116.4,0,13,39298,1970-01-01,00:00:02\r\n";
const std::string tracks = "a\t\t1 2,3 4\n";

TEST(Folder, GeolifeTreeAsPublished) {
  const TemporaryFolder folder;
  write_file(folder / "Geolife/User Guide-1.3.pdf", "%PDF-1.5");
  write_file(folder / "Geolife/Data/010/labels.txt",
             "Start Time\tEnd Time\tTransportation Mode\r\n");
  write_file(folder / "Geolife/Data/010/Trajectory/20070804.plt", plt);
  write_file(folder / "Geolife/Data/000/Trajectory/20081023.plt", plt);
  write_file(folder / "Geolife/Data/000/Trajectory/20081024.plt", plt);
  const ImportSummary summary = import_files({folder / "Geolife"}, folder / "x.tsd", {});
  EXPECT_EQ(summary.files, 3u);
  EXPECT_EQ(summary.formats, Lines{"geolife"});
  EXPECT_EQ(lines_of(Dataset::open(folder / "x.tsd")),
            (Lines{"000_20081023 | 1 2 | 116.4 39.9,116.4 39.8",
                   "000_20081024 | 1 2 | 116.4 39.9,116.4 39.8",
                   "010_20070804 | 1 2 | 116.4 39.9,116.4 39.8"}));
}

TEST(Folder, FilesOfSeveralFormatsInOrderOfName) {
  const TemporaryFolder folder;
  write_file(folder / "in/b/c.tsv", tracks);
  write_file(folder / "in/a.csv", "id,lon,lat\nb,1,2\nb,3,4\n");
  write_file(folder / "in/z.tsv.gz", gzipped("c\t\t1 2,3 4\n"));
  const ImportSummary summary = import_files({folder / "in"}, folder / "x.tsd", {});
  EXPECT_EQ(summary.formats, (Lines{"csv", "tsv"}));
  EXPECT_EQ(summary.files, 3u);
  EXPECT_EQ(lines_of(Dataset::open(folder / "x.tsd")),
            (Lines{"b |  | 1 2,3 4", "a |  | 1 2,3 4", "c |  | 1 2,3 4"}));
}

TEST(Folder, HiddenFilesAndFoldersArePassedOver) {
  const TemporaryFolder folder;
  write_file(folder / "in/.DS_Store", "junk");
  write_file(folder / "in/.git/config", "junk");
  write_file(folder / "in/a.tsv", tracks);
  EXPECT_EQ(paths_of(list_inputs({folder / "in"})), std::vector{folder / "in/a.tsv"});
}

TEST(Folder, WithoutFiles) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "in/deeper");
  expect_error(ErrorCode::bad_input, "in: the folder holds no files", "",
               [&] { import_files({folder / "in"}, folder / "x.tsd", {}); });
}

TEST(Folder, LinksThatLeadBackArePassedOver) {
  const TemporaryFolder folder;
  write_file(folder / "in/a.tsv", tracks);
  write_file(folder / "in/deep/deeper/b.tsv", tracks);
  write_file(folder / "elsewhere/c.tsv", tracks);
  std::filesystem::create_directory_symlink(folder / "in", folder / "in/again");
  std::filesystem::create_directory_symlink(folder / "in/deep", folder / "in/deep/deeper/up");
  std::filesystem::create_directory_symlink(folder / "elsewhere", folder / "in/there");
  const std::vector<std::filesystem::path> expected{
      folder / "in/a.tsv", folder / "in/deep/deeper/b.tsv", folder / "in/there/c.tsv"};
  EXPECT_EQ(paths_of(list_inputs({folder / "in"})), expected);
  EXPECT_EQ(list_inputs({folder / "in/"}).size(), 3u);
}

TEST(Folder, ALinkToItselfIsNamed) {
  const TemporaryFolder folder;
  write_file(folder / "in/a.tsv", tracks);
  std::filesystem::create_symlink("loop", folder / "in/loop");
  expect_error(ErrorCode::bad_input, "in/loop: cannot read: Too many levels of symbolic links",
               "mend or remove it", [&] { list_inputs({folder / "in"}); });
}

}  // namespace
}  // namespace tsmini
