// `tsmini bench collection`.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/collection.h"

#include "encode/random_model.h"
#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

class BenchCollection : public testing::Test {
 protected:
  BenchCollection() {
    std::vector<OwnedTrajectory> trips;
    for (std::size_t i = 0; i < 80; ++i) {
      trips.push_back({"trip " + std::to_string(i), random_trip(5 + i % 20, i), {}});
    }
    write_dataset(folder_ / "trips.tsd", trips, {}, Coordinates::planar);
    Collection collection = Collection::create(folder_ / "c", Space());
    collection.add(Dataset::open(folder_ / "trips.tsd"));
    collection.make_index();
  }

  ProcessResult run(Words options) const {
    options.insert(options.begin(), {"bench", "collection", (folder_ / "c").string(),
                                     (folder_ / "trips.tsd").string()});
    return tsmini_program(options);
  }

  TemporaryFolder folder_;
};

TEST_F(BenchCollection, AsJson) {
  const ProcessResult result = run({"--queries", "20", "-k", "5", "--measure", "dtw", "--measure",
                                    "edr", "--epsilon", "3", "--json", "--quiet"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const auto report = nlohmann::json::parse(result.output);
  EXPECT_EQ(report["trips"], 80);
  EXPECT_GE(report["first_answer"]["answer_ms"], report["first_answer"]["open_ms"]);
  ASSERT_EQ(report["measures"].size(), 2);
  EXPECT_EQ(report["measures"][0]["measure"], "dtw");
  for (const auto& measure : report["measures"]) {
    EXPECT_GE(measure["nearest"]["p99_ms"], measure["nearest"]["p50_ms"]);
    EXPECT_GT(measure["within"]["p50_ms"], 0);
    EXPECT_GT(measure["distances_per_query"], 4);
  }
  EXPECT_GT(report["join"]["queries_per_second"], 0);
}

TEST_F(BenchCollection, AsATable) {
  const ProcessResult result = run({"--queries", "20"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(matches(result.output, "\n80 trips, 20 queries, 10 nearest, exact"));
  for (const char* row : {"opened", "frechet", "hausdorff", "dtw", "many at once"}) {
    EXPECT_TRUE(matches(result.output, "\n" + std::string(row) + " ")) << row;
  }
}

TEST_F(BenchCollection, ComplainsOfTooFewQueries) {
  const ProcessResult result = run({});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(matches(result.errors, "has 80 trips, not 1,000")) << result.errors;
}

}  // namespace
}  // namespace tsmini
