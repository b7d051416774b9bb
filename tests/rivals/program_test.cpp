// `tsmini-rivals` as a user and as `tsmini experiment` runs it, on a small city.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/npy.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/process.h"

namespace tsmini {
namespace {

using nlohmann::json;

class RivalsProgram : public testing::Test {
 protected:
  RivalsProgram() {
    const ProcessResult made =
        run_command({TSMINI_PROGRAM, "synth", "--count", "70", "-o", file("all.tsd"), "--quiet"});
    EXPECT_EQ(made.status, 0) << made.errors;
    const ProcessResult split =
        run_command({TSMINI_PROGRAM, "import", file("all.tsd"), "--max-points", "80", "--split",
                     "30,12,12", "-o", file("city.tsd"), "--quiet"});
    EXPECT_EQ(split.status, 0) << split.errors;
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  static Words program(Words words) {
    words.insert(words.begin(), TSMINI_RIVALS_PROGRAM);
    return words;
  }

  static ProcessResult rivals(const Words& words) { return run_command(program(words)); }

  Words train(const std::string& rival, const std::string& name, const Words& more = {}) const {
    Words words{"train", file("city.tsd"), "--rival", rival, "--steps", "2", "-o", file(name)};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  void expect_refusal(int status, const Words& words, const std::string& message,
                      const std::string& hint) const {
    tsmini::expect_refusal(folder_, program(words), status, message, hint);
  }

  TemporaryFolder folder_;
};

TEST_F(RivalsProgram, TrainsEmbedsAndEvaluates) {
  const ProcessResult trained = rivals(train("t3s", "a.safetensors", {"--json", "--quiet"}));
  ASSERT_EQ(trained.status, 0) << trained.errors;
  const json record = json::parse(trained.output);
  EXPECT_EQ(record["rival"], "t3s");
  EXPECT_EQ(record["parameters"], 199'681);
  EXPECT_EQ(record["steps"], 2);
  EXPECT_GT(record["table"], 0);
  EXPECT_EQ(record["released"].size(), 0U);
  const std::string log = read_file(folder_ / "a.jsonl");
  EXPECT_EQ(json::parse(log.substr(0, log.find('\n')))["step"], 1);

  const ProcessResult embedded =
      rivals({"embed", file("a.safetensors"), file("city.tsd"), "-o", file("a.npy"), "--json"});
  ASSERT_EQ(embedded.status, 0) << embedded.errors;
  EXPECT_EQ(json::parse(embedded.output)["metric"], "l1");
  EXPECT_EQ(json::parse(embedded.output)["distances"], false);
  EXPECT_EQ(NpyArray(folder_ / "a.npy").header().shape, (std::vector<std::size_t>{12, 128}));

  const ProcessResult judged =
      rivals({"evaluate", file("a.safetensors"), file("city.tsd"), "--json"});
  ASSERT_EQ(judged.status, 0) << judged.errors;
  EXPECT_EQ(json::parse(judged.output)["queries"], 12);
  EXPECT_EQ(json::parse(judged.output)["base"], 11);
  EXPECT_EQ(judged.errors, "");

  const ProcessResult confused =
      run_command({TSMINI_PROGRAM, "evaluate", file("a.safetensors"), file("city.tsd")});
  EXPECT_EQ(confused.status, 3);
  EXPECT_TRUE(matches(confused.errors, "is a rival, not a model\n  hint: use tsmini-rivals"))
      << confused.errors;
}

TEST_F(RivalsProgram, NamesTheMistakesThatItKeeps) {
  const ProcessResult trained =
      rivals(train("t3s", "a.safetensors", {"--as-released", "--measure", "dtw"}));
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_TRUE(matches(trained.errors, "\nT3S with split-statistics, unscaled, 199,681 parameters"))
      << trained.errors;
  const ProcessResult judged = rivals({"evaluate", file("a.safetensors"), file("city.tsd")});
  EXPECT_TRUE(matches(judged.output, "T3S with split-statistics, unscaled, seed 1"))
      << judged.output;
}

TEST_F(RivalsProgram, GivesDistancesWhereItKnowsPairsAlone) {
  const ProcessResult trained = rivals(train("tmn", "a.safetensors", {"--quiet"}));
  ASSERT_EQ(trained.status, 0) << trained.errors;
  const ProcessResult embedded =
      rivals({"embed", file("a.safetensors"), file("city.tsd"), "-o", file("a.npy"), "--json"});
  ASSERT_EQ(embedded.status, 0) << embedded.errors;
  EXPECT_EQ(json::parse(embedded.output)["distances"], true);
  EXPECT_EQ(NpyArray(folder_ / "a.npy").header().shape, (std::vector<std::size_t>{12, 12}));
}

// What needs no labels is made once, whatever the measure, and not for another seed.
TEST_F(RivalsProgram, SharesWhatNeedsNoLabels) {
  // Trips around a few blocks, whose cells are soon learned.
  std::string rows = "id,lon,lat\n";
  for (int trip = 0; trip < 54; ++trip)
    for (int point = 0; point < 6; ++point)
      rows += fmt::format("{},{},{}\n", trip, 8 + 1e-4 * ((trip * 7 + point * 9) % 60),
                          41 + 1e-4 * ((trip * 11 + point * 4) % 50));
  write_file(folder_ / "blocks.csv", rows);
  const ProcessResult read = run_command({TSMINI_PROGRAM, "import", file("blocks.csv"), "--split",
                                          "30,12,12", "-o", file("city.tsd"), "--quiet"});
  ASSERT_EQ(read.status, 0) << read.errors;
  const auto made = [&] {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      const std::string name = entry.path().filename().string();
      count += name.starts_with("pretrained-") && name.ends_with(".safetensors") ? 1U : 0U;
    }
    return count;
  };
  ASSERT_EQ(rivals(train("kgts", "a.safetensors", {"--measure", "dtw"})).status, 0);
  EXPECT_EQ(made(), 1U);
  EXPECT_EQ(json::parse(read_file(folder_ / "a.jsonl"))["step"], 2);
  ASSERT_EQ(rivals(train("kgts", "b.safetensors", {"--measure", "edwp"})).status, 0);
  EXPECT_EQ(made(), 1U);
  ASSERT_EQ(rivals(train("kgts", "c.safetensors", {"--seed", "2"})).status, 0);
  EXPECT_EQ(made(), 2U);
}

TEST_F(RivalsProgram, NoticesDamage) {
  ASSERT_EQ(rivals(train("t3s", "a.safetensors", {"--quiet"})).status, 0);
  const auto damaged = [](std::string bytes) {
    bytes[bytes.size() - 1000] ^= 1;
    return bytes;
  };
  const std::string whole = read_file(folder_ / "a.safetensors");
  write_file(folder_ / "a.safetensors", damaged(whole));
  const ProcessResult judged = rivals({"evaluate", file("a.safetensors"), file("city.tsd")});
  EXPECT_EQ(judged.status, 3);
  EXPECT_TRUE(matches(judged.errors, "a.safetensors: its checksum does not fit")) << judged.errors;
  // What is shared between runs is made again.
  for (const std::string& name : folder_.names()) {
    if (!matches(name, "^pretrained-.*safetensors$")) continue;
    write_file(folder_ / name, damaged(read_file(folder_ / name)));
  }
  ASSERT_EQ(rivals(train("t3s", "b.safetensors", {"--quiet"})).status, 0);
  EXPECT_EQ(read_file(folder_ / "b.safetensors"), whole);
}

TEST_F(RivalsProgram, MovesToAnotherCity) {
  ASSERT_EQ(run_command({TSMINI_PROGRAM, "synth", "--count", "50", "--seed", "5", "-o",
                         file("others.tsd"), "--quiet"})
                .status,
            0);
  ASSERT_EQ(run_command({TSMINI_PROGRAM, "import", file("others.tsd"), "--split", "10,10,20", "-o",
                         file("other.tsd"), "--quiet"})
                .status,
            0);
  ASSERT_EQ(rivals(train("neutraj", "a.safetensors")).status, 0);
  const ProcessResult judged =
      rivals({"evaluate", file("a.safetensors"), file("other.tsd"), "--move", "--json"});
  ASSERT_EQ(judged.status, 0) << judged.errors;
  EXPECT_EQ(json::parse(judged.output)["queries"], 20);
  EXPECT_FALSE(matches(judged.errors, "note:")) << judged.errors;
}

TEST_F(RivalsProgram, NoticesAnotherCity) {
  std::string rows = "id,lon,lat\n";
  for (int trip = 0; trip < 4; ++trip)
    for (int point = 0; point < 3; ++point)
      rows += fmt::format("{},{},{}\n", trip, 120 + .001 * trip, 40 + .001 * point);
  write_file(folder_ / "far.csv", rows);
  ASSERT_EQ(run_command({TSMINI_PROGRAM, "import", file("far.csv"), "--split", "1,1,2", "-o",
                         file("far.tsd"), "--quiet"})
                .status,
            0);
  ASSERT_EQ(rivals(train("neutraj", "a.safetensors")).status, 0);
  const ProcessResult judged = rivals({"evaluate", file("a.safetensors"), file("far.tsd")});
  EXPECT_EQ(judged.status, 0);
  EXPECT_TRUE(matches(judged.errors, "note: 100 % of the points are outside.*--move"))
      << judged.errors;
}

// Each program has a list of its own.
TEST_F(RivalsProgram, HasTheRivalsThatExperimentsHave) {
  std::string names = "all";
  const ProcessResult list = rivals({"list", "--json"});
  for (const json& rival : json::parse(list.output))
    names += ", " + rival["name"].get<std::string>();
  const ProcessResult refused =
      run_command({TSMINI_PROGRAM, "experiment", "overall", file("city.tsd"), "-o", file("out"),
                   "--rivals", "no"});
  EXPECT_TRUE(matches(refused.errors, "hint: choose among " + names + "\n")) << refused.errors;
}

TEST_F(RivalsProgram, ListsRivalsAndTheirMistakes) {
  const ProcessResult listed = rivals({"list", "--json"});
  ASSERT_EQ(listed.status, 0) << listed.errors;
  const json all = json::parse(listed.output);
  ASSERT_EQ(all.size(), 7U);
  EXPECT_EQ(all[0]["name"], "neutraj");
  EXPECT_EQ(all[0]["mistakes"][0]["name"], "mixed-neighbours");
  const ProcessResult kept = rivals(train("t3s", "a.safetensors", {"--as-released", "--json"}));
  ASSERT_EQ(kept.status, 0) << kept.errors;
  EXPECT_EQ(json::parse(kept.output)["released"].size(), 2U);
}

TEST_F(RivalsProgram, RefusesWhatCannotWork) {
  expect_refusal(2, train("trajcluster", "a.safetensors"), "no rival 'trajcluster'", "movsemcl");
  expect_refusal(2, train("t3s", "a.safetensors", {"--released", "haste"}), "no mistake 'haste'",
                 "split-statistics");
  expect_refusal(2, train("t3s", "a.npy"), "no name for a rival", "safetensors");
  expect_refusal(2, train("t3s", "a.safetensors", {"--measure", "taxicab"}), "taxicab", "frechet");
  expect_refusal(2, train("t3s", "a.safetensors", {"--measure", "lcss"}), "'lcss' needs", "dtw");
  expect_refusal(1, train("t3s", "none/a.safetensors"), "none: there is no such folder", "make it");
  expect_refusal(3, {"train", file("none.tsd"), "--rival", "t3s", "-o", file("a.safetensors")},
                 "none.tsd", "");
  expect_refusal(3, {"evaluate", file("city.tsd"), file("city.tsd")}, "city.tsd", "");
  ASSERT_EQ(run_command({TSMINI_PROGRAM, "synth", "--count", "8", "-o", file("few.tsd"), "--quiet"})
                .status,
            0);
  expect_refusal(3, {"train", file("few.tsd"), "--rival", "t3s", "-o", file("a.safetensors")},
                 "no trips are marked", "--split");
  ASSERT_EQ(run_command({TSMINI_PROGRAM, "import", file("few.tsd"), "--split", "4,2,2", "-o",
                         file("split.tsd"), "--quiet"})
                .status,
            0);
  expect_refusal(3, {"train", file("split.tsd"), "--rival", "t3s", "-o", file("a.safetensors")},
                 "too few", "12 of each");
}

TEST_F(RivalsProgram, EndsAtCtrlC) {
  Words words = program(train("t3s", "a.safetensors"));
  words.insert(words.end(), {"--steps", "300"});      // validated every 30
  words.erase(words.begin() + 5, words.begin() + 7);  // the first --steps
  RunningProcess process(words);
  for (int i = 0; i < 6000 && !std::filesystem::exists(folder_ / "a.jsonl"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  process.signal(SIGINT);
  EXPECT_EQ(process.wait().status, 130);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.safetensors"));
}

// The one command: Table II with a row of the real program.
TEST_F(RivalsProgram, GivesRowsToExperiments) {
  const ProcessResult made =
      run_command({TSMINI_PROGRAM, "experiment", "overall", file("city.tsd"), "-o", file("out"),
                   "--measure", "frechet", "--steps", "2", "--rivals", "t3s,tmn", "--rival-seconds",
                   "0.5", "--json", "--quiet"});
  ASSERT_EQ(made.status, 0) << made.errors;
  const json report = json::parse(made.output)[0];
  std::string methods;
  for (const json& row : report["tables"][0]["rows"])
    methods += row["method"].get<std::string>() + ";";
  EXPECT_TRUE(matches(methods, "16 points by length.*T3S;TMN;")) << methods;
}

}  // namespace
}  // namespace tsmini
