#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/exact_search.h"
#include "tsmini/measure.h"
#include "tsmini/planar_set.h"
#include "tsmini/space.h"

#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

using nlohmann::json;

class Knn : public testing::Test {
 protected:
  Knn() {
    EXPECT_EQ(tsmini_program({"synth", "--count", "150", "-o", file("base.tsd")}).status, 0);
    write_dataset(folder_ / "flat.tsd",
                  {{"a", {{0, 0}, {1, 0}}, {}},
                   {"b", {{0, 1}, {1, 1}}, {}},
                   {"a", {{0, 2}, {1, 2}}, {}},
                   {"c, d", {{0, 4}, {1, 4}}, {}}},
                  {}, Coordinates::planar);
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  static ProcessResult run(Words words) {
    words.insert(words.begin(), "knn");
    return tsmini_program(words);
  }

  static json answers(Words words) {
    words.emplace_back("--json");
    const ProcessResult result = run(words);
    EXPECT_EQ(result.status, 0) << result.errors;
    return json::parse(result.output);
  }

  // Every distance by the naive twin.
  std::vector<Neighbour> brute_force(Measure measure, std::size_t query) const {
    const Dataset data = Dataset::open(folder_ / "base.tsd");
    const PlanarSet set(data, Space::fit(SpaceKind::ground, data));
    std::vector<Neighbour> all;
    for (std::size_t i = 0; i < set.size(); ++i) {
      all.push_back({i, distance(measure, set[query], set[i])});
    }
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return a.distance < b.distance; });
    return all;
  }

  void expect_same(const json& found, const std::vector<Neighbour>& expected) const {
    const Dataset data = Dataset::open(folder_ / "base.tsd");
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(found[i]["id"], std::string(data[expected[i].index].id));
      EXPECT_NEAR(found[i]["distance"].get<double>(), expected[i].distance,
                  1e-9 * expected[i].distance);
    }
  }

  TemporaryFolder folder_;
};

TEST_F(Knn, EqualsBruteForce) {
  for (const Measure measure :
       {Measure::frechet, Measure::dtw, Measure::hausdorff, Measure::edwp}) {
    const std::string name(name_of(measure));
    const json report = answers({file("base.tsd"), file("base.tsd"), "-k", "7", "--measure", name,
                                 "--limit", "5", "--skip-self"});
    EXPECT_EQ(report["measure"], name);
    EXPECT_EQ(report["space"]["kind"], "ground");
    EXPECT_EQ(report["k"], 7);
    EXPECT_GT(report["work"]["double"].get<int>(), 0);
    ASSERT_EQ(report["queries"].size(), 5u);
    for (std::size_t query = 0; query < 5; ++query) {
      const std::vector<Neighbour> all = brute_force(measure, query);
      EXPECT_EQ(all[0].index, query);
      expect_same(report["queries"][query]["neighbours"], {all.begin() + 1, all.begin() + 8});
    }
  }
}

TEST_F(Knn, Within) {
  const std::vector<Neighbour> all = brute_force(Measure::frechet, 2);
  const std::string radius = std::to_string((all[20].distance + all[21].distance) / 2);
  const json report = answers({file("base.tsd"), file("base.tsd"), "--within", radius});
  EXPECT_EQ(report["queries"].size(), 150u);
  expect_same(report["queries"][2]["neighbours"], {all.begin(), all.begin() + 21});
}

TEST_F(Knn, ThreadsChangeNothing) {
  const Words words{"knn", file("base.tsd"), file("base.tsd"), "-k", "3", "--quiet", "--threads"};
  Words one = words, four = words;
  one.emplace_back("1");
  four.emplace_back("4");
  EXPECT_EQ(tsmini_program(one).output, tsmini_program(four).output);
}

