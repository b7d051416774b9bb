// Ctrl-C, kill, readers that go away and files that shrink.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tsmini/collection.h"
#include "tsmini/error.h"
#include "tsmini/measure.h"
#include "tsmini/model.h"

#include "encode/random_model.h"
#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

using Names = std::vector<std::string>;

std::string rows(int first, int count) {
  std::string text;
  for (int i = first; i < first + count; ++i) {
    text += fmt::format("t{}\t1 2 3\t-8.61 41.14,-8.62 41.15,-8.63 41.16\n", i);
  }
  return text;
}

// Until the program would catch the signals, and some moments more: it is at work then.
void pause(const RunningProcess& process) {
  const auto catches = [&] {
    const std::string status = read_file(fmt::format("/proc/{}/status", process.id()));
    const std::size_t at = status.find("SigCgt:");
    if (at == std::string::npos) return false;
    return (std::stoull(status.substr(at + 7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
  };
  for (int i = 0; i < 3000 && !catches(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
}

TEST(Interruption, WhileItWaitsForInput) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    RunningProcess process(program({"import", "-", "-o", (folder / "x.tsd").string()}));
    process.feed(rows(0, 10));
    pause(process);
    process.signal(signal);
    const ProcessResult result = process.wait();
    EXPECT_EQ(result.status, 130);
    EXPECT_FALSE(result.signalled);
    EXPECT_EQ(folder.names(), Names{});
  }
}

TEST(Interruption, BeforeTheFirstByte) {
  const TemporaryFolder folder;
  RunningProcess process(program({"import", "-", "-o", (folder / "x.tsd").string(), "--quiet"}));
  pause(process);
  process.signal(SIGINT);
  EXPECT_EQ(process.wait().status, 130);
  EXPECT_EQ(folder.names(), Names{});
}

TEST(Interruption, InTheMiddleOfMuchInput) {
  const TemporaryFolder folder;
  RunningProcess process(program({"import", "-", "-o", (folder / "x.tsd").string()}));
  for (int i = 0; i < 20; ++i) process.feed(rows(i * 10'000, 10'000));
  process.signal(SIGINT);
  EXPECT_EQ(process.wait().status, 130);
  EXPECT_EQ(folder.names(), Names{});
}

TEST(Interruption, OfAFifo) {
  const TemporaryFolder folder;
  const auto fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  RunningProcess process(
      program({"import", fifo.string(), "-o", (folder / "x.tsd").string(), "--sample", "5"}));
  const int writer = ::open(fifo.c_str(), O_WRONLY);
  const std::string text = rows(0, 100);
  ASSERT_EQ(::write(writer, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  pause(process);
  process.signal(SIGINT);
  EXPECT_EQ(process.wait().status, 130);
  ::close(writer);
  EXPECT_EQ(folder.names(), Names{"fifo"});
}

TEST(Interruption, OfTheSyntheticCity) {
  const TemporaryFolder folder;
  RunningProcess process(
      program({"synth", "--count", "100000000", "-o", (folder / "x.tsd").string()}));
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  process.signal(SIGINT);
  EXPECT_EQ(process.wait().status, 130);
  EXPECT_EQ(folder.names(), Names{});
}

// Two trips of 200,000 points, minutes of work together, in verbs that measure or embed them.
class LongTrips : public testing::Test {
 protected:
  LongTrips() {
    NetSettings settings;
    settings.dimension = 32;
    settings.hidden = 32;
    Model model = random_model(settings);
    model.measure = Measure::dtw;
    model.save(folder_ / "m.safetensors");
    write_dataset(folder_ / "long.tsd",
                  {{"a", random_trip(200'000, 1), {}}, {"b", random_trip(200'000, 2), {}}}, {},
                  Coordinates::planar);
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  static ProcessResult expect_stopped(const Words& words, int signal = SIGINT) {
    RunningProcess process(program(words));
    pause(process);
    process.signal(signal);
    const ProcessResult result = process.wait();
    EXPECT_EQ(result.status, 130) << result.errors;
    EXPECT_FALSE(result.signalled) << result.errors;
    EXPECT_TRUE(matches(result.errors, "stopping; again to stop at once")) << result.errors;
    EXPECT_TRUE(matches(result.errors, "error: .*interrupted")) << result.errors;
    return result;
  }

  TemporaryFolder folder_;
};

TEST_F(LongTrips, OnePairOfEveryMeasure) {
  for (const Measure measure : all_measures) {
    Words words{"distance",  file("long.tsd"),
                "--space",   "planar",
                "--pair",    "a,b",
                "--measure", std::string(name_of(measure))};
    if (measure == Measure::edr || measure == Measure::lcss) {
      words.insert(words.end(), {"--epsilon", "50"});
    }
    expect_stopped(words, measure == Measure::dtw ? SIGTERM : SIGINT);
  }
}

TEST_F(LongTrips, Alignments) {
  write_dataset(folder_ / "shorter.tsd",
                {{"a", random_trip(30'000, 1), {}}, {"b", random_trip(30'000, 2), {}}}, {},
                Coordinates::planar);
  expect_stopped({"distance", file("shorter.tsd"), "--space", "planar", "--pair", "a,b",
                  "--measure", "dtw", "--path"});
}

TEST_F(LongTrips, Matrices) {
  expect_stopped({"distance", file("long.tsd"), "--space", "planar", "-o", file("d.npy")});
}

TEST_F(LongTrips, NearestNeighbours) {
  for (const char* measure : {"frechet", "edwp"}) {
    expect_stopped({"knn", file("long.tsd"), file("long.tsd"), "--space", "planar", "-k", "1",
                    "--measure", measure});
  }
}

TEST_F(LongTrips, Findings) {
  const std::string trips = file("long.tsd");
  for (const char* verb : {"duplicates", "outliers"}) {
    expect_stopped({verb, trips, "--space", "planar", "-o", file("found.csv")});
  }
  expect_stopped(
      {"cluster", trips, "--space", "planar", "--method", "dbscan", "-o", file("found.csv")});
  expect_stopped({"cluster", trips, "--space", "planar", "-k", "1"});
  expect_stopped({"cluster", trips, "--space", "planar", "--method", "hdbscan", "--min-points", "2",
                  "--min-size", "2"});
  expect_stopped({"join", trips, trips, "--space", "planar", "-k", "1"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "found.csv"));
}

TEST_F(LongTrips, Pieces) {
  for (const char* measure : {"frechet", "dtw"}) {
    expect_stopped({"find", file("long.tsd"), file("long.tsd"), "--piece", "a", "--space", "planar",
                    "--measure", measure});
  }
}

TEST_F(LongTrips, Embeddings) {
  expect_stopped({"embed", file("m.safetensors"), file("long.tsd"), "-o", file("e.npy")});
  expect_stopped({"evaluate", file("m.safetensors"), file("long.tsd")});
  const auto before = folder_.names();
  expect_stopped({"index", file("m.safetensors"), file("long.tsd"), "-o", file("city")});
  EXPECT_EQ(folder_.names(), before) << "an empty collection is of no use";
}

// With the trips that were picked, and no others.
TEST_F(LongTrips, AnIndexSaysHowItGoesOn) {
  std::vector<OwnedTrajectory> trips;
  for (std::uint64_t i = 0; i < 8192; ++i) {  // which are embedded at once
    trips.push_back({std::to_string(i), random_trip(2, i), {}});
  }
  trips.push_back({"long", random_trip(200'000, 1), {}});
  trips.push_back({"another", random_trip(2, 1), {}});
  write_dataset(folder_ / "many.tsd", trips, {}, Coordinates::planar);
  RunningProcess process(program({"index", file("m.safetensors"), file("many.tsd"), "--limit",
                                  "8193", "-o", file("my city")}));
  const auto size = [&]() -> std::uint64_t {
    try {
      return Collection::open(folder_ / "my city").size();
    } catch (const Error&) {
      return 0;
    }
  };
  for (int i = 0; i < 6000 && size() == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  process.signal(SIGINT);
  const ProcessResult result = process.wait();
  EXPECT_EQ(result.status, 130) << result.errors;
  EXPECT_TRUE(matches(result.errors,
                      "8,192 of 8,193 trips were added and stay\n"
                      "  hint: tsmini add \".*my city\" .*many.tsd --limit 8193 --duplicates skip "
                      "goes on"))
      << result.errors;
}

TEST_F(LongTrips, Searches) {
  std::vector<OwnedTrajectory> trips;
  for (std::uint64_t i = 0; i < 40; ++i) {
    trips.push_back({std::to_string(i), random_trip(1'000, i), {}});
  }
  write_dataset(folder_ / "city.tsd", trips, {}, Coordinates::planar);
  write_dataset(folder_ / "query.tsd", {{"q", random_trip(2'000'000, 3), {}}}, {},
                Coordinates::planar);
  const ProcessResult made =
      tsmini_program({"index", file("m.safetensors"), file("city.tsd"), "-o", file("city")});
  ASSERT_EQ(made.status, 0) << made.errors;
  expect_stopped({"search", file("city"), file("query.tsd"), "--mode", "exact"}, SIGTERM);
  expect_stopped({"search", file("city"), file("query.tsd"), "--mode", "fast"});
}

TEST_F(LongTrips, ManyQueries) {
  std::vector<OwnedTrajectory> trips;
  for (std::uint64_t i = 0; i < 300; ++i) {
    trips.push_back({std::to_string(i), random_trip(2'000, i), {}});
  }
  write_dataset(folder_ / "city.tsd", trips, {}, Coordinates::planar);
  const ProcessResult made = tsmini_program({"index", file("city.tsd"), "-o", file("city")});
  ASSERT_EQ(made.status, 0) << made.errors;
  expect_stopped({"search", file("city"), file("city.tsd"), "--measure", "edwp", "-k", "200", "-o",
                  file("out.csv")});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.csv"));
}

TEST_F(LongTrips, AModelThatEmbeds) {
  const ProcessResult made = tsmini_program({"index", file("long.tsd"), "-o", file("city")});
  ASSERT_EQ(made.status, 0) << made.errors;
  const std::string errors =
      expect_stopped({"model", "add", file("city"), file("m.safetensors")}).errors;
  EXPECT_TRUE(matches(errors,
                      "the model 'dtw' stays, and has seen a part of the trips\n"
                      "  hint: tsmini model add .*city .*m.safetensors goes on"))
      << errors;
  const std::string info = tsmini_program({"info", file("city")}).output;
  EXPECT_TRUE(matches(info, "dtw: .* has not seen 2 trips \\(100 %\\) yet")) << info;
}

TEST_F(LongTrips, QuietlyWithQuiet) {
  RunningProcess process(
      program({"distance", file("long.tsd"), "--space", "planar", "-o", file("d.npy"), "--quiet"}));
  pause(process);
  process.signal(SIGINT);
  const ProcessResult result = process.wait();
  EXPECT_EQ(result.status, 130);
  EXPECT_FALSE(matches(result.errors, "stopping")) << result.errors;
}

TEST(Interruption, KillLeavesNothing) {
  const TemporaryFolder folder;
  RunningProcess process(program({"import", "-", "-o", (folder / "x.tsd").string()}));
  process.feed(rows(0, 100'000));
  pause(process);
  process.signal(SIGKILL);
  EXPECT_TRUE(process.wait().signalled);
  EXPECT_EQ(folder.names(), Names{});
}

TEST(Interruption, KillLeavesTheOldFile) {
  const TemporaryFolder folder;
  write_file(folder / "x.tsd", "old");
  RunningProcess process(program({"import", "-", "-o", (folder / "x.tsd").string()}));
  process.feed(rows(0, 1000));
  pause(process);
  process.signal(SIGKILL);
  process.wait();
  EXPECT_EQ(read_file(folder / "x.tsd"), "old");
}

TEST(BrokenPipe, EndsAnExportQuietly) {
  const TemporaryFolder folder;
  write_file(folder / "a.tsv", rows(0, 200'000));
  const std::string data = (folder / "a.tsd").string();
  ASSERT_EQ(tsmini_program({"import", (folder / "a.tsv").string(), "-o", data}).status, 0);
  const ProcessResult result =
      shell("\"$TSMINI\" export " + data + " --format tsv -o - | head -1; exit ${PIPESTATUS[0]}");
  EXPECT_EQ(result.output, "t0\t1 2 3\t-8.61 41.14,-8.62 41.15,-8.63 41.16\n");
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.status, 128 + SIGPIPE) << "as any other program in a pipe";
}

// The reader waits with its second byte until the data is cut.
TEST(ShrunkFile, IsSaidWhereItIsMapped) {
  const TemporaryFolder folder;
  write_file(folder / "a.tsv", rows(0, 200'000));
  const std::string data = (folder / "a.tsd").string();
  ASSERT_EQ(tsmini_program({"import", (folder / "a.tsv").string(), "-o", data}).status, 0);
  const ProcessResult result =
      shell("\"$TSMINI\" export " + data + " --format tsv -o - | (head -c 1; truncate -s 4096 " +
            data + "; cat) > /dev/null; exit ${PIPESTATUS[0]}");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(matches(result.errors, "^error: a file that was in use became shorter"))
      << result.errors;
  EXPECT_TRUE(matches(result.errors, "hint: .*run it again")) << result.errors;
  EXPECT_EQ(folder.names(), (Names{"a.tsd", "a.tsv"}));
}

}  // namespace
}  // namespace tsmini
