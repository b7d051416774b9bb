// What `tsmini import` says, and which names it takes.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/dataset.h"

#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

using nlohmann::json;

class ImportVerb : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  TemporaryFolder folder_;
};

TEST_F(ImportVerb, NamesWhatItPassesOver) {
  write_file(folder_ / "in/a.tsv", "a\t\t1 2,3 4\n");
  for (int i = 0; i < 8; ++i) write_file(folder_ / ("in/" + std::to_string(i) + ".md"), "# Notes");
  const ProcessResult said = tsmini_program({"import", file("in"), "-o", file("a.tsd")});
  ASSERT_EQ(said.status, 0) << said.errors;
  for (const char* line : {"files passed over +8\n",
                           "passed over: .*/in/4.md: no known format begins with '# Notes'\n",
                           "passed over: … and 3 more\n"}) {
    EXPECT_TRUE(matches(said.errors, line)) << said.errors;
  }
  EXPECT_FALSE(matches(said.errors, "5.md"));
  const ProcessResult told = tsmini_program({"import", file("in"), "-o", file("a.tsd"), "--json"});
  const json report = json::parse(told.output);
  EXPECT_EQ(report["foreign_files"], 8);
  ASSERT_EQ(report["foreign"].size(), 8u);
  EXPECT_EQ(report["foreign"][7]["file"], file("in/7.md"));
  const json origin = json::parse(Dataset::open(folder_ / "a.tsd").info().provenance);
  EXPECT_EQ(origin["foreign_files"], 8);
  EXPECT_EQ(origin["foreign"].dump(), R"(["0.md","1.md","2.md","3.md","4.md"])");
}

TEST_F(ImportVerb, ReportAndProvenanceCountAlike) {
  write_file(folder_ / "a.csv", "id,lon,lat,v\na,1,2,x\na,1,2,x\na,3,4,y\nb,1,2,z\n");
  const ProcessResult result =
      tsmini_program({"import", file("a.csv"), "-o", file("a.tsd"), "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json report = json::parse(result.output);
  const json origin = json::parse(Dataset::open(folder_ / "a.tsd").info().provenance);
  EXPECT_EQ(report["dropped"]["too_short"], 1);
  EXPECT_EQ(report["dropped"]["too_long"], 0);
  EXPECT_EQ(origin["dropped"].dump(), R"({"too_short":1})") << "what took nothing is left out";
  EXPECT_EQ(origin["columns"].dump(), R"({"v":{"changes":1,"kept":0}})");
  EXPECT_FALSE(origin.contains("reversed"));
  for (const char* key : {"formats", "files", "tracks", "duplicate_points", "columns"}) {
    EXPECT_EQ(origin[key], report[key]) << key;
  }
}

// What another program wrote there need not be JSON.
TEST_F(ImportVerb, KeepsWordsWhereAProvenanceShouldBe) {
  DatasetWriter writer(folder_ / "a.tsd");
  const std::vector<Position> points{{1, 2}, {3, 4}};
  Trajectory trip;
  trip.id = "a";
  trip.points = points;
  writer.add(trip);
  writer.finish({}, "found in a drawer");
  const ProcessResult info = tsmini_program({"info", file("a.tsd"), "--json"});
  EXPECT_EQ(json::parse(info.output)["provenance"], "found in a drawer");
  ASSERT_EQ(tsmini_program({"import", file("a.tsd"), "-o", file("b.tsd")}).status, 0);
  const json origin = json::parse(Dataset::open(folder_ / "b.tsd").info().provenance);
  EXPECT_EQ(origin["from"][0]["provenance"], "found in a drawer");
}

TEST_F(ImportVerb, ADataSetHasNoNameOfAnotherFormat) {
  write_file(folder_ / "a.tsv", "a\t\t1 2,3 4\n");
  for (const char* name :
       {"x.csv", "x.GeoJSON", "x.json", "x.gpx", "x.tsv", "x.txt", "x.tsd.gz", "x.png", "x.npy"}) {
    const std::string message = "would be a data set, which is no ";
    expect_refusal(folder_, 2, {"import", file("a.tsv"), "-o", file(name)}, message, "export");
    expect_refusal(folder_, 2, {"synth", "--count", "10", "-o", file(name)}, message, "export");
  }
  for (const char* name : {"x", "x.tsd", "trips.2024"}) {
    const ProcessResult result = tsmini_program({"import", file("a.tsv"), "-o", file(name)});
    EXPECT_EQ(result.status, 0) << result.errors;
  }
}

TEST_F(ImportVerb, SaysWhatItTookRowsFor) {
  write_file(folder_ / "1.txt",
             "1,2008-02-02 15:36:08,17.5,-22.5\n1,2008-02-02 15:36:09,17.6,-22.5\n");
  const std::string note =
      "rows were taken for T-Drive's: id, time, longitude, latitude; lon 17.5 to 17.6, lat -22.5 "
      "to -22.5 .*--swap-lonlat";
  const ProcessResult said = tsmini_program({"import", file("1.txt"), "-o", file("a.tsd")});
  EXPECT_TRUE(matches(said.errors, note)) << said.errors;
  for (const char* option : {"--format=tdrive", "--swap-lonlat"}) {
    const ProcessResult told =
        tsmini_program({"import", file("1.txt"), "-o", file("a.tsd"), option});
    ASSERT_EQ(told.status, 0) << told.errors;
    EXPECT_FALSE(matches(told.errors, "T-Drive")) << told.errors;
  }
}

TEST_F(ImportVerb, ShowsTextOfAnyScript) {
  write_file(folder_ / "a.csv", "id,lon,lat\nŁódź,1,2\nŁódź,x東,2\n");
  const ProcessResult result = tsmini_program({"import", file("a.csv"), "-o", file("a.tsd")});
  EXPECT_TRUE(matches(result.errors, "longitude 'x東' is not a number")) << result.errors;
  write_file(folder_ / "b.csv", "id,time,lon,lat\nŁódź,1,1,2\nŁódź,3,1,3\nŁódź,2,1,4\n");
  const ProcessResult other = tsmini_program({"import", file("b.csv"), "-o", file("b.tsd")});
  EXPECT_TRUE(matches(other.errors, "times of 'Łódź' go backwards")) << other.errors;
}

TEST_F(ImportVerb, TablesStandStraight) {
  write_file(folder_ / "a.tsv", "Łódź\t\t1 2,3 4\nabcdefgh\t\t1 2,3 5\n東京東京\t\t1 2,3 6\n");
  ASSERT_EQ(tsmini_program({"import", file("a.tsv"), "-o", file("a.tsd")}).status, 0);
  const ProcessResult result = tsmini_program(
      {"knn", file("a.tsd"), file("a.tsd"), "-k", "1", "--measure", "frechet", "--skip-self"});
  ASSERT_EQ(result.status, 0) << result.errors;
  for (const char* line : {"\nŁódź         1  ", "\nabcdefgh     1  ", "\n東京東京     1  "}) {
    EXPECT_NE(result.output.find(line), std::string::npos) << result.output;
  }
}

}  // namespace
}  // namespace tsmini
