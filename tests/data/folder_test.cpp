// Folders as the input of an import.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "tsmini/import.h"
#include "tsmini/input_list.h"

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
const std::string track_line = "a\t\t1 2,3 4\n";

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
  write_file(folder / "in/b/c.tsv", track_line);
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
  write_file(folder / "in/a.tsv", track_line);
  EXPECT_EQ(paths_of(list_inputs({folder / "in"}).files), std::vector{folder / "in/a.tsv"});
}

TEST(Folder, WithoutFiles) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "in/deeper");
  expect_error(ErrorCode::bad_input, "in: the folder holds no files", "",
               [&] { import_files({folder / "in"}, folder / "x.tsd", {}); });
}

TEST(Folder, LinksThatLeadBackArePassedOver) {
  const TemporaryFolder folder;
  write_file(folder / "in/a.tsv", track_line);
  write_file(folder / "in/deep/deeper/b.tsv", track_line);
  write_file(folder / "elsewhere/c.tsv", track_line);
  std::filesystem::create_directory_symlink(folder / "in", folder / "in/again");
  std::filesystem::create_directory_symlink(folder / "in/deep", folder / "in/deep/deeper/up");
  std::filesystem::create_directory_symlink(folder / "elsewhere", folder / "in/there");
  const std::vector<std::filesystem::path> expected{
      folder / "in/a.tsv", folder / "in/deep/deeper/b.tsv", folder / "in/there/c.tsv"};
  EXPECT_EQ(paths_of(list_inputs({folder / "in"}).files), expected);
  EXPECT_EQ(list_inputs({folder / "in/"}).files.size(), 3u);
}

std::string named_as_foreign(const ImportSummary& summary) {
  std::string text;
  for (const ForeignFile& file : summary.foreign) {
    text += std::filesystem::path(file.path).filename().string() + ": " + file.why + "\n";
  }
  return text;
}

// What no import reads stands beside the tracks, and is named.
TEST(Folder, WhatIsNoFileIsPassedOverByName) {
  const TemporaryFolder folder;
  write_file(folder / "in/a.tsv", track_line);
  write_file(folder / "in/empty.csv", "");
  write_file(folder / "in/sixteen.csv", std::string_view("\xff\xfei\0d\0", 6));
  write_file(folder / "in/sixteen.txt", std::string_view("\xfe\xff\0i\0d", 6));
  std::filesystem::create_symlink("loop", folder / "in/loop");
  std::filesystem::create_symlink("gone.tsv", folder / "in/nowhere");
  std::filesystem::create_symlink("/dev/zero", folder / "in/zero");
  ASSERT_EQ(::mkfifo((folder / "in/pipe").c_str(), 0600), 0);
  const ImportSummary summary = import_files({folder / "in"}, folder / "x.tsd", {});
  EXPECT_EQ(lines_of(Dataset::open(folder / "x.tsd")), Lines{"a |  | 1 2,3 4"});
  EXPECT_EQ(summary.files, 1u);
  EXPECT_EQ(summary.foreign_files, 7u);
  EXPECT_EQ(named_as_foreign(summary),
            "loop: the link leads to itself\n"
            "nowhere: the link leads nowhere\n"
            "pipe: a pipe, not a file\n"
            "zero: a device, not a file\n"
            "empty.csv: the file is empty\n"
            "sixteen.csv: the file is UTF-16\n"
            "sixteen.txt: the file is UTF-16\n");
}

TEST(Folder, WithNothingButWhatIsNoFile) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "in");
  std::filesystem::create_symlink("loop", folder / "in/loop");
  expect_error(ErrorCode::bad_input, "in: the folder holds no files",
               "loop: the link leads to itself",
               [&] { import_files({folder / "in"}, folder / "x.tsd", {}); });
}

// With columns that were named, too.
TEST(Folder, Utf16AmongNamedColumns) {
  const TemporaryFolder folder;
  write_file(folder / "in/a.csv", "1,2\n2,3\n");
  write_file(folder / "in/b.csv", std::string_view("\xff\xfe\x31\0,\0\x32\0\n\0", 10));
  ImportOptions options;
  options.read.columns = "lon=1,lat=2";
  EXPECT_EQ(import_files({folder / "in"}, folder / "x.tsd", options).foreign_files, 1u);
  expect_error(ErrorCode::bad_input, "b.csv: the file is UTF-16", "iconv -f utf-16 -t utf-8",
               [&] { import_files({folder / "in/b.csv"}, folder / "x.tsd", options); });
}

// A zip whose files are stored holds rows as they are.
TEST(Folder, ArchivesAreNoTables) {
  const TemporaryFolder folder;
  write_file(folder / "in/a.csv", "1,2\n2,3\n");
  write_file(folder / "in/old.zip", std::string_view("PK\x03\x04\x0a\0\n1,2\n2,3\n", 15));
  ImportOptions options;
  options.read.columns = "lon=1,lat=2";
  const ImportSummary summary = import_files({folder / "in"}, folder / "x.tsd", options);
  EXPECT_EQ(summary.trajectories, 1u);
  ASSERT_EQ(summary.foreign.size(), 1u);
  EXPECT_EQ(summary.foreign[0].why, "the file is an archive (zip)");
  expect_error(ErrorCode::bad_input, "old.zip: the file is an archive", "unpack it first",
               [&] { import_files({folder / "in/old.zip"}, folder / "x.tsd", {}); });
}