TEST_F(Knn, Table) {
  const ProcessResult result = run({file("flat.tsd"), file("flat.tsd"), "-k", "2", "--limit", "2"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.output,
            "query  rank      distance  id\n"
            "a         1             0  a\n"
            "a         2             1  b\n"
            "b         1             0  b\n"
            "b         2             1  a\n");
  EXPECT_TRUE(matches(result.errors, "2 queries in .* of 8 distances")) << result.errors;
}

TEST_F(Knn, SkipSelfLeavesOutEveryTrajectoryOfTheId) {
  const json report = answers({file("flat.tsd"), file("flat.tsd"), "-k", "1", "--skip-self"});
  EXPECT_EQ(report["queries"][0]["neighbours"], json::parse(R"([{"id":"b","distance":1.0}])"));
  EXPECT_EQ(report["queries"][2]["neighbours"], json::parse(R"([{"id":"b","distance":1.0}])"));
  const json within = answers({file("flat.tsd"), file("flat.tsd"), "--within", "2", "--skip-self"});
  EXPECT_EQ(within["queries"][0]["neighbours"].size(), 1u);
  const json all = answers({file("flat.tsd"), file("flat.tsd"), "-k", "9", "--skip-self"});
  EXPECT_EQ(all["queries"][0]["neighbours"].size(), 2u);
}

TEST_F(Knn, IntoAFile) {
  const Words words{file("flat.tsd"), file("flat.tsd"), "--within", "0.5", "-o"};
  Words csv = words, js = words, other = words;
  csv.push_back(file("n.csv"));
  js.push_back(file("n.json"));
  other.push_back(file("n.txt"));
  EXPECT_EQ(run(csv).output, "");
  EXPECT_EQ(read_file(folder_ / "n.csv"),
            "query,rank,id,distance,estimated\na,1,a,0,false\nb,1,b,0,false\na,1,a,0,false\n"
            "\"c, d\",1,\"c, d\",0,false\n");
  EXPECT_EQ(run(js).status, 0);
  EXPECT_EQ(json::parse(read_file(folder_ / "n.json"))["queries"].size(), 4u);
  EXPECT_EQ(run(other).status, 2);
}

TEST_F(Knn, ReportsAsJsonWhereTheAnswersGoToAFile) {
  const ProcessResult result = run({file("flat.tsd"), file("flat.tsd"), "--within", "0.5", "--json",
                                    "-o", file("n.csv"), "--quiet"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(read_file(folder_ / "n.csv").starts_with("query,rank,id,distance,estimated\n"));
  const json report = json::parse(result.output);
  EXPECT_EQ(report["output"], file("n.csv"));
  EXPECT_EQ(report["within"], 0.5);
  EXPECT_EQ(report["query_count"], 4);
  EXPECT_TRUE(report["seconds"].is_number());
}

TEST_F(Knn, CountsADistanceOnce) {
  write_dataset(folder_ / "one.tsd", {{"a", {{0, 0}, {1, 0}}, {}}}, {}, Coordinates::planar);
  for (const char* measure : {"frechet", "frechet-continuous", "edwp"}) {
    const ProcessResult result = run({file("one.tsd"), file("one.tsd"), "--measure", measure});
    EXPECT_TRUE(matches(result.errors, "; 1 of 1 distances")) << result.errors;
  }
  // What --skip-self leaves out is not measured: of 16 at most 12.
  const ProcessResult result =
      run({file("flat.tsd"), file("flat.tsd"), "-k", "1", "--skip-self", "--measure", "edwp"});
  EXPECT_TRUE(matches(result.errors, "; (1[0-2]|[1-9]) of 16 distances")) << result.errors;
}

TEST_F(Knn, NamesInUpperCase) {
  const Words words{file("base.tsd"), file("base.tsd"), "--limit", "3", "--quiet"};
  Words upper = words, lower = words;
  upper.insert(upper.end(), {"--measure", "DTW", "--space", "Mercator"});
  lower.insert(lower.end(), {"--measure", "dtw", "--space", "mercator"});
  EXPECT_NE(run(lower).output, "");
  EXPECT_EQ(run(upper).output, run(lower).output);
}

TEST_F(Knn, Complaints) {
  const std::string base = file("base.tsd"), flat = file("flat.tsd");
  const auto expect = [](int status, const Words& words, const std::string& message) {
    const ProcessResult result = run(words);
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_EQ(result.output, "");
    EXPECT_TRUE(matches(result.errors, "^error: .*" + message)) << result.errors;
  };
  expect(2, {base}, "BASE");
  expect(2, {base, base, "-k", "0"}, "-k");
  expect(2, {base, base, "-k", "3", "--within", "5"}, "--within");
  expect(2, {base, base, "--within", "nan"}, "--within: 'nan' is not a number");
  expect(2, {base, base, "--within", "inf"}, "--within: 'inf' is not a number");
  expect(2, {base, base, "--within", "250m"}, "--within: '250m' is not a number");
  expect(2, {base, base, "--within", "-3"}, "--within: -3 is not at least 0");
  expect(2, {base, base, "--measure", "dtw", "--band", "-1"}, "--band: '-1' .* from 0 up");
  expect(2, {base, base, "--measure", "lcss"}, "epsilon");
  expect(2, {base, base, "--measure", "fly"}, "unknown measure");
  expect(3, {flat, base}, "flat.tsd are planar, .*base.tsd are degrees");
  expect(3, {base, file("none.tsd")}, "none.tsd: cannot read");
  expect(1, {flat, flat, "-o", file("no/n.csv")}, "cannot write");
}

TEST_F(Knn, DrawsTheFirstQueryAndItsAnswers) {
  for (const char* name : {"near.svg", "near.png", "near.html"}) {
    const ProcessResult result = run({file("flat.tsd"), file("flat.tsd"), "--id", "b",
                                      "--skip-self", "-k", "2", "--map", file(name), "--quiet"});
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_GT(std::filesystem::file_size(folder_ / name), 1000u);
  }
  EXPECT_TRUE(matches(read_file(folder_ / "near.svg"), "2 nearest to b"));
  expect_refusal(folder_, 2, {"knn", file("flat.tsd"), file("flat.tsd"), "--map", file("x.gif")},
                 "x.gif", "");
}

}  // namespace
}  // namespace tsmini
