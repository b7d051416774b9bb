// What goes to standard output, and what does not.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/dataset.h"
#include "tsmini/version.h"

#include "support/error_expectation.h"
#include "support/files.h"
#include "support/imports.h"
#include "tools/program.h"

namespace tsmini {
namespace {

using nlohmann::json;

class Output : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  void import_some() {
    write_file(folder_ / "a.tsv", "a\t10 20\t1 2,3 4\nb\t\t1 2,1 2\nc\t\tx\nd\t\t5 6,7 8\n");
    imported_ = tsmini_program({"import", file("a.tsv"), "-o", file("a.tsd"), "--on-error", "skip",
                                "--split", "1,0,1", "--json"});
  }

  TemporaryFolder folder_;
  ProcessResult imported_;
};

TEST_F(Output, ImportAsJson) {
  import_some();
  ASSERT_EQ(imported_.status, 0) << imported_.errors;
  EXPECT_EQ(imported_.errors, "");
  const json report = json::parse(imported_.output);
  EXPECT_EQ(report["trajectories"], 2);
  EXPECT_EQ(report["points"], 4);
  EXPECT_EQ(report["tracks"], 4);
  EXPECT_EQ(report["bad_records"], 1);
  EXPECT_EQ(report["bad_examples"].size(), 1u);
  EXPECT_EQ(report["dropped"]["too_short"], 1);
  EXPECT_EQ(report["duplicate_points"], 1);
  EXPECT_EQ(report["formats"], json::array({"tsv"}));
  EXPECT_EQ(report["output"], file("a.tsd"));
}

TEST_F(Output, InfoAsJson) {
  import_some();
  const ProcessResult result = tsmini_program({"info", file("a.tsd"), "--json", "--verify"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json report = json::parse(result.output);
  EXPECT_EQ(report["trajectories"], 2);
  EXPECT_EQ(report["points"], 4);
  EXPECT_EQ(report["coordinates"], "degrees");
  EXPECT_EQ(report["extent"], json::array({1.0, 2.0, 7.0, 8.0}));
  EXPECT_EQ(report["times"]["first"], 10);
  EXPECT_EQ(report["times"]["last"], 20);
  EXPECT_EQ(report["split"]["train"], 1);
  EXPECT_EQ(report["split"]["test"], 1);
  EXPECT_EQ(report["verified"], true);
  EXPECT_EQ(report["provenance"]["tracks"], 4);
}

TEST_F(Output, InfoAsText) {
  import_some();
  const ProcessResult result = tsmini_program({"info", file("a.tsd")});
  EXPECT_EQ(result.status, 0);
  for (const char* words : {"trajectories +2\n", "points +4\n", "lon 1 to 7, lat 2 to 8",
                            "1970-01-01T00:00:10Z to 1970-01-01T00:00:20Z", "train 1"}) {
    EXPECT_TRUE(matches(result.output, words)) << words << result.output;
  }
}

TEST_F(Output, InfoOfTheProgram) {
  const json report = json::parse(tsmini_program({"info", "--json"}).output);
  EXPECT_EQ(report["version"], std::string(version()));
  EXPECT_GE(report["threads"].get<int>(), 1);
  EXPECT_EQ(tsmini_program({"--version"}).output, "tsmini " + std::string(version()) + "\n");
}

TEST_F(Output, InfoOfADamagedFile) {
  import_some();
  std::string bytes = read_file(folder_ / "a.tsd");
  bytes[513] = static_cast<char>(bytes[513] ^ 1);
  write_file(folder_ / "a.tsd", bytes);
  const ProcessResult result = tsmini_program({"info", file("a.tsd"), "--verify"});
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(matches(result.errors, "section 'points' was altered\n  hint: ")) << result.errors;
}

TEST_F(Output, InfoDrawsAMap) {
  import_some();
  EXPECT_EQ(tsmini_program({"info", file("a.tsd"), "--map", file("a.svg")}).status, 0);
  EXPECT_TRUE(matches(read_file(folder_ / "a.svg").substr(0, 200), "<svg"));
}

TEST_F(Output, QuietIsQuiet) {
  write_file(folder_ / "a.tsv", "a\t\t1 2,3 4\n");
  const ProcessResult result =
      tsmini_program({"import", file("a.tsv"), "-o", file("a.tsd"), "--quiet"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output + result.errors, "");
}

TEST_F(Output, SynthAsJson) {
  const ProcessResult result = tsmini_program({"synth", "--count", "50", "--split", "0.5,0.2,0.3",
                                               "-o", file("c.tsd"), "--json", "--quiet"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json report = json::parse(result.output);
  EXPECT_EQ(report["trajectories"], 50);
  const Dataset data = Dataset::open(folder_ / "c.tsd");
  data.verify();
  EXPECT_EQ(report["points"], data.point_count());
  EXPECT_EQ(data.indices_of(Part::train).size(), 25u);
}

TEST_F(Output, SynthWithDensePoints) {
  const Words dense{"synth", "--count",      "20",  "--sampling", "1",          "--min-points",
                    "400",   "--max-points", "800", "-o",         file("c.tsd")};
  ASSERT_EQ(tsmini_program(dense).status, 0);
  const Dataset data = Dataset::open(folder_ / "c.tsd");
  ASSERT_EQ(data.size(), 20u);
  for (std::size_t i = 0; i < data.size(); ++i) {
    EXPECT_GE(data[i].size(), 400u);
    EXPECT_LE(data[i].size(), 800u);
  }
  EXPECT_EQ(data.info().provenance,
            R"({"synthetic_city":{"seed":1,"sampling":1.0,"min_points":400,"max_points":800}})");
  EXPECT_EQ(tsmini_program({"synth", "--sampling", "0", "-o", file("d.tsd")}).status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "d.tsd"));
}

TEST_F(Output, ExportToStandardOutputIsTheFile) {
  import_some();
  ASSERT_EQ(tsmini_program({"export", file("a.tsd"), "-o", file("b.csv")}).status, 0);
  const ProcessResult result =
      tsmini_program({"export", file("a.tsd"), "--format", "csv", "-o", "-"});
  EXPECT_EQ(result.output, read_file(folder_ / "b.csv"));
  EXPECT_EQ(
      result.output,
      "id,time,lon,lat,tsmini:part\na,10,1,2,train\na,20,3,4,train\nd,,5,6,test\nd,,7,8,test\n");
}

TEST_F(Output, ADatasetDoesNotGoToStandardOutput) {
  write_file(folder_ / "a.tsv", "a\t\t1 2,3 4\n");
  expect_refusal(folder_, 2, {"import", file("a.tsv"), "-o", "-"},
                 "this kind of file cannot go to standard output", "name a file");
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST_F(Output, SpeedsHaveAUnit) {
  write_file(folder_ / "a.tsv", "a\t0 10 20\t0 0,0 0.001,0 0.01\n");
  const ProcessResult result = tsmini_program(
      {"import", file("a.tsv"), "-o", file("a.tsd"), "--max-speed", "45km/h", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(json::parse(result.output)["fast_points"], 1);
  const ProcessResult refused =
      tsmini_program({"import", file("a.tsv"), "-o", file("b.tsd"), "--max-speed", "45mph"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(matches(refused.errors, "--max-speed: '45mph' is not a speed above 0 in m/s or km/h"))
      << refused.errors;
}

TEST_F(Output, ImportFromStandardInput) {
  const ProcessResult result =
      tsmini_program({"import", "-", "-o", file("a.tsd")}, "a\t10 20\t1 2,3 4\n\t\t1 2,3 4\n");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(lines_of(Dataset::open(folder_ / "a.tsd")),
            (std::vector<std::string>{"a | 10 20 | 1 2,3 4", "track-1 |  | 1 2,3 4"}));
  EXPECT_EQ(tsmini_program({"import", "-", "-o", file("b.tsd")}, gzipped("a\t\t1 2,3 4\n")).status,
            0);
  const ProcessResult bad = tsmini_program({"import", "-", "-o", file("c.tsd")}, "a\t\t1 2,x\n");
  EXPECT_EQ(bad.status, 3);
  EXPECT_TRUE(matches(bad.errors, "standard input:1: ")) << bad.errors;
}

TEST_F(Output, OptionsReachTheImport) {
  write_file(folder_ / "a.csv",
             "when;east;north;who\n0;2;1;a\n10;2;1.1;a\n11;2;1.2;a\n500;2;1.3;a\n520;2;1.4;a\n"
             "0;9;9;b\n9;9;9.1;b\n");
  const ProcessResult result =
      tsmini_program({"import", file("a.csv"), "-o", file("a.tsd"), "--format", "csv", "--columns",
                      "id=who,time=when,lon=east,lat=north", "--bbox", "-1,0,3,3", "--cut-gap",
                      "60", "--thin", "10", "--threads", "1"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(lines_of(Dataset::open(folder_ / "a.tsd")),
            (std::vector<std::string>{"a_0 | 0 10 | 2 1,2 1.1", "a_1 | 500 520 | 2 1.3,2 1.4"}));
}

TEST_F(Output, ThreadsDoNotChangeABytes) {
  ASSERT_EQ(tsmini_program({"synth", "--count", "300", "-o", file("c.tsd")}).status, 0);
  ASSERT_EQ(tsmini_program({"export", file("c.tsd"), "-o", file("c.csv.gz")}).status, 0);
  for (const char* threads : {"1", "4"}) {
    ASSERT_EQ(
        tsmini_program({"import", file("c.csv.gz"), "-o", file(threads), "--threads", threads})
            .status,
        0);
  }
  EXPECT_EQ(read_file(folder_ / "1"), read_file(folder_ / "4"));
  expect_same(Dataset::open(folder_ / "1"), Dataset::open(folder_ / "c.tsd"));
}

}  // namespace
}  // namespace tsmini
