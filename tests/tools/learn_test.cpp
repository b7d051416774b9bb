// `tsmini train` and `tsmini evaluate` on a small city.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/model.h"

#include "base/file_lock.h"
#include "base/safetensors.h"
#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/sanitized.h"
#include "tools/program.h"

namespace tsmini {
namespace {

using nlohmann::json;

class Learn : public testing::Test {
 protected:
  Learn() {
    const ProcessResult result =
        tsmini_program({"synth", "--count", "220", "--split", "140,40,40", "-o", file("city.tsd")});
    EXPECT_EQ(result.status, 0) << result.errors;
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  // A tiny network, so that a step takes milliseconds.
  Words train(const std::string& model, const Words& more = {}) const {
    Words words{"train",    file("city.tsd"), "-o",      file(model),
                "--preset", "quick",          "--batch", "12",
                "--set",    "loss.k=5",       "--set",   "net.hidden=32",
                "--set",    "warmup=2",       "--set",   "validations=4"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  // Without what it tells before it refuses.
  void expect(int status, Words words, const std::string& message, const std::string& hint) const {
    words.emplace_back("--quiet");
    expect_refusal(folder_, status, words, message, hint);
  }

  std::vector<json> log(const std::string& name) const {
    std::vector<json> lines;
    std::istringstream text(read_file(folder_ / name));
    for (std::string line; std::getline(text, line);) lines.push_back(json::parse(line));
    return lines;
  }

  TemporaryFolder folder_;
};

TEST_F(Learn, TrainsAndEvaluates) {
  const ProcessResult trained =
      tsmini_program(train("m.safetensors", {"--steps", "20", "--seed", "7", "--json"}));
  ASSERT_EQ(trained.status, 0) << trained.errors;
  const json report = json::parse(trained.output);
  EXPECT_EQ(report["measure"], "frechet");
  EXPECT_EQ(report["space"]["kind"], "ground");
  EXPECT_EQ(report["preset"], "quick");
  EXPECT_EQ(report["seed"], 7);
  EXPECT_EQ(report["steps"], 20);
  EXPECT_EQ(report["model"], file("m.safetensors"));
  EXPECT_GT(report["parameters"], 50'000);
  EXPECT_EQ(
      report["parameters"],
      json::parse(tsmini_program({"info", file("m.safetensors"), "--json"}).output)["parameters"]);
  EXPECT_GT(report["training_seconds"], 0);
  EXPECT_GT(report["seconds"], report["training_seconds"]) << "with all that went before";
  EXPECT_EQ(report["validation_trajectories"], 40);
  EXPECT_EQ(report["validation_drawn_from"], 40);
  for (const char* name : {"hr10", "hr50", "r10at50"}) {
    EXPECT_GT(report[name], 0.1) << name;
    EXPECT_LE(report[name], 1) << name;
  }
  EXPECT_EQ(folder_.names(), (Words{"city.tsd", "m.jsonl", "m.safetensors", "m.svg"}));
  EXPECT_TRUE(matches(trained.errors, "reading trips\ncomposing trips\nmeasuring true distances\n"))
      << trained.errors;
  EXPECT_TRUE(matches(trained.errors, "140 training trajectories \\([0-9,]+ points\\), 40 for"));
  EXPECT_TRUE(matches(trained.errors, "parameters, CPU"));
  const std::vector<json> lines = log("m.jsonl");
  ASSERT_EQ(lines.size(), 4u);
  for (const char* name :
       {"step", "seconds", "rate", "loss", "hr10", "hr50", "r10at50", "steps_per_second"}) {
    EXPECT_TRUE(lines.back().contains(name)) << name;
  }
  EXPECT_EQ(lines.back()["step"], 20);
  EXPECT_TRUE(matches(read_file(folder_ / "m.svg"), "hit ratio on validation"));

  const ProcessResult evaluated =
      tsmini_program({"evaluate", file("m.safetensors"), file("city.tsd"), "--json"});
  ASSERT_EQ(evaluated.status, 0) << evaluated.errors;
  const json scores = json::parse(evaluated.output);
  EXPECT_EQ(scores["part"], "test");
  EXPECT_EQ(scores["queries"], 40);
  EXPECT_EQ(scores["base"], 39);
  EXPECT_EQ(scores["seed"], 7);
  EXPECT_EQ(scores["space"], report["space"]);
  EXPECT_GT(scores["hr10"], 0.3) << "chance is 0.26";
  EXPECT_EQ(scores["hr50"], 1);
  EXPECT_EQ(scores["r10at50"], 1);
  EXPECT_EQ(scores["hr10_reranked_50"], 1);
  EXPECT_GT(scores["rand_index"], 0.5);
  EXPECT_LT(scores["median_relative_error"], 1);
  for (const char* name : {"embed_seconds", "truth_seconds", "search_seconds"})
    EXPECT_GT(scores[name], 0) << name;
}

TEST_F(Learn, EvaluatesAPartAndSomeQueries) {
  ASSERT_EQ(tsmini_program(train("m.safetensors", {"--steps", "4", "--measure", "dtw", "--quiet"}))
                .status,
            0);
  const ProcessResult table = tsmini_program(
      {"evaluate", file("m.safetensors"), file("city.tsd"), "--part", "all", "--limit", "5"});
  ASSERT_EQ(table.status, 0) << table.errors;
  for (const char* words :
       {"measure +dtw in ground space\n", "part +all: 5 queries, each against 219", "HR@10 +0\\.",
        "R10@50 +", "Rand index +skipped", "relative error +"}) {
    EXPECT_TRUE(matches(table.output, words)) << words << '\n' << table.output;
  }
  const json validation =
      json::parse(tsmini_program({"evaluate", file("m.safetensors"), file("city.tsd"), "--part",
                                  "validation", "--json"})
                      .output);
  const json provenance = json::parse(Model::load(file("m.safetensors")).provenance);
  // Embeddings differ in their last digits. An answer would change where the tenth and the eleventh
  // nearest of a trip are as near as these digits can tell, which those of none of the 40 are.
  const double one_answer = 1.0 / (40 * 10);
  EXPECT_NEAR(validation["hr10"], provenance["validation_hr10"], one_answer / 2)
      << "what training saw is what evaluation sees";
  expect(3, {"evaluate", file("city.tsd"), file("city.tsd")}, "city.tsd", "");
}

// Killed when there is a checkpoint, and as a resumed run after the third validation; on other
// numbers of threads each time.
TEST_F(Learn, GoesOnAfterKillsToTheSameModel) {
  const auto with = [&](const std::string& name, const Words& more) {
    Words words{"--steps", "120", "--set", "net.dropout=0.1", "--set", "validations=6"};
    words.insert(words.end(), more.begin(), more.end());
    return train(name, words);
  };
  ASSERT_EQ(tsmini_program(with("whole.safetensors", {})).status, 0);
  const auto kill_when = [&](const Words& more, const std::function<bool()>& is_time) {
    RunningProcess process(program(with("m.safetensors", more)));
    for (int i = 0; i < 30000 && !is_time(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    process.signal(SIGKILL);
    EXPECT_TRUE(process.wait().signalled) << "it must be killed, not done";
  };
  kill_when({"--threads", "2"}, [&] { return std::filesystem::exists(file("m.checkpoint")); });
  kill_when({"--threads", "1", "--resume"}, [&] {
    if (!std::filesystem::exists(file("m.jsonl"))) return false;
    const std::string lines = read_file(file("m.jsonl"));
    return std::count(lines.begin(), lines.end(), '\n') >= 3;
  });
  const ProcessResult result =
      tsmini_program(with("m.safetensors", {"--threads", "3", "--resume"}));
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(matches(result.errors, "resuming after step ([6-9]0|1[0-9]0)")) << result.errors;
  EXPECT_TRUE(read_file(file("m.safetensors")) == read_file(file("whole.safetensors")))
      << "not byte for byte the same";
}

TEST_F(Learn, ResumesToTheSameModel) {
  const Words more{"--steps", "120", "--set", "net.dropout=0.1", "--set", "validations=6"};
  ASSERT_EQ(tsmini_program(train("whole.safetensors", more)).status, 0);
  {
    RunningProcess process(program(train("m.safetensors", more)));
    for (int i = 0; i < 3000 && !std::filesystem::exists(file("m.checkpoint")); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    process.signal(SIGINT);
    const ProcessResult result = process.wait();
    ASSERT_EQ(result.status, 130) << "it must be interrupted, not done";
    EXPECT_FALSE(result.signalled);
  }
  EXPECT_TRUE(std::filesystem::exists(file("m.checkpoint")));
  EXPECT_EQ(Model::load(file("m.safetensors")).net.hidden, 32u) << "the best so far";

  Words other = more;
  other.insert(other.end(), {"--seed", "9", "--resume"});
  expect(2, train("m.safetensors", other),
         "m.checkpoint belongs to another request: seed was 1 and is now 9",
         "--steps and --time-budget.*--resume");
  const std::string checkpoint = read_file(file("m.checkpoint"));
  std::string damaged = checkpoint;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  write_file(file("m.checkpoint"), damaged);
  other = more;
  other.push_back("--resume");
  expect(3, train("m.safetensors", other), "m.checkpoint: was altered or damaged", "--resume");
  write_file(file("m.checkpoint"), checkpoint);
  Words resumed = more;
  resumed.push_back("--resume");
  const ProcessResult result = tsmini_program(train("m.safetensors", resumed));
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(matches(result.errors, "resuming after step [0-9]+")) << result.errors;
  EXPECT_FALSE(std::filesystem::exists(file("m.checkpoint")));
  EXPECT_TRUE(read_file(file("m.safetensors")) == read_file(file("whole.safetensors")))
      << "not byte for byte the same";
  const auto whole = log("whole.jsonl"), parts = log("m.jsonl");
  ASSERT_EQ(whole.size(), parts.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(whole[i]["step"], parts[i]["step"]);
    EXPECT_EQ(whole[i]["loss"], parts[i]["loss"]);
    EXPECT_EQ(whole[i]["hr10"], parts[i]["hr10"]);
  }
}

// Long before the first validation; where the machine was too slow for ten steps, once more.
TEST_F(Learn, StoppedBeforeTheFirstValidationItLeavesAModel) {
  const Words more{"--steps", "1000000", "--set", "validations=1"};
  ProcessResult result;
  for (int wait = 1; wait <= 16; wait *= 2) {
    std::filesystem::remove(file("m.jsonl"));
    RunningProcess process(program(train("m.safetensors", more)));
    for (int i = 0; i < 6000 && !std::filesystem::exists(file("m.jsonl")); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::seconds(wait));
    process.signal(SIGTERM);
    result = process.wait();
    ASSERT_EQ(result.status, 130) << result.errors;
    ASSERT_FALSE(result.signalled);
    if (matches(result.errors, "after step [0-9,]{2,};")) break;
  }
  EXPECT_TRUE(
      matches(result.errors,
              "interrupted after step [0-9,]+; .*m.safetensors holds what was learned, which "
              "no validation has seen, .*m.checkpoint where it stood"))
      << result.errors;
  const ProcessResult evaluated =
      tsmini_program({"evaluate", file("m.safetensors"), file("city.tsd"), "--json"});
  ASSERT_EQ(evaluated.status, 0) << evaluated.errors;
  EXPECT_GT(json::parse(evaluated.output)["hr10"], 0.2);

  const ProcessResult resumed = tsmini_program(
      train("m.safetensors", {"--resume", "--steps", "1", "--json", "--set", "validations=1"}));
  ASSERT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_TRUE(matches(resumed.errors, "the budget is another one: 100 % of it are spent"))
      << resumed.errors;
  EXPECT_GE(json::parse(resumed.output)["steps"], 1);
}

TEST_F(Learn, WhatEndsFirst) {
  const ProcessResult steps = tsmini_program(
      train("m.safetensors", {"--steps", "3", "--time-budget", "10000", "--json", "--quiet"}));
  ASSERT_EQ(steps.status, 0) << steps.errors;
  EXPECT_EQ(json::parse(steps.output)["steps"], 3);
  const ProcessResult time = tsmini_program(
      train("m.safetensors", {"--steps", "1000000", "--time-budget", "1e-6", "--json"}));
  ASSERT_EQ(time.status, 0) << time.errors;
  EXPECT_EQ(json::parse(time.output)["steps"], 1);
  EXPECT_TRUE(matches(time.errors, "used up before the first step; one step is made"))
      << time.errors;
}

TEST_F(Learn, TooLittleMemoryIsSaid) {
  if (sanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  const ProcessResult result = shell("ulimit -v 150000; $TSMINI train '" + file("city.tsd") +
                                     "' -o '" + file("m") + "' --batch 128 --threads 1");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(matches(result.errors, "error: out of memory")) << result.errors;
  EXPECT_TRUE(matches(result.errors, "hint: .*--batch")) << result.errors;
}

TEST_F(Learn, WhatWasPickedIsToBlameWhereTheRestWouldDo) {
  expect(3, train("m.safetensors", {"--limit", "3"}), "city.tsd: .* training trajectories",
         "--limit 3 leaves 3 of .*pick more");
  expect(3, train("m.safetensors", {"--part", "train"}), "0 validation trajectories",
         "--part train leaves .*leave it out");
}

TEST_F(Learn, OneRunAtATimeHasAnOutput) {
  {
    const FileLock other(folder_ / "m.jsonl");
    expect(1, train("m.safetensors", {"--steps", "2"}), "another tsmini trains .*m.safetensors",
           "another -o");
  }
  EXPECT_EQ(tsmini_program(train("m.safetensors", {"--steps", "2", "--quiet"})).status, 0);
}

TEST_F(Learn, AFailureSaysWhatIsLeft) {
  ASSERT_EQ(tsmini_program(train("n.safetensors", {"--steps", "1"})).status, 0);
  // A disk with room for the model, not for the checkpoint, which has the optimiser's numbers, too.
  const auto blocks = std::filesystem::file_size(folder_ / "n.safetensors") / 1024 + 8;
  Words words{"bash", "-c", "ulimit -f " + std::to_string(blocks) + "; exec \"$@\"", "-",
              TSMINI_PROGRAM};
  const Words verb = train("m.safetensors", {"--steps", "4"});
  words.insert(words.end(), verb.begin(), verb.end());
  const ProcessResult result = run_command(words);
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(matches(result.errors, "m.checkpoint: .*; .*m.safetensors holds the best so far"))
      << result.errors;
  EXPECT_TRUE(std::filesystem::exists(file("m.safetensors")));
}

TEST_F(Learn, ARunThatComesToNothingLeavesModelAndLog) {
  ASSERT_EQ(tsmini_program(train("m.safetensors", {"--steps", "2", "--quiet"})).status, 0);
  const std::string model = read_file(folder_ / "m.safetensors");
  const std::string lines = read_file(folder_ / "m.jsonl");
  expect(1, train("m.safetensors", {"--steps", "4", "--set", "rate=1e30"}), "went astray", "rate");
  EXPECT_EQ(read_file(folder_ / "m.safetensors"), model);
  EXPECT_EQ(read_file(folder_ / "m.jsonl"), lines);
  EXPECT_FALSE(lines.empty());
  expect(1, train("z.safetensors", {"--steps", "4", "--set", "rate=1e30"}), "went astray", "rate");
  EXPECT_FALSE(std::filesystem::exists(file("z.jsonl")));
}

TEST_F(Learn, SaysThatItStartsOver) {
  write_file(folder_ / "m.checkpoint", "of another program");
  expect(2, train("m.safetensors", {"--steps", "2"}), "m.checkpoint is there, and is no checkpoint",
         "remove it");
  EXPECT_EQ(read_file(folder_ / "m.checkpoint"), "of another program");
  write_safetensors(folder_ / "m.checkpoint", {}, {{"tsmini-checkpoint", "of old"}});
  const ProcessResult over = tsmini_program(train("m.safetensors", {"--steps", "2"}));
  EXPECT_EQ(over.status, 0);
  EXPECT_TRUE(matches(over.errors, "starting over; .*m.checkpoint")) << over.errors;
  EXPECT_FALSE(std::filesystem::exists(file("m.checkpoint")));
  const ProcessResult none = tsmini_program(train("n.safetensors", {"--steps", "2", "--resume"}));
  EXPECT_EQ(none.status, 0);
  EXPECT_TRUE(matches(none.errors, "there is no .*n.checkpoint: starting at the beginning"))
      << none.errors;
  expect(2, train("m.safetensors", {"--steps", "2", "--resume"}), "that run is finished",
         "--resume .*--init");
}

double largest_difference(const Tensor& a, const Tensor& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    largest = std::max(largest, double{std::abs(a.values[i] - b.values.at(i))});
  return largest;
}

TEST_F(Learn, StartsFromAModel) {
  ASSERT_EQ(tsmini_program(train("a.safetensors", {"--steps", "4"})).status, 0);
  const Model a = Model::load(file("a.safetensors"));
  const Words init{"train",   file("city.tsd"),
                   "--init",  file("a.safetensors"),
                   "--batch", "12",
                   "--steps", "1",
                   "--set",   "loss.k=5",
                   "--set",   "rate=1e-9"};
  const auto with = [&](const Words& more) {
    Words words = init;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  ASSERT_EQ(tsmini_program(with({"-o", file("b.safetensors"), "--set", "average=0"})).status, 0);
  const Model b = Model::load(file("b.safetensors"));
  EXPECT_EQ(b.net, a.net);
  EXPECT_EQ(b.measure, a.measure);
  EXPECT_EQ(b.space, a.space);
  EXPECT_EQ(b.frame.low.x, a.frame.low.x);
  EXPECT_LT(largest_difference(a.tensors.at("head.weight"), b.tensors.at("head.weight")), 1e-6);
  ASSERT_EQ(tsmini_program(with({"-o", file("c.safetensors"), "--measure", "dtw"})).status, 0);
  EXPECT_EQ(Model::load(file("c.safetensors")).measure, Measure::dtw);
  expect(2, with({"-o", file("d.safetensors"), "--set", "net.hidden=64"}), "network differs",
         "leave out settings such as --set net.layers");

  std::vector<OwnedTrajectory> far = random_trajectories(60, 1);
  for (OwnedTrajectory& trip : far) {
    for (Position& p : trip.points) p = {30 + p.lon / 2000, 50 + p.lat / 2000};
  }
  write_dataset(file("far.tsd"), far);
  Words elsewhere = with({"-o", file("e.safetensors")});
  elsewhere[1] = file("far.tsd");
  expect(3, elsewhere, "'trip [0-9]+' leaves the box of the model", "--rebox");
  elsewhere.push_back("--rebox");
  const ProcessResult result = tsmini_program(elsewhere);
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_NE(Model::load(file("e.safetensors")).frame.low.x, a.frame.low.x);
}

TEST_F(Learn, RefusesWhatCannotWork) {
  const auto with = [&](const Words& more) { return train("m.safetensors", more); };
  expect(2, with({"--set", "loss.k=12"}), "a batch of 12 has only 11", "raise --batch");
  expect(2, with({"--set", "fly=1"}), "no setting 'fly'", "net.layers");
  expect(2, with({"--set", "lessons=x"}), "augment_to=x", "a whole number");  // as it was called
  expect(2, with({"--set", "rate=nan"}), "rate is nan", "number");
  expect(2, with({"--set", "loss.slope=1e30"}), "loss.slope is 1e.30", "--set loss.slope=1000000");
  expect(2, with({"--set", "rate"}), "not KEY=VALUE", "--help");
  expect(2, with({"--rebox"}), "--init", "");
  expect(2, with({"--space", "flat"}), "flat", "ground");
  expect(3, {"train", file("city.tsd"), "-o", file("m.safetensors"), "--batch", "200"},
         "140 training trajectories do not fill a batch of 200", "--batch 140");
  expect(1, {"train", file("city.tsd"), "-o", file("no/m.safetensors")}, "cannot write",
         "create the folder");
  expect(3, {"train", file("none.tsd"), "-o", file("m.safetensors")}, "none.tsd", "");
}

// The model, and what lies beside it under its name.
TEST_F(Learn, WritesOverNoInput) {
  const std::string bytes = read_file(folder_ / "city.tsd");
  for (const char* ending : {".safetensors", ".jsonl", ".svg", ".checkpoint"}) {
    const std::filesystem::path link = folder_ / (std::string("m") + ending);
    std::filesystem::create_hard_link(folder_ / "city.tsd", link);
    expect(2, train("m.safetensors"), "same file as the input .*city.tsd", "another name");
    std::filesystem::remove(link);
  }
  expect(2, train("city.tsd"), "city.tsd is an input", "another name");
  write_file(folder_ / "m.safetensors", "");
  expect(2, train("m.safetensors", {"--init", file("m.safetensors")}), "is an input", "another");
  write_file(folder_ / "trips/collection.db", "");
  expect(2, train("trips/m.safetensors"), "inside the collection", "another place");
  EXPECT_EQ(read_file(folder_ / "city.tsd"), bytes);
}

TEST_F(Learn, WritesOverNothingThatIsNoModel) {
  for (const char* name : {"other.tsd", "tracks.csv", "tracks.geojson"}) {
    const std::string bytes = name == std::string("other.tsd")
                                  ? read_file(folder_ / "city.tsd")
                                  : "{\"type\": \"FeatureCollection\"}\n";
    write_file(folder_ / name, bytes);
    expect(2, train(name, {"--steps", "2"}), "is there, and is no model", "another file");
    EXPECT_EQ(read_file(folder_ / name), bytes);
  }
  // Weights of somebody else's, and files beside the model that are no logs of a training.
  write_file(folder_ / "foreign.safetensors", std::string("\x02\0\0\0\0\0\0\0{}", 10));
  expect(2, train("foreign.safetensors", {"--steps", "2"}), "is there, and is no model", "another");
  for (const std::string name : {"tracks.jsonl", "tracks.svg"}) {
    write_file(folder_ / name, "{\"type\": \"Feature\"}\n");
    expect(2, train("tracks.safetensors", {"--steps", "2"}), name + " is there, and is no log",
           "another file");
    EXPECT_EQ(read_file(folder_ / name), "{\"type\": \"Feature\"}\n");
    std::filesystem::remove(folder_ / name);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "tracks.safetensors"));
  write_file(folder_ / "empty", "");
  for (int again = 0; again < 2; ++again)
    EXPECT_EQ(tsmini_program(train("empty", {"--steps", "2", "--quiet"})).status, 0);
}

TEST_F(Learn, TakesACollection) {
  ASSERT_EQ(tsmini_program({"index", file("city.tsd"), "-o", file("city"), "--quiet"}).status, 0);
  Words words = train("m.safetensors", {"--steps", "2", "--quiet"});
  words[1] = file("city");
  const ProcessResult result = tsmini_program(words);
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(std::filesystem::exists(file("m.safetensors")));
}

TEST_F(Learn, NamesAllThatStandsInTheWay) {
  write_dataset(file("city.tsd"), random_trajectories(12, 1));
  expect(3, train("m.safetensors"), "12 trajectories are too few to learn from", "20 at least");
  std::vector<Part> parts(12, Part::train);
  parts[0] = Part::validation;
  write_dataset(file("city.tsd"), random_trajectories(12, 1), parts);
  expect(3, train("m.safetensors"),
         "11 training trajectories do not fill a batch of 12; 1 validation trajectories",
         "--batch 11; .*--split");
}

TEST_F(Learn, RefusesDataThatTeachesNothing) {
  const OwnedTrajectory same{"same", {{10, 45}, {10.01, 45.01}}, {}};
  write_dataset(file("city.tsd"), std::vector<OwnedTrajectory>(60, same));
  expect(3, train("m.safetensors"), "at distance 0 of each other", "more than one shape");
  write_dataset(file("city.tsd"), random_trajectories(40, 2), std::vector<Part>(40, Part::train));
  expect(3, train("m.safetensors", {"--space", "mercator"}), "0 validation trajectories",
         "--split");
}

TEST_F(Learn, NamesTheRemedyWhereThereIsNoGpu) {
  const ProcessResult result =
      run_command({"env", "CUDA_VISIBLE_DEVICES=", "TSMINI_EMULATED_GPUS=0", TSMINI_PROGRAM,
                   "train", file("city.tsd"), "-o", file("m"), "--device", "cuda"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(matches(result.errors, "built without CUDA|driver|GPU")) << result.errors;
  EXPECT_TRUE(matches(result.errors, "hint: .*CPU|--device cpu")) << result.errors;
  EXPECT_FALSE(std::filesystem::exists(file("m")));
}

TEST_F(Learn, NamesNeedNotBeText) {
  const std::string data = file(
                        "st\xe4"
                        "dte.tsd"),
                    model = file("m\xe4.safetensors");
  std::filesystem::rename(file("city.tsd"), data);
  Words words = train("m\xe4.safetensors", {"--steps", "2", "--json", "--quiet"});
  words[1] = data;
  const ProcessResult result = tsmini_program(words);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(json::parse(result.output).contains("model"));
  EXPECT_EQ(json::parse(Model::load(model).provenance)["data"],
            "st\xef\xbf\xbd"
            "dte.tsd");
}

TEST_F(Learn, AFinishedModelStaysUntilAValidation) {
  ASSERT_EQ(tsmini_program(train("m.safetensors", {"--steps", "2", "--quiet"})).status, 0);
  const Words names{"m.safetensors", "m.jsonl", "m.svg"};
  Words before;
  for (const std::string& name : names) before.push_back(read_file(folder_ / name));
  ProcessResult result;
  for (int wait = 1; wait <= 16; wait *= 2) {
    RunningProcess process(
        program(train("m.safetensors", {"--steps", "1000000", "--set", "validations=1"})));
    std::this_thread::sleep_for(std::chrono::milliseconds(500 * wait));
    process.signal(SIGTERM);
    result = process.wait();
    ASSERT_EQ(result.status, 130) << result.errors;
    if (!matches(result.errors, "before a step was made")) break;
  }
  EXPECT_TRUE(matches(result.errors,
                      "interrupted after step [0-9,]+; .*m.safetensors is the finished model that "
                      "it was, since .*, .*m.checkpoint holds where this run stood"))
      << result.errors;
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_TRUE(read_file(folder_ / names[i]) == before[i]) << names[i];
  const ProcessResult resumed = tsmini_program(
      train("m.safetensors", {"--resume", "--steps", "1", "--set", "validations=1"}));
  EXPECT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_FALSE(read_file(folder_ / "m.safetensors") == before[0]) << "validated, and finished";
}

TEST_F(Learn, WhatCannotBeWrittenIsToldBeforeAnyWork) {
  for (const char* name : {"m.jsonl", "m.svg"}) {
    std::filesystem::create_directory(folder_ / name);
    const ProcessResult result = tsmini_program(train("m.safetensors", {"--steps", "2"}));
    EXPECT_EQ(result.status, 1);
    EXPECT_TRUE(matches(result.errors, std::string("^error: .*") + name + ": .*directory"))
        << result.errors;
    std::filesystem::remove(folder_ / name);
  }
  expect(2, train("m.safetensors", {"--batch", "2000"}), "--batch.*1024", "");
}

}  // namespace
}  // namespace tsmini
