#include "tsmini/import.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/dataset.h"
#include "tsmini/error.h"

#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/imports.h"

namespace tsmini {
namespace {

using Lines = std::vector<std::string>;

std::string tsv_of(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += fmt::format("t{}\t\t{} 0,{} 1\n", i, static_cast<double>(i) * 1e-4,
                        static_cast<double>(i) * 1e-4);
  }
  return text;
}

TEST(Import, OptionsThatMakeNoSense) {
  for (const char* options :
       {"--min-points 5 --max-points 4", "--max-speed 0", "--max-speed -1", "--thin 0",
        "--cut-gap 0", "--cut-length 0", "--cut-stay 0,10", "--cut-stay 10,0", "--sample 0",
        "--bbox=1,0,0,1", "--bbox=0,1,1,0"}) {
    expect_error(ErrorCode::usage, "^`", "", [&] { import_text(tsv_of(2), "a.tsv", options); });
  }
}

TEST(Import, SpecificationsOfColumnsThatMakeNoSense) {
  const std::string csv = "id,lon,lat\na,1,2\na,2,3\n";
  expect_error(ErrorCode::usage, "`columns`: 'id' is not ROLE=COLUMN", "for example",
               [&] { import_text(csv, "a.csv", "--format csv --columns id"); });
  expect_error(ErrorCode::usage, "`columns`: '=id' is not ROLE=COLUMN", "for example",
               [&] { import_text(csv, "a.csv", "--format csv --columns =id"); });
}

TEST(Import, FormatNames) {
  EXPECT_EQ(format_from("GeoJSON"), Format::geojson);
  expect_error(ErrorCode::usage, "'shp' is not a format", "auto, porto, geolife",
               [] { format_from("shp"); });
}

TEST(Import, SamplesSeeded) {
  const Imported all = import_text(tsv_of(200), "a.tsv");
  const Imported a = import_text(tsv_of(200), "a.tsv", "--sample 50 --seed 3");
  const Imported b = import_text(tsv_of(200), "a.tsv", "--sample 50 --seed 3");
  const Imported c = import_text(tsv_of(200), "a.tsv", "--sample 50 --seed 4");
  EXPECT_EQ(a.data.size(), 50u);
  EXPECT_EQ(count_of(a.summary, Drop::not_sampled), 150u);
  EXPECT_EQ(a.summary.points, 100u);
  EXPECT_EQ(lines_of(a.data), lines_of(b.data));
  EXPECT_NE(lines_of(a.data), lines_of(c.data));
  const Lines known = lines_of(all.data);
  for (const std::string& line : lines_of(a.data)) {
    EXPECT_NE(std::find(known.begin(), known.end(), line), known.end());
  }
  EXPECT_EQ(import_text(tsv_of(20), "a.tsv", "--sample 50").data.size(), 20u);
}

TEST(Import, SamplesAndSplits) {
  const Imported found =
      import_text(tsv_of(100), "a.tsv", "--sample 10 --split 5,2,3 --split-order random");
  EXPECT_EQ(found.data.indices_of(Part::train).size(), 5u);
  EXPECT_EQ(found.data.indices_of(Part::validation).size(), 2u);
  EXPECT_EQ(found.data.indices_of(Part::test).size(), 3u);
}

// One seed draws both, in two imports, but not from the same numbers: of the 200, as many are
// expected in each part as a fifth of it, with a deviation of 5.8, 3.8 and 5.1.
TEST(Import, ASampleIsDrawnFromAllPartsOfARandomSplit) {
  const TemporaryFolder folder;
  write_file(folder / "a.tsv", tsv_of(1000));
  ImportOptions split, sample;
  split.split = SplitOptions{.train = 0.7, .validation = 0.1, .test = 0.2, .random = true};
  sample.sample = 200;
  import_files({folder / "a.tsv"}, folder / "a.tsd", split);
  import_files({folder / "a.tsd"}, folder / "b.tsd", sample);
  const Dataset drawn = Dataset::open(folder / "b.tsd");
  const auto share = [&](Part part) { return static_cast<double>(drawn.indices_of(part).size()); };
  EXPECT_NEAR(share(Part::train), 140, 24);
  EXPECT_NEAR(share(Part::validation), 20, 16);
  EXPECT_NEAR(share(Part::test), 40, 21);
}

TEST(Import, SharesOfMoreThanAllAreRefused) {
  expect_error(ErrorCode::usage, "shares of the `split` add up to 1.4", "0.7, 0.1 and 0.2",
               [] { import_text(tsv_of(10), "a.tsv", "--split 0.7,0.5,0.2"); });
}

// A trip of a data set that has no value of a column is none that keeps it.
TEST(Import, CountsTripsThatHaveAValue) {
  const TemporaryFolder folder;
  write_file(folder / "a.tsv", "a\t\t1 2,3 4\t{\"v\":1}\nb\t\t1 2,3 4\n");
  import_files({folder / "a.tsv"}, folder / "a.tsd", {});
  const ImportSummary again = import_files({folder / "a.tsd"}, folder / "b.tsd", {});
  ASSERT_EQ(again.columns.size(), 1u);
  EXPECT_EQ(again.columns[0].kept, 1u);
}

TEST(Import, AFailedSampleLeavesNothing) {
  expect_error(ErrorCode::bad_input, "split wants", "",
               [] { import_text(tsv_of(100), "a.tsv", "--sample 10 --split 50,2,3"); });
}

TEST(Import, SaysWhereItCameFrom) {
  const Imported found = import_text("a\t\t1 2,1 2,3 4\nb\t\t1 2\nc\tx\t1 2\n", "a.tsv",
                                     "--on-error skip --sample 5 --seed 9");
  const auto json = nlohmann::json::parse(found.data.info().provenance);
  EXPECT_EQ(json["inputs"], nlohmann::json::array({"a.tsv"}));
  EXPECT_EQ(json["formats"], nlohmann::json::array({"tsv"}));
  EXPECT_EQ(json["tracks"], 3);
  EXPECT_EQ(json["bad_records"], 1);
  EXPECT_EQ(json["duplicate_points"], 1);
  EXPECT_EQ(json["dropped"].size(), 1u);
  EXPECT_EQ(json["seed"], 9);
}

TEST(Import, OfADatasetCleansItAnew) {
  const TemporaryFolder folder;
  write_dataset(folder / "a.tsd", {{"a", {{1, 2}, {1, 2}, {3, 4}}, {1, 2, 3}},
                                   {"b", {{1, 2}}, {}},
                                   {"c", {{50, 2}, {51, 2}}, {}}});
  ImportOptions options;
  options.clean.bbox = Box{0, 0, 10, 10};
  const auto summary = import_files({folder / "a.tsd"}, folder / "b.tsd", options);
  EXPECT_EQ(summary.formats, Lines{"tsd"});
  EXPECT_EQ(lines_of(Dataset::open(folder / "b.tsd")), Lines{"a | 1 3 | 1 2,3 4"});
  EXPECT_EQ(count_of(summary, Drop::too_short), 1u);
  EXPECT_EQ(count_of(summary, Drop::outside_box), 1u);
}

TEST(Import, OfADatasetKeepsItsSplitAndWhereItCameFrom) {
  const TemporaryFolder folder;
  write_dataset(folder / "a.tsd",
                {{"a", {{1, 2}, {3, 4}}, {1, 2}},
                 {"short", {{1, 2}}, {}},
                 {"b", {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, {1, 2, 99, 100}},
                 {"c", {{1, 2}, {3, 4}}, {}},
                 {"d", {{1, 2}, {3, 4}}, {}}},
                {Part::train, Part::train, Part::test, Part::none, Part::validation});
  write_file(folder / "e.tsv", "e\t\t1 2,3 4\n");
  ImportOptions options;
  options.cut.gap = 10;
  import_files({folder / "e.tsv", folder / "a.tsd", folder / "e.tsv"}, folder / "b.tsd", options);
  const Dataset data = Dataset::open(folder / "b.tsd");
  EXPECT_EQ(lines_of(data), (Lines{"e |  | 1 2,3 4 | none", "a | 1 2 | 1 2,3 4 | train",
                                   "b_0 | 1 2 | 1 2,3 4 | test", "b_1 | 99 100 | 5 6,7 8 | test",
                                   "c |  | 1 2,3 4 | none", "d |  | 1 2,3 4 | validation",
                                   "e |  | 1 2,3 4 | none"}));
  const auto provenance = nlohmann::json::parse(data.info().provenance);
  EXPECT_EQ(provenance["from"].dump(), R"([{"file":"a.tsd","provenance":{"made":"by a test"}}])");

  import_files({folder / "b.tsd"}, folder / "c.tsd", {});
  const Dataset again = Dataset::open(folder / "c.tsd");
  expect_same(again, data);
  const auto chain = nlohmann::json::parse(again.info().provenance);
  EXPECT_EQ(chain["from"][0]["provenance"], provenance);
}

TEST(Import, OfADatasetGivesTheSampleAndTheNewSplitWhatTheyAskFor) {
  const TemporaryFolder folder;
  std::vector<Part> parts;
  for (int i = 0; i < 200; ++i) parts.push_back(static_cast<Part>(i % 4));
  write_dataset(folder / "a.tsd", random_trajectories(200, 3), parts);
  ImportOptions options;
  options.sample = 50;
  import_files({folder / "a.tsd"}, folder / "b.tsd", options);
  const Dataset sample = Dataset::open(folder / "b.tsd");
  ASSERT_EQ(sample.size(), 50u);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const std::size_t number = std::stoul(std::string(sample[i].id.substr(5)));
    EXPECT_EQ(sample.part(i), parts[number]) << sample[i].id;
  }
  options.split = SplitOptions{0.5, 0, 0.5, false};
  import_files({folder / "a.tsd"}, folder / "c.tsd", options);
  EXPECT_EQ(Dataset::open(folder / "c.tsd").indices_of(Part::train).size(), 25u);
  EXPECT_EQ(Dataset::open(folder / "c.tsd").indices_of(Part::validation).size(), 0u);
}

TEST(Import, OfADatasetOntoItself) {
  const TemporaryFolder folder;
  write_dataset(folder / "a.tsd", {{"a", {{1, 2}, {3, 4}}, {}}, {"b", {{1, 2}}, {}}});
  import_files({folder / "a.tsd"}, folder / "a.tsd", {});
  EXPECT_EQ(lines_of(Dataset::open(folder / "a.tsd")), Lines{"a |  | 1 2,3 4"});
  EXPECT_EQ(folder.names(), Lines{"a.tsd"});
}

TEST(Import, OfADatasetOfTheOtherCoordinates) {
  const TemporaryFolder folder;
  write_dataset(folder / "a.tsd", {{"a", {{1, 2}, {3, 4}}, {}}}, {}, Coordinates::planar);
  expect_error(ErrorCode::bad_input, "a.tsd: coordinates are planar",
               "^add `planar`: all of an import",
               [&] { import_files({folder / "a.tsd"}, folder / "b.tsd", {}); });
  ImportOptions planar;
  planar.read.planar = true;
  import_files({folder / "a.tsd"}, folder / "b.tsd", planar);
  EXPECT_EQ(Dataset::open(folder / "b.tsd").info().coordinates, Coordinates::planar);
}

TEST(Import, FailsAtOnceWhereItCannotWrite) {
  const TemporaryFolder folder;
  write_file(folder / "a.tsv", tsv_of(2));
  expect_error(ErrorCode::failure, "no/x.tsd: cannot write", "create the folder first",
               [&] { import_files({folder / "a.tsv"}, folder / "no/x.tsd", {}); });
  expect_error(ErrorCode::failure, "cannot write: Is a directory", "",
               [&] { import_files({folder / "a.tsv"}, folder.path(), {}); });
  EXPECT_EQ(folder.names(), Lines{"a.tsv"});
}

TEST(Import, KeepsTheOldFileWhereItFails) {
  const TemporaryFolder folder;
  write_file(folder / "a.tsv", "a\t\t1 2,x\n");
  write_dataset(folder / "x.tsd", {{"old", {{1, 2}}, {}}});
  EXPECT_THROW(import_files({folder / "a.tsv"}, folder / "x.tsd", {}), Error);
  EXPECT_EQ(lines_of(Dataset::open(folder / "x.tsd")), Lines{"old |  | 1 2"});
  EXPECT_EQ(folder.names(), (Lines{"a.tsv", "x.tsd"}));
}

TEST(Import, TellsItsProgressAndCanBeStopped) {
  const TemporaryFolder folder;
  const std::string text = tsv_of(100'000);
  write_file(folder / "a.tsv", text);
  ProgressState last;
  import_files({folder / "a.tsv"}, folder / "x.tsd", {}, [&](const ProgressState& state) {
    EXPECT_GE(state.done, last.done);
    EXPECT_LE(state.done, state.total);
    last = state;
  });
  EXPECT_EQ(last.done, text.size());
  EXPECT_EQ(last.total, text.size());
  std::filesystem::remove(folder / "x.tsd");
  expect_error(ErrorCode::interrupted, "stop", "", [&] {
    import_files({folder / "a.tsv"}, folder / "x.tsd", {}, [](const ProgressState& state) {
      if (state.done > state.total / 2) throw Error(ErrorCode::interrupted, "stop");
    });
  });
  EXPECT_EQ(folder.names(), Lines{"a.tsv"});
}

}  // namespace
}  // namespace tsmini
