// `tsmini bench search`.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "encode/random_model.h"
#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

using nlohmann::json;

class BenchSearch : public testing::Test {
 protected:
  BenchSearch() {
    random_model().save(folder_ / "m.safetensors");
    std::vector<OwnedTrajectory> trips;
    for (std::size_t i = 0; i < 80; ++i) {
      trips.push_back({"trip " + std::to_string(i), random_trip(5 + i % 20, i), {}});
    }
    write_dataset(folder_ / "trips.tsd", trips, {}, Coordinates::planar);
  }

  ProcessResult run(Words options) const {
    options.insert(options.begin(), {"bench", "search", (folder_ / "m.safetensors").string(),
                                     (folder_ / "trips.tsd").string(), "--seconds", "0.001"});
    return tsmini_program(options);
  }

  TemporaryFolder folder_;
};

TEST_F(BenchSearch, AsJson) {
  const ProcessResult result = run({"--queries", "10", "-k", "5", "--json", "--quiet"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json report = json::parse(result.output);
  EXPECT_EQ(report["rows"], 70);
  EXPECT_GT(report["flat"]["ratio_to_memory"].get<double>(), 0);
  EXPECT_EQ(report["coded"]["recall50"], 1);
  ASSERT_EQ(report["hnsw"]["efforts"].size(), 4);
  EXPECT_GT(report["hnsw"]["efforts"][3]["recall"].get<double>(), 0.9);
  EXPECT_GT(report["hnsw"]["efforts"][3]["ef"], report["hnsw"]["efforts"][0]["ef"]);
  EXPECT_EQ(report["hnsw"]["efforts"][0]["effort"], report["hnsw"]["efforts"][0]["ef"]);
  EXPECT_EQ(report["exact"]["trips"], 70);
  EXPECT_TRUE(report["exact"]["equal"].get<bool>());
}

TEST_F(BenchSearch, AsATable) {
  const ProcessResult result = run({"--queries", "10"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(matches(result.output, "\n70 embeddings of .* 10 queries"));
  for (const char* row : {"flat", "coded", "hnsw", "exact"}) {
    EXPECT_TRUE(matches(result.output, "\n" + std::string(row) + " ")) << row;
  }
}

TEST_F(BenchSearch, ComplainsWhereNothingIsLeftToSearch) {
  const ProcessResult result = run({});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(matches(result.errors, "80 trips, of which 1,000 queries")) << result.errors;
}

}  // namespace
}  // namespace tsmini
