// What users are told of how much a model finds: info, search --recall, evaluate --base.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "encode/random_model.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

using nlohmann::json;

// m.safetensors; trips.tsd of 1,200; queries.tsd of 20 others; city, a collection of the trips.
class Recall : public testing::Test {
 protected:
  Recall() {
    NetSettings settings;
    settings.dimension = 32;
    settings.hidden = 32;
    random_model(settings).save(folder_ / "m.safetensors");
    write("trips.tsd", random_trips(std::vector<std::size_t>(1200, 12), 1));
    write("queries.tsd", random_trips(std::vector<std::size_t>(20, 12), 100'000));
    run({"index", file("m.safetensors"), file("trips.tsd"), "-o", file("city"), "--quiet"});
  }

  void write(const std::string& name, const Dataset& trips) const {
    DatasetWriter writer(folder_ / name, Coordinates::planar);
    for (std::size_t i = 0; i < trips.size(); ++i) writer.add(trips[i]);
    writer.finish();
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  static ProcessResult run(const Words& words) {
    ProcessResult result = tsmini_program(words);
    EXPECT_EQ(result.status, 0) << result.errors;
    return result;
  }

  static json report(Words words) {
    words.emplace_back("--json");
    return json::parse(run(words).output);
  }

  TemporaryFolder folder_;
};

TEST_F(Recall, OfACollectionIsShown) {
  const json judgement = report({"info", file("city")})["models"][0]["judgement"];
  EXPECT_EQ(judgement["trips"], 1200);
  EXPECT_EQ(judgement["recall"]["10"].size(), judgement["candidates"].size());
  EXPECT_TRUE(matches(run({"info", file("city")}).output,
                      "\nrerank +measured with [0-9]+ trips among 1,200 trips; so few promise at "
                      "most 99\\.[0-9] %\n"
                      " +candidates +of 1 +of 10 +of 50\n"
                      " +10 +[0-9.]+ % +[0-9.]+ % +-\n"));
}

TEST_F(Recall, IsAskedForAndTold) {
  const Words search{"search", file("city"), file("queries.tsd"), "--mode", "rerank", "--recall"};
  const auto with = [&](const std::string& recall) {
    Words words = search;
    words.push_back(recall);
    return words;
  };
  const json some = report(with("0.5")), most = report(with("0.9"));
  EXPECT_GE(some["expected_recall"], 0.5);
  EXPECT_GE(most["expected_recall"], 0.9);
  EXPECT_LT(some["candidates"], most["candidates"]);
  EXPECT_EQ(some["work"]["double"], 20 * some["candidates"].get<int>());
  EXPECT_TRUE(matches(run(with("0.5")).errors,
                      " candidates a query, [0-9.]+ % of the true nearest expected\n$"));
  EXPECT_TRUE(matches(run({"search", file("city"), file("queries.tsd"), "--mode", "fast"}).errors,
                      "no distances computed, [0-9.]+ % of the true nearest expected\n$"));
  EXPECT_TRUE(matches(run({"search", file("city"), file("queries.tsd"), "--mode", "rerank",
                           "--bbox=100,100,2900,2400", "--candidates", "12"})
                          .errors,
                      "12 candidates a query, how many of the true nearest these are is not "
                      "known\n$"));
  expect_refusal(folder_, 2, with("1.5"), "a recall of 1.5 cannot be promised", "at most 1");
}

TEST_F(Recall, AmongABaseIsEvaluated) {
  const Words evaluate{"evaluate", file("m.safetensors"), file("queries.tsd"), "--base"};
  const auto with = [&](const std::string& base) {
    Words words = evaluate;
    words.push_back(file(base));
    return words;
  };
  const json by_data = report(with("trips.tsd")), by_collection = report(with("city"));
  EXPECT_EQ(by_data["queries"], 20);
  EXPECT_EQ(by_data["base"], 1200);
  EXPECT_EQ(by_data["unfit"], 0) << "of the queries";
  EXPECT_EQ(by_data["base_unfit"], 0);
  EXPECT_GT(by_data["hr10"], 0);
  EXPECT_LT(by_data["hr10"], 1);
  EXPECT_GE(by_data["r10at50"], by_data["hr10"]);
  EXPECT_EQ(by_data["rerank"].back()["recall50"], 1) << "5,000 candidates";
  EXPECT_GE(by_data["promise"]["expected"], 0.99);
  for (const char* key : {"base", "hr1", "hr10", "hr50", "rerank", "near_median_relative_error"}) {
    EXPECT_EQ(by_data[key], by_collection[key]) << key;
  }
  EXPECT_LT(by_data["judged_near_median_relative_error"], by_data["near_median_relative_error"]);
  EXPECT_TRUE(matches(run(with("trips.tsd")).output,
                      "20 queries among 1,200 trips\n(.*\n)*HR@10 .*(.*\n)*promised +99 % of .*\n"
                      "relative error .* as calibrated by the base\n"));
  // A query is not its own neighbour: by its id, whatever the number.
  const json itself = report({"evaluate", file("m.safetensors"), file("trips.tsd"), "--base",
                              file("trips.tsd"), "--limit", "30"});
  const json ordinary =
      report({"evaluate", file("m.safetensors"), file("trips.tsd"), "--limit", "30"});
  // The same answers: one of another kind would need two trips at the end of a list of ten that are
  // as near as single precision can tell, which no query has here.
  const double one_answer = 1.0 / (30 * 10);
  EXPECT_NEAR(itself["hr10"], ordinary["hr10"].get<double>(), one_answer / 2);
  // And the same pairs, whose median moves by no more than one of them does. Without a calibration
  // the error of a pair is 1 less the ratio of its distances, since embedded ones are far smaller
  // than true ones; and this ratio is off by the shares that both are off by. That of a true one is
  // 8 + 3 · 2,500 m / d of 2^-24 (measure/rounding.h), below 5e-6 from 100 m on; that of an
  // embedded one is some of 2^-24.
  const double error = itself["near_median_relative_error"];
  EXPECT_GT(error, 0.9);
  EXPECT_NEAR(ordinary["near_median_relative_error"].get<double>(), error, 1e-5 * (1 - error));
  Words on_gpu = with("city");
  on_gpu.insert(on_gpu.end(), {"--device", "cuda"});
  expect_refusal(folder_, 2, on_gpu, "on the CPU", "--base");
}

}  // namespace
}  // namespace tsmini
