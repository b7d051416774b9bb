#include "tsmini/heartbeat.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

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

// Work of a thread uses memory of that thread: while a Progress waits, none of it may begin on top.
// (Where it may, this shows it in most runs: it takes a thief at the right moment.)
TEST(Heartbeats, AProgressThatWaitsTakesUpNoneOfTheWorkAroundIt) {
  const tbb::global_control many(tbb::global_control::max_allowed_parallelism, 8);
  static thread_local int depth = 0;
  std::atomic<int> deepest = 0;
  const auto spin = [](std::chrono::microseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
    }
  };
  const Heartbeat heartbeat([&](const ProgressState&) {
    tbb::parallel_for(
        0, 8, [&](int) { spin(std::chrono::microseconds(200)); }, tbb::simple_partitioner());
  });
  tbb::task_arena(8).execute([&] {
    tbb::parallel_for(
        0, 12000,
        [&](int i) {
          ++depth;
          for (int seen = deepest; seen < depth && !deepest.compare_exchange_weak(seen, depth);) {
          }
          spin(std::chrono::microseconds(20));
          if (i % 10 == 0 && depth == 1) heartbeat.advance(1);
          --depth;
        },
        tbb::simple_partitioner());
  });
  EXPECT_EQ(deepest, 1);
}

}  // namespace
}  // namespace tsmini
