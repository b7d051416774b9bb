#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/measure.h"
#include "tsmini/planar_set.h"
#include "tsmini/space.h"

#include "base/npy.h"
#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

using Names = std::vector<std::string>;
using nlohmann::json;

class Distance : public testing::Test {
 protected:
  Distance() {
    write_dataset(folder_ / "a.tsd",
                  {{"p", {{10, 45}, {10.01, 45}, {10.02, 45.01}}, {}},
                   {"q", {{10, 45.01}, {10.02, 45.02}}, {}},
                   {"r", {{10.01, 45.02}, {10.03, 45}}, {}}},
                  {Part::train, Part::train, Part::test});
    write_dataset(folder_ / "b.tsd", {{"s", {{10, 45}, {10.01, 45.01}}, {}}});
    write_dataset(folder_ / "flat.tsd",
                  {{"x", {{0, 0}, {3, 0}}, {}}, {"y", {{0, 4}, {3, 4}, {3, 5}}, {}}}, {},
                  Coordinates::planar);
    write_dataset(folder_ / "point.tsd",
                  {{"fine", {{10, 45}, {11, 45}}, {}}, {"lonely", {{10, 45}}, {}}});
    write_dataset(folder_ / "empty.tsd", {});
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  ProcessResult run(Words words) const {
    words.insert(words.begin(), "distance");
    return tsmini_program(words);
  }

  void expect(int status, Words words, const std::string& message,
              const std::string& hint = "") const {
    words.insert(words.begin(), "distance");
    expect_refusal(folder_, status, words, message, hint);
  }

  double naive(Measure measure, SpaceKind kind) const {
    const Dataset data = Dataset::open(folder_ / "a.tsd");
    const PlanarSet set(data, Space::fit(kind, data));
    return distance(measure, set[0], set[1]);
  }

  TemporaryFolder folder_;
};

// The shape as the header has it, read without our own reader.
std::string shape_of(const std::filesystem::path& path) {
  const std::string bytes = read_file(path).substr(0, 128);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t begin = bytes.find("'shape': ("), end = bytes.find(')', begin);
  return bytes.substr(begin + 10, end - begin - 10);
}

TEST_F(Distance, Matrices) {
  const ProcessResult square = run({file("a.tsd"), "-o", file("d.npy"), "--threads", "1"});
  ASSERT_EQ(square.status, 0) << square.errors;
  EXPECT_EQ(square.output, "");
  EXPECT_TRUE(matches(square.errors, "3 frechet pairs in .* pairs/s; .* lanes idle -> "));
  EXPECT_EQ(shape_of(folder_ / "d.npy"), "3, 3");
  ASSERT_EQ(run({file("a.tsd"), "-o", file("c.npy"), "--condensed", "--quiet"}).errors, "");
  EXPECT_EQ(shape_of(folder_ / "c.npy"), "3,");
  ASSERT_EQ(run({file("a.tsd"), file("b.tsd"), "-o", file("r.npy")}).status, 0);
  EXPECT_EQ(shape_of(folder_ / "r.npy"), "3, 1");
  ASSERT_EQ(run({file("a.tsd"), "--part", "train", "-o", file("t.npy")}).status, 0);
  EXPECT_EQ(shape_of(folder_ / "t.npy"), "2, 2");
  EXPECT_EQ(json::parse(read_file(folder_ / "d.npy.json"))["space"]["kind"], "ground");
}

TEST_F(Distance, MatrixAsJson) {
  const ProcessResult result = run({file("a.tsd"), "--measure", "dtw", "--band", "1", "--precision",
                                    "double", "--space", "zscore", "-o", file("d.npy"), "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json report = json::parse(result.output);
  EXPECT_EQ(report["measure"], "dtw");
  EXPECT_EQ(report["pairs"], 3);
  EXPECT_EQ(report["rows"], 3);
  EXPECT_EQ(report["precision"], "double");
  EXPECT_EQ(report["space"]["kind"], "zscore");
  EXPECT_GT(report["pairs_per_second"].get<double>(), 0);
  EXPECT_EQ(read_file(folder_ / "d.npy").size(), 128u + 9 * 8);
}

TEST_F(Distance, OnePairInDoublePrecision) {
  for (const Measure measure : {Measure::frechet, Measure::dtw, Measure::edwp}) {
    const ProcessResult result =
        run({file("a.tsd"), "--pair", "p,q", "--measure", std::string(name_of(measure)), "--json"});
    ASSERT_EQ(result.status, 0) << result.errors;
    const json report = json::parse(result.output);
    EXPECT_EQ(report["distance"].get<double>(), naive(measure, SpaceKind::ground));
    EXPECT_EQ(report["measure"], std::string(name_of(measure)));
    EXPECT_EQ(report["ids"], json::array({"p", "q"}));
  }
  const ProcessResult text = run({file("a.tsd"), "--pair", "p,q", "--space", "mercator"});
  EXPECT_EQ(std::stod(text.output), naive(Measure::frechet, SpaceKind::mercator));
  EXPECT_EQ(text.errors, "");
  EXPECT_EQ(run({file("a.tsd"), file("b.tsd"), "--pair", "p,s"}).status, 0);
  EXPECT_EQ(run({file("flat.tsd"), "--pair", "x,y"}).output, "5\n") << "planar by itself";
}

TEST_F(Distance, WhatTheGpuCannotDo) {
  const std::string out = file("d.npy");
  const auto cuda = [&](Words more) {
    more.insert(more.begin(), {file("a.tsd"), "-o", out, "--device", "cuda"});
    return more;
  };
  expect(2, cuda({"--measure", "sspd"}), "'sspd' has no GPU kernel", "dtw, frechet");
  expect(2, cuda({"--measure", "dtw", "--band", "1"}), "no --band", "--device cpu");
  expect(2, cuda({"--precision", "double"}), "single precision", "--precision single");
  EXPECT_EQ(run({file("a.tsd"), "-o", out, "--device", "tpu"}).status, 2);
  EXPECT_EQ(run({file("a.tsd"), "--pair", "p,q", "--device", "cuda"}).status, 2);
}

TEST_F(Distance, OnAGpuOrAnErrorThatSaysWhyNot) {
  const bool has_gpu =
      json::parse(tsmini_program({"info", "--json"}).output)["gpu"].get<std::string>() != "none";
  if (!has_gpu) {
    expect(1, {file("a.tsd"), "-o", file("d.npy"), "--device", "cuda"},
           "(built without CUDA|no NVIDIA driver|no GPU that)", "--device cpu");
  }
  ASSERT_EQ(run({file("a.tsd"), "-o", file("cpu.npy")}).status, 0);
  const ProcessResult either =
      run({file("a.tsd"), "-o", file("auto.npy"), "--device", "auto", "--json"});
  ASSERT_EQ(either.status, 0) << either.errors;
  EXPECT_EQ(json::parse(either.output)["device"] == "cpu", !has_gpu);
  const NpyArray cpu(folder_ / "cpu.npy"), gpu(folder_ / "auto.npy");
  ASSERT_EQ(gpu.header(), cpu.header());
  for (std::size_t i = 0; i < cpu.values<float>().size(); ++i) {
    EXPECT_NEAR(gpu.values<float>()[i], cpu.values<float>()[i], 1e-5 * cpu.values<float>()[i]);
  }
}

TEST_F(Distance, Paths) {
  const ProcessResult result =
      run({file("flat.tsd"), "--pair", "x,y", "--measure", "dtw", "--path", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(json::parse(result.output)["path"], json::parse("[[0,0],[1,1],[1,2]]"));
  EXPECT_EQ(json::parse(result.output)["distance"], 13.0);
  EXPECT_EQ(run({file("flat.tsd"), "--pair", "x,y", "--path"}).output,
            "     i      j  distance\n     0      0  4\n     1      1  4\n     1      2  5\n"
            "frechet 5\n");
}

TEST_F(Distance, SettingsReachTheMeasure) {
  const auto of = [&](const Words& more) {
    Words words{file("flat.tsd"), "--pair", "x,y"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words).output;
  };
  EXPECT_EQ(of({"--measure", "lcss", "--epsilon", "4.5"}), "0\n");
  EXPECT_EQ(of({"--measure", "lcss", "--epsilon", "3.5"}), "1\n");
  EXPECT_EQ(of({"--measure", "erp", "--gap=3,5"}), "8\n");
  EXPECT_NE(of({"--measure", "erp"}), "8\n");
}

TEST_F(Distance, Usage) {
  const std::string a = file("a.tsd"), out = file("d.npy");
  expect(2, {a}, "--output \\(or --pair\\)", "tsmini distance --help");
  expect(2, {a, "-o", file("d.csv")}, "d.csv: only NumPy files can be written", "d.npy");
  expect(2, {a, "-o", out, "--measure", "fly"}, "unknown measure 'fly'",
         "dtw, frechet, .* and sspd");
  expect(2, {a, "-o", out, "--space", "mars"}, "unknown space 'mars'", "ground, mercator");
  expect(2, {a, "-o", out, "--measure", "edr"}, "'edr' needs an epsilon");
  expect(2, {a, "-o", out, "--measure", "lcss", "--epsilon", "0"}, "'lcss' needs an epsilon");
  expect(2, {a, "-o", out, "--epsilon", "5"}, "--epsilon means nothing to the measure 'frechet'",
         "edr and lcss");
  expect(2, {a, "-o", out, "--gap", "1,2"}, "--gap means nothing", "erp");
  expect(2, {a, "-o", out, "--measure", "erp", "--gap", "1"}, "--gap: '1' is not X,Y");
  expect(2, {a, "-o", out, "--band", "3"}, "takes no band");
  expect(2, {a, "-o", out, "--part", "half"}, "'half' is not a part", "train, validation and test");
  expect(2, {a, "-o", out, "--precision", "half"}, "half");
  expect(2, {a, a, "-o", out, "--condensed"}, "--condensed is for all pairs");
  expect(2, {a, "-o", out, "--pair", "p,q"}, "--pair");
  expect(2, {a, "-o", out, "--path"}, "--path");
  expect(2, {a, "--pair", "p"}, "'p' is not ID1,ID2");
  expect(2, {a, "--pair", "p,q", "--measure", "edwp", "--path"}, "'edwp' has no --path",
         "dtw and frechet");
}

TEST_F(Distance, BadInput) {
  const std::string a = file("a.tsd"), out = file("d.npy");
  expect(3, {a, "--pair", "p,nobody"}, "a.tsd: no trajectory has the id 'nobody'");
  expect(3, {a, file("b.tsd"), "--pair", "p,q"}, "b.tsd: no trajectory has the id 'q'");
  expect(3, {file("point.tsd"), "-o", out, "--measure", "edwp"}, "'edwp' needs two .*'lonely'",
         "--min-points 2");
  expect(3, {file("empty.tsd"), "-o", out}, "empty.tsd: the data set has no points");
  expect(3, {file("b.tsd"), "-o", out, "--part", "test"}, "no trajectory is marked 'test'",
         "--split");
  expect(3, {a, "-o", out, "--space", "planar"}, "a.tsd: the space 'planar' needs planar data");
  expect(3, {file("flat.tsd"), "-o", out, "--space", "ground"}, "needs degrees");
  expect(3, {a, file("flat.tsd"), "-o", out}, "flat.tsd are planar, .*a.tsd are degrees");
  expect(3, {file("none.tsd"), "-o", out}, "none.tsd: cannot read");
}

TEST_F(Distance, Failure) {
  const std::string a = file("a.tsd");
  expect(1, {a, "-o", file("no/d.npy")}, "cannot write: No such file", "create the folder");
  expect(1, {a, "-o", "/dev/null"}, "/dev/null: cannot write", "a file");
  EXPECT_EQ(run({a, "-o", folder_.path().string()}).status, 1);
  EXPECT_EQ(run({a, "-o", "/proc/d.npy"}).status, 1);
}

// A matrix that takes a second or more, stopped after its first rows.
class Interrupted : public testing::Test {
 protected:
  Interrupted() {
    EXPECT_EQ(tsmini_program({"synth", "--count", "1200", "-o", file("c.tsd")}).status, 0);
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  Words matrix(const std::string& name) const {
    return {"distance",    file("c.tsd"), "--measure", "dtw",
            "--precision", "double",      "-o",        file(name)};
  }

  ProcessResult stop(int signal) const {
    RunningProcess process(program(matrix("a.npy")));
    for (int i = 0; i < 30'000 && rows_done() == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    process.signal(signal);
    return process.wait();
  }

  std::size_t rows_done() const {
    if (!std::filesystem::exists(folder_ / "a.npy.part.json")) return 0;
    const json record = json::parse(read_file(folder_ / "a.npy.part.json"), nullptr, false);
    return record.is_object() ? record["rows_done"].get<std::size_t>() : 0;
  }

  void expect_it_goes_on() const {
    EXPECT_EQ(folder_.names(), (Names{"a.npy.part", "a.npy.part.json", "c.tsd"}));
    const ProcessResult other =
        tsmini_program({"distance", file("c.tsd"), "--measure", "frechet", "-o", file("a.npy")});
    EXPECT_EQ(other.status, 3);
    EXPECT_TRUE(matches(other.errors, "another request")) << other.errors;

    const ProcessResult again = tsmini_program(matrix("a.npy"));
    ASSERT_EQ(again.status, 0) << again.errors;
    EXPECT_TRUE(matches(again.errors, "went on after [1-9].* of 1,200 rows")) << again.errors;
    Words single_threaded = matrix("b.npy");
    single_threaded.insert(single_threaded.end(), {"--threads", "1"});
    ASSERT_EQ(tsmini_program(single_threaded).status, 0);
    EXPECT_TRUE(read_file(folder_ / "a.npy") == read_file(folder_ / "b.npy"));
    EXPECT_EQ(folder_.names(), (Names{"a.npy", "a.npy.json", "b.npy", "b.npy.json", "c.tsd"}));
  }

  TemporaryFolder folder_;
};

TEST_F(Interrupted, ByCtrlC) {
  const ProcessResult result = stop(SIGINT);
  EXPECT_EQ(result.status, 130);
  EXPECT_FALSE(result.signalled);
  expect_it_goes_on();
}

TEST_F(Interrupted, ByKill) {
  EXPECT_TRUE(stop(SIGKILL).signalled);
  expect_it_goes_on();
}

}  // namespace
}  // namespace tsmini