// What may hold tracks is not passed over: it ends the import, or is counted.
TEST(Folder, WhatCannotBeReadIsAnError) {
  const TemporaryFolder folder;
  write_file(folder / "in/a.tsv", track_line);
  write_file(folder / "in/cut.tsv.gz", gzipped(track_line).substr(0, 15));
  write_file(folder / "in/secret.tsv", track_line);
  ImportOptions options;
  expect_error(ErrorCode::bad_input, "cut.tsv.gz: the gzip file is cut short", "`on_error=skip`",
               [&] { import_files({folder / "in"}, folder / "x.tsd", options); });
  options.on_error = OnError::skip;
  const bool is_secret = ::geteuid() != 0;  // nothing is to root
  if (is_secret) {
    std::filesystem::permissions(folder / "in/secret.tsv", std::filesystem::perms::none);
  }
  const ImportSummary summary = import_files({folder / "in"}, folder / "x.tsd", options);
  EXPECT_EQ(summary.bad_records, is_secret ? 2u : 1u);
  EXPECT_EQ(summary.foreign_files, 0u);
}

// Also where the damage comes behind the first 64 KiB, in a header, and columns were named.
TEST(Folder, WhatCannotBeReadToTheEndOfItsHeaderIsAnError) {
  std::string header = "lon,lat";
  std::uint32_t x = 1;
  while (header.size() < 400'000) header += ",c" + std::to_string(x = x * 1664525 + 1013904223);
  const std::string packed = gzipped(header + "\n1,2\n3,4\n");
  const TemporaryFolder folder;
  write_file(folder / "in/a.csv", "lon,lat\n1,2\n3,4\n");
  write_file(folder / "in/x.csv.gz", packed.substr(0, packed.size() / 2));
  for (const char* columns : {"", "lon=lon,lat=lat"}) {
    ImportOptions options;
    options.read.columns = columns;
    options.read.attributes.emplace();
    expect_error(ErrorCode::bad_input, "x.csv.gz: the gzip file is cut short", "`on_error=skip`",
                 [&] { import_files({folder / "in"}, folder / "x.tsd", options); });
    options.on_error = OnError::skip;
    const ImportSummary summary = import_files({folder / "in"}, folder / "x.tsd", options);
    EXPECT_EQ(summary.bad_records, 1u);
    EXPECT_EQ(summary.foreign_files, 0u);
  }
}

TEST(Folder, AHeaderThatDoesNotFitIsPassedOverWithItsReason) {
  const TemporaryFolder folder;
  write_file(folder / "in/a.csv", "east,north\n1,2\n3,4\n");
  write_file(folder / "in/b.csv", "when,what\n1,2\n");
  write_file(folder / "in/c.csv", "east,north,east\n1,2,3\n");
  ImportOptions options;
  options.read.columns = "lon=east,lat=north";
  EXPECT_EQ(named_as_foreign(import_files({folder / "in"}, folder / "x.tsd", options)),
            "b.csv: there is no column 'east'\n"
            "c.csv: the columns 1 and 3 are both called 'east'\n");
}

TEST(Folder, ForeignFilesAreNamedUpToABound) {
  const TemporaryFolder folder;
  write_file(folder / "in/z.tsv", track_line);
  for (int i = 0; i < 1010; ++i)
    write_file(folder / ("in/" + std::to_string(i) + ".md"), "# Notes");
  const ImportSummary summary = import_files({folder / "in"}, folder / "x.tsd", {});
  EXPECT_EQ(summary.foreign_files, 1010u);
  EXPECT_EQ(summary.foreign.size(), 1000u);
  const auto origin = nlohmann::json::parse(Dataset::open(folder / "x.tsd").info().provenance);
  EXPECT_EQ(origin["foreign_files"], 1010);
  EXPECT_EQ(origin["foreign"], (Lines{"0.md", "1.md", "10.md", "100.md", "1000.md"}));
}

// What a data set says of its making does not tell where that was.
TEST(Folder, TheSameFilesElsewhereMakeTheSameBytes) {
  const TemporaryFolder here, there;
  for (const TemporaryFolder* folder : {&here, &there}) {
    write_file(*folder / "deeper/in/a.tsv", track_line);
    write_file(*folder / "deeper/in/README", "# Notes");
  }
  import_files({here / "deeper/in"}, here / "x.tsd", {});
  import_files({there / "deeper/in"}, there / "x.tsd", {});
  import_files({there / "deeper/in/"}, there / "y.tsd", {});
  EXPECT_EQ(read_file(here / "x.tsd"), read_file(there / "x.tsd"));
  EXPECT_EQ(read_file(here / "x.tsd"), read_file(there / "y.tsd")) << "with a slash behind it";
}

}  // namespace
}  // namespace tsmini
