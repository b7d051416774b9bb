#include "tsmini/heartbeat.h"

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/pulse.h"

namespace tsmini {
namespace {

TEST(Heartbeats, WithoutAProgressDoNothing) {
  for (const Heartbeat& heartbeat : {Heartbeat(), Heartbeat(Progress(), 7)}) {
    heartbeat.advance(3);
    heartbeat.beat();
    Pulse(heartbeat).work(std::uint64_t{1} << 40);
  }
}

TEST(Heartbeats, CountWhatIsDoneAndBeatWithUnchangedCounts) {
  std::vector<ProgressState> states;
  const Heartbeat heartbeat([&](const ProgressState& state) { states.push_back(state); }, 10);
  heartbeat.advance(2);
  heartbeat.advance(3);
  while (states.size() < 4) heartbeat.beat();
  const Heartbeat copy = heartbeat;
  copy.advance(5);
  std::vector<std::uint64_t> done;
  for (const ProgressState& state : states) {
    done.push_back(state.done);
    EXPECT_EQ(state.total, 10u);
  }
  EXPECT_EQ(done, (std::vector<std::uint64_t>{2, 5, 5, 5, 10}));
}

TEST(Heartbeats, APulseBeatsWhenMadeAndAfterMuchWork) {
  int calls = 0;
  const Heartbeat heartbeat([&](const ProgressState&) { ++calls; });
  Pulse pulse(heartbeat);
  EXPECT_EQ(calls, 1);
  while (calls < 3) pulse.work(1000);
}

// Each thread works for ever, until one of them is told to stop.
TEST(Heartbeats, WhatProgressThrowsStopsEveryThread) {
  std::atomic<int> inside = 0, stopped = 0;
  int calls = 0;
  const Heartbeat heartbeat([&](const ProgressState&) {
    EXPECT_EQ(++inside, 1) << "two threads at once";
    --inside;
    if (++calls == 5) throw std::runtime_error("enough");
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      try {
        Pulse pulse(heartbeat);
        for (;;) {
          if (t == 0) heartbeat.advance(1);
          pulse.work(100'000);
        }
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "enough");
        ++stopped;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stopped, 4);
  EXPECT_EQ(calls, 5) << "told once, it is not asked again";
  EXPECT_THROW(heartbeat.beat(), std::runtime_error);
}

}  // namespace
}  // namespace tsmini
