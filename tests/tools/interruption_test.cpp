// Ctrl-C, kill and readers that go away.
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

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

void pause() {
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
}

TEST(Interruption, WhileItWaitsForInput) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    RunningProcess process(program({"import", "-", "-o", (folder / "x.tsd").string()}));
    process.feed(rows(0, 10));
    pause();
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
  pause();
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
  pause();
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

TEST(Interruption, KillLeavesNothing) {
  const TemporaryFolder folder;
  RunningProcess process(program({"import", "-", "-o", (folder / "x.tsd").string()}));
  process.feed(rows(0, 100'000));
  pause();
  process.signal(SIGKILL);
  EXPECT_TRUE(process.wait().signalled);
  EXPECT_EQ(folder.names(), Names{});
}

TEST(Interruption, KillLeavesTheOldFile) {
  const TemporaryFolder folder;
  write_file(folder / "x.tsd", "old");
  RunningProcess process(program({"import", "-", "-o", (folder / "x.tsd").string()}));
  process.feed(rows(0, 1000));
  pause();
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

}  // namespace
}  // namespace tsmini
