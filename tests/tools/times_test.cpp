// What is said of times and numbers: the whole of what was waited for, and words that fit.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/error_expectation.h"
#include "tools/small_city.h"

namespace tsmini {
namespace {

using nlohmann::json;

class Times : public SmallCity {
 protected:
  static constexpr const char* time = "[0-9.]+ m?s";

  void expect_said(const std::string& words, const std::string& pattern) const {
    const ProcessResult result = run(words);
    EXPECT_EQ(result.status, 0) << words << "\n" << result.errors;
    EXPECT_TRUE(matches(result.errors, pattern)) << words << "\n" << result.errors;
    EXPECT_FALSE(matches(result.output + result.errors, "[0-9]e[+-]?[0-9]")) << result.errors;
  }

  static std::string in(const std::vector<std::string>& parts) {
    std::string pattern = std::string(" in ") + time;
    for (const std::string& part : parts) {
      pattern += (&part == parts.data() ? " \\(" : ", ") + part + " " + time;
    }
    return pattern + (parts.empty() ? "" : "\\)");
  }
};

TEST_F(Times, NameTheWholeAndItsParts) {
  expect_said(
      "index m.safetensors trips.tsd -o other",
      "^12 trips added" + in({"opening", "adding", "indexing"}) + "; 12 there now -> other");
  expect_said("search city trips.tsd",
              "12 queries" + in({"opening", "searching"}) + "; median " + time + "; ");
  expect_said("search city trips.tsd --map m.svg",
              "12 queries" + in({"opening", "searching", "drawing"}) + "; median " + time + "; ");
  expect_said("knn trips.tsd trips.tsd",
              "12 queries" + in({"opening", "searching"}) + "; " + time + " each; .* of 144 ");
  expect_said("embed m.safetensors trips.tsd -o e.npy",
              "12 trips, 32 numbers each," + in({"opening", "embedding"}) + "; [0-9.,]+ trips/s; ");
  expect_said("distance trips.tsd -o d.npy",
              "66 frechet pairs" + in({"opening", "measuring"}) + "; [0-9.,]+ pairs/s; ");
  expect_said("synth --count 3 -o s.tsd", "^3 trips, [0-9]+ points, seed 1," + in({}) + " -> ");
  expect_said("export trips.tsd -o t.csv", "^12 trajectories, 240 points" + in({}) + " -> ");
  expect_said("evaluate m.safetensors trips.tsd", "");
  EXPECT_TRUE(matches(run("evaluate m.safetensors trips.tsd").output,
                      std::string("in all +") + time + "\n"));
}

TEST_F(Times, OfAReportAddUp) {
  const auto expect_sum = [&](const std::string& words, const std::vector<std::string>& parts) {
    const ProcessResult result = run(words + " --json --quiet");
    ASSERT_EQ(result.status, 0) << words << "\n" << result.errors;
    const json report = json::parse(result.output);
    double sum = 0;
    for (const std::string& part : parts) {
      ASSERT_TRUE(report.contains(part)) << words << part;
      EXPECT_GT(report[part].get<double>(), 0) << words << part;
      sum += report[part].get<double>();
    }
    EXPECT_GE(report["seconds"].get<double>(), sum) << words;
  };
  expect_sum("index m.safetensors trips.tsd -o other",
             {"open_seconds", "add_seconds", "index_seconds"});
  // All are there already: nothing is left to index.
  expect_sum("add city trips.tsd --duplicates skip", {"open_seconds", "add_seconds"});
  expect_sum("search city trips.tsd", {"open_seconds", "search_seconds"});
  expect_sum("knn trips.tsd trips.tsd", {"open_seconds", "search_seconds"});
  expect_sum("embed m.safetensors trips.tsd -o e.npy", {"open_seconds", "embed_seconds"});
  expect_sum("distance trips.tsd -o d.npy", {"measure_seconds"});
  expect_sum("evaluate m.safetensors trips.tsd",
             {"embed_seconds", "truth_seconds", "search_seconds"});
}

TEST_F(Times, OneIsNotPlural) {
  expect_said("synth --count 1 --seed 2 -o one.tsd", "^1 trip, ");
  expect_said("search city trips.tsd --limit 1", "1 query in ");
  expect_said("knn trips.tsd trips.tsd --limit 1", "1 query in ");
  expect_said("remove city 'trip 3'", "^1 trip removed, 11 left in city");
}

}  // namespace
}  // namespace tsmini
