// `tsmini experiment` on a small city.
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

TEST_F(ExperimentVerb, APlanNeedsNoFolder) {
  const ProcessResult plan = tsmini_program({"experiment", "overall", file("city.tsd"), "--measure",
                                             "frechet", "--steps", "3", "--plan"});
  EXPECT_EQ(plan.status, 0) << plan.errors;
  EXPECT_TRUE(matches(plan.output, "2 runs to make")) << plan.output;
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"city.tsd"});
}

TEST_F(ExperimentVerb, GoesOnAfterCtrlC) {
  const Words words = experiment("overall", {"--steps", "24"});
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

// The programs in a folder of their own, beside a stand-in for tsmini-rivals.
class ExperimentWithRivals : public ExperimentVerb {
 protected:
  ExperimentWithRivals() {
    tsmini_program({"synth", "--count", "120", "-o", file("city.tsd"), "--quiet"});
    std::filesystem::create_directory(folder_ / "bin");
    std::filesystem::copy_file(TSMINI_PROGRAM, folder_ / "bin/tsmini");
  }

  void install() const {
    std::filesystem::copy_file(TSMINI_FAKE_RIVALS, folder_ / "bin/tsmini-rivals");
  }

  ProcessResult run(const Words& more, const std::string& before = "") const {
    Words words = experiment("overall", {"--steps", "3"});
    words.insert(words.end(), more.begin(), more.end());
    std::string line = before + " PATH=/usr/bin:/bin '" + file("bin/tsmini") + "'";
    for (const std::string& word : words) line += " '" + word + "'";
    return run_command({"bash", "-c", line});
  }
};

TEST_F(ExperimentWithRivals, TellsTheirCostAndHasThemInItsTables) {
  install();
  const ProcessResult plan = run({"--rivals", "TrajCL,tmn", "--plan"});
  ASSERT_EQ(plan.status, 0) << plan.errors;
  EXPECT_TRUE(
      matches(plan.output,
              "^4 runs to make, 6 steps in all; about .* for ours, judged by a trial of two "
              "seconds, and for 2 runs of rivals up to 4 min 40 s\n$"))
      << plan.output;
  const ProcessResult numbers =
      run({"--rivals", "trajcl", "--rival-seconds", "7", "--as-released", "--plan", "--json"});
  EXPECT_EQ(json::parse(numbers.output)["rival_runs"], 2);
  EXPECT_NEAR(json::parse(numbers.output)["rival_seconds"], 7 * 14 / 3., 1e-9);

  const ProcessResult done = run({"--rivals", "trajcl,tmn", "--json"});
  ASSERT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(matches(done.errors, "run 4 of 4: city, frechet, TrajCL, seed 1\ntraining trajcl"))
      << done.errors;
  const json report = json::parse(done.output)[0];
  ASSERT_EQ(report["tables"].size(), 2u);
  EXPECT_EQ(report["tables"][0]["rows"].size(), 9u);
  EXPECT_EQ(report["tables"][1]["rows"][1]["rival"], "TrajCL");
  EXPECT_EQ(report["tables"][1]["rows"][1]["training"], 60);

  const ProcessResult again = run({"--rivals", "trajcl,tmn", "--plan"});
  EXPECT_TRUE(matches(again.output, "^0 runs to make, 0 steps in all \\(4 made before\\)"))
      << again.output;
  EXPECT_FALSE(matches(again.output, "rival")) << again.output;
}

TEST_F(ExperimentWithRivals, EndsAsTheyEnd) {
  install();
  const ProcessResult stopped = run({"--rivals", "kgts"}, "FAKE_RIVALS_STOPS=kgts");
  EXPECT_EQ(stopped.status, 130);
  EXPECT_TRUE(
      matches(stopped.errors,
              "interrupted in run 3 of 3; what was made is kept\n.*goes on where it stopped"))
      << stopped.errors;
  const ProcessResult failed = run({"--rivals", "kgts"}, "FAKE_RIVALS_FAILS=kgts");
  EXPECT_EQ(failed.status, 1);
  EXPECT_TRUE(matches(failed.errors, "error: 1 run of rivals failed.*\n  hint: .*tries them again"))
      << failed.errors;
  EXPECT_TRUE(matches(failed.output, "- KGTS on city for Fréchet: out of memory")) << failed.output;
  const ProcessResult quiet = run({"--rivals", "kgts", "--quiet"});
  EXPECT_EQ(quiet.status, 0);
  EXPECT_EQ(quiet.errors, "");
}

TEST_F(ExperimentWithRivals, SaysBeforehandThatTheyAreNotInstalled) {
  const ProcessResult plan = run({"--rivals", "all", "--rival-seconds", "1", "--plan"});
  EXPECT_EQ(plan.status, 0) << plan.errors;
  EXPECT_TRUE(matches(plan.errors, "note: .*tsmini-rivals, which is neither in")) << plan.errors;
  const ProcessResult result = run({"--rivals", "all"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(matches(result.errors, "^error: .*tsmini-rivals, which is neither in .*bin nor"))
      << result.errors;
  EXPECT_TRUE(matches(result.errors, "hint: .*scripts/setup.sh --rivals.*beside tsmini"))
      << result.errors;
}

TEST_F(ExperimentWithRivals, SaysBeforehandThatTripsAreTooFew) {
  install();
  tsmini_program({"synth", "--count", "100", "-o", file("city.tsd"), "--quiet"});
  const ProcessResult result = run({"--rivals", "all"});
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(matches(result.errors, "^error: 70 trips to learn from and 10 to choose by.*\n.*12"))
      << result.errors;
}

TEST_F(ExperimentVerb, RefusesWhatCannotWork) {
  expect_refusal(folder_, 2, experiment("table2"), "no experiment 'table2'", "overall");
  expect_refusal(folder_, 2, experiment("transfer"), "second city", "--other");
  expect_refusal(folder_, 2, experiment("overall", {"--steps", "3", "--full"}), "--full", "");
  expect_refusal(folder_, 2, experiment("overall", {"--measure", "taxicab"}), "taxicab", "frechet");
  expect_refusal(folder_, 2, experiment("overall", {"--rivals", "trajsim"}), "no rival 'trajsim'",
                 "neutraj.*movsemcl");
  expect_refusal(folder_, 2, experiment("ablation", {"--rivals", "all"}), "ablation has no rivals",
                 "overall.*efficiency");
  expect_refusal(folder_, 2, experiment("overall", {"--measure", "edr"}), "'edr' needs", "dtw");
  expect_refusal(folder_, 2, experiment("overall", {"--quick", "--full"}), "--quick", "");
  expect_refusal(folder_, 2, experiment("overall", {"--rival-seconds", "5"}), "--rivals", "");
  expect_refusal(folder_, 2, experiment("overall", {"--as-released"}), "--rivals", "");
  expect_refusal(folder_, 2, {"experiment", "overall", file("city.tsd")}, "where should tables",
                 "-o FOLDER");
  expect_refusal(folder_, 3, {"experiment", "overall", file(""), "-o", file("out")}, "is a folder",
                 "tsmini export .* -o DATA.tsd");
  expect_refusal(folder_, 3, {"experiment", "overall", file("none.tsd"), "-o", file("out")},
                 "none.tsd", "");
  write_file(folder_ / "trips/collection.db", "");
  expect_refusal(folder_, 2,
                 {"experiment", "overall", file("city.tsd"), "-o", file("trips/results")},
                 "inside the collection", "another place");
}

}  // namespace
}  // namespace tsmini
