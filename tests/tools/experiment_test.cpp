// `tsmini experiment`, which runs tsmini-learn, on a small city.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

using nlohmann::json;

class ExperimentVerb : public testing::Test {
 protected:
  ExperimentVerb() {
    const ProcessResult result =
        tsmini_program({"synth", "--count", "100", "-o", file("city.tsd")});
    EXPECT_EQ(result.status, 0) << result.errors;
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  Words experiment(const std::string& name, const Words& more = {}) const {
    Words words{"experiment", name, file("city.tsd"), "-o", file("out"), "--measure", "frechet"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  TemporaryFolder folder_;
};

TEST_F(ExperimentVerb, TellsItsCostAndLeavesTables) {
  const ProcessResult plan = tsmini_program(experiment("attention", {"--steps", "3", "--plan"}));
  ASSERT_EQ(plan.status, 0) << plan.errors;
  EXPECT_TRUE(matches(plan.output, "3 runs to make, 9 steps in all; about ")) << plan.output;
  const ProcessResult numbers =
      tsmini_program(experiment("attention", {"--steps", "3", "--plan", "--json", "--quiet"}));
  EXPECT_EQ(json::parse(numbers.output)["steps"], 9);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/attention.md"));

  const ProcessResult done = tsmini_program(experiment("attention", {"--steps", "3", "--json"}));
  ASSERT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(matches(done.errors, "run 3 of 3: city, frechet, vanilla, seed 1")) << done.errors;
  const json report = json::parse(done.output)[0];
  EXPECT_EQ(report["experiment"], "attention");
  EXPECT_EQ(report["tables"][0]["rows"].size(), 3u);
  EXPECT_GT(report["tables"][0]["rows"][0]["Fréchet"], 0);
  for (const char* name : {"attention.md", "attention.json", "attention.svg"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / name)) << name;

  const ProcessResult again = tsmini_program(experiment("attention", {"--steps", "3", "--plan"}));
  EXPECT_TRUE(matches(again.output, "0 runs to make, 0 steps in all \\(3 made before\\)"))
      << again.output;
}

TEST_F(ExperimentVerb, GoesOnAfterCtrlC) {
  const Words words = experiment("overall", {"--steps", "60"});
  {
    RunningProcess process(program(words));
    for (int i = 0; i < 6000; ++i) {
      bool begun = false;
      if (std::filesystem::exists(folder_ / "out/runs")) {
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / "out/runs"))
          begun |= entry.path().extension() == ".checkpoint";
      }
      if (begun) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    process.signal(SIGINT);
    const ProcessResult result = process.wait();
    ASSERT_EQ(result.status, 130) << "it must be interrupted, not done";
  }
  const ProcessResult result = tsmini_program(words);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(matches(result.output, "## Hit ratios for each measure")) << result.output;
}

TEST_F(ExperimentVerb, RefusesWhatCannotWork) {
  expect_refusal(folder_, 2, experiment("table2"), "no experiment 'table2'", "overall");
  expect_refusal(folder_, 2, experiment("transfer"), "second city", "--other");
  expect_refusal(folder_, 2, experiment("overall", {"--steps", "3", "--full"}), "--full", "");
  expect_refusal(folder_, 2, experiment("overall", {"--measure", "taxicab"}), "taxicab", "frechet");
  expect_refusal(folder_, 3, {"experiment", "overall", file("none.tsd"), "-o", file("out")},
                 "none.tsd", "");
  write_file(folder_ / "trips/collection.db", "");
  expect_refusal(folder_, 2,
                 {"experiment", "overall", file("city.tsd"), "-o", file("trips/results")},
                 "inside the collection", "another place");
}

}  // namespace
}  // namespace tsmini
