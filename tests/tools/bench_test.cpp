#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/measure.h"
#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"

#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

using nlohmann::json;

TEST(Bench, MeasuresAsJson) {
  const std::string target(simd_targets().back());
  const ProcessResult result = tsmini_program({"bench", "measures", "--points", "10", "--seconds",
                                               "0.001", "--json", "--quiet", "--target", target});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json report = json::parse(result.output);
  EXPECT_EQ(report["simd"], target);
  EXPECT_FALSE(report["cpu"].get<std::string>().empty());
  ASSERT_EQ(report["measures"].size(), 2 * all_measures.size());
  for (std::size_t i = 0; i < report["measures"].size(); ++i) {
    const json& cell = report["measures"][i];
    EXPECT_EQ(cell["measure"], std::string(name_of(all_measures[i / 2])));
    EXPECT_EQ(cell["precision"], i % 2 == 0 ? "single" : "double");
    EXPECT_EQ(cell["points"], 10);
    EXPECT_GT(cell["pairs_per_second"].get<double>(), 0);
    EXPECT_GT(cell["ratio_to_naive"].get<double>(), 0);
  }
}

TEST(Bench, MeasuresAsATable) {
  const ProcessResult result =
      tsmini_program({"bench", "measures", "--points", "10", "--seconds", "0.001"});
  ASSERT_EQ(result.status, 0) << result.errors;
  for (const Measure measure : all_measures) {
    EXPECT_TRUE(matches(result.output, "\n" + std::string(name_of(measure)) + " .*x"));
  }
}

class BenchKnn : public testing::Test {
 protected:
  BenchKnn() { EXPECT_EQ(tsmini_program({"synth", "--count", "120", "-o", data_}).status, 0); }

  TemporaryFolder folder_;
  std::string data_ = (folder_ / "city.tsd").string();
};

TEST_F(BenchKnn, AsJson) {
  const ProcessResult result =
      tsmini_program({"bench", "knn", data_, "--measure", "dtw", "--measure", "edr", "--epsilon",
                      "100", "--queries", "20", "-k", "3", "--json", "--quiet"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json report = json::parse(result.output);
  EXPECT_EQ(report["queries"], 20);
  EXPECT_EQ(report["base"], 100);
  EXPECT_EQ(report["k"], 3);
  ASSERT_EQ(report["measures"].size(), 2);
  EXPECT_EQ(report["measures"][0]["measure"], "dtw");
  EXPECT_EQ(report["measures"][1]["measure"], "edr");
  for (const json& row : report["measures"]) {
    EXPECT_TRUE(row["equal"].get<bool>());
    EXPECT_GE(row["distances_per_query"].get<double>(), 3);
    EXPECT_GT(row["ratio"].get<double>(), 0);
    EXPECT_GT(row["double_scan_ms_per_query"].get<double>(), 0);
  }
}

TEST_F(BenchKnn, AsATable) {
  const ProcessResult result = tsmini_program({"bench", "knn", data_, "--queries", "5"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(matches(result.output, "10 nearest of 115 to 5 queries"));
  for (const char* measure : {"dtw", "frechet", "hausdorff"}) {
    EXPECT_TRUE(matches(result.output, "\n" + std::string(measure) + " .*x .* yes\n"));
  }
}

TEST_F(BenchKnn, Complaints) {
  const ProcessResult many = tsmini_program({"bench", "knn", data_});
  EXPECT_EQ(many.status, 2);
  EXPECT_TRUE(matches(many.errors, "120 trips, of which 1,000 queries")) << many.errors;
  EXPECT_EQ(tsmini_program({"bench", "knn"}).status, 2);
  EXPECT_EQ(tsmini_program({"bench", "measures", data_}).status, 2);
  EXPECT_EQ(tsmini_program({"bench", "knn", data_, "--measure", "dreams", "--queries", "5"}).status,
            2);
}

TEST_F(BenchKnn, Growth) {
  const ProcessResult few = tsmini_program({"bench", "growth", data_, "--queries", "5"});
  EXPECT_EQ(few.status, 2);
  EXPECT_TRUE(matches(few.errors, "120 trips, of which 5 queries leave less than 10,000"));
  EXPECT_EQ(tsmini_program({"synth", "--count", "10010", "-o", data_}).status, 0);
  const std::string picture = (folder_ / "growth.svg").string();
  const ProcessResult result = tsmini_program(
      {"bench", "growth", data_, "--queries", "10", "--measure", "frechet", "-o", picture});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(matches(result.output, "\nfrechet +10,000 .*ms|µs")) << result.output;
  EXPECT_NE(read_file(picture).find(">99th percentile [ms]<"), std::string::npos);
  EXPECT_EQ(tsmini_program({"bench", "growth", data_, "--queries", "10", "-o", data_}).status, 2);
}

TEST(Bench, Complaints) {
  EXPECT_EQ(tsmini_program({"bench"}).status, 2);
  EXPECT_EQ(tsmini_program({"bench", "dreams"}).status, 2);
  const ProcessResult result = tsmini_program({"bench", "measures", "--target", "Z80"});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(matches(result.errors, "no SIMD target 'Z80'.*\n.*it has ")) << result.errors;
}

}  // namespace
}  // namespace tsmini
