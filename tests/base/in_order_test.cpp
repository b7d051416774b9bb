#include "base/in_order.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

namespace tsmini {
namespace {

using Numbers = std::vector<std::size_t>;

Numbers numbers_from(std::size_t first, std::size_t count) {
  Numbers all;
  for (std::size_t i = first; i < count; ++i) all.push_back(i);
  return all;
}

// What is used, in this order; checks that it is what was made for its number.
Numbers used_of(std::size_t count, std::size_t first = 0) {
  Numbers used;
  std::atomic<bool> in_use = false;
  in_order<std::unique_ptr<std::size_t>>(
      count,
      [](std::size_t i) {
        if (i % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
        return std::make_unique<std::size_t>(i);
      },
      [&](std::size_t i, const std::unique_ptr<std::size_t>& made) {
        EXPECT_FALSE(in_use.exchange(true));
        EXPECT_EQ(*made, i);
        used.push_back(i);
        in_use = false;
      },
      first);
  return used;
}

TEST(InOrder, IsKeptOnManyThreads) {
  tbb::task_arena(8).execute([] {
    for (const std::size_t count : {1U, 2U, 1000U}) {
      EXPECT_EQ(used_of(count), numbers_from(0, count));
    }
    EXPECT_EQ(used_of(50, 30), numbers_from(30, 50));
  });
}

TEST(InOrder, IsKeptOnOneThread) {
  tbb::task_arena(1).execute([] { EXPECT_EQ(used_of(100), numbers_from(0, 100)); });
}

TEST(InOrder, OfNothingIsNothing) {
  EXPECT_EQ(used_of(0), Numbers());
  EXPECT_EQ(used_of(5, 5), Numbers());
}

TEST(InOrder, WhatMakingThrowsEndsIt) {
  Numbers used;
  const auto make = [](std::size_t i) {
    if (i == 50) throw std::runtime_error("enough");
    return i;
  };
  const auto use = [&](std::size_t i, std::size_t) { used.push_back(i); };
  EXPECT_THROW(in_order<std::size_t>(1'000'000, make, use), std::runtime_error);
  EXPECT_LE(used.size(), 50U);
  EXPECT_EQ(used, numbers_from(0, used.size()));
}

TEST(InOrder, WhatUsingThrowsEndsIt) {
  Numbers used;
  std::atomic<std::size_t> made = 0;
  const auto make = [&](std::size_t i) {
    ++made;
    return i;
  };
  const auto use = [&](std::size_t i, std::size_t) {
    if (i == 50) throw std::runtime_error("enough");
    used.push_back(i);
  };
  EXPECT_THROW(in_order<std::size_t>(1'000'000, make, use), std::runtime_error);
  EXPECT_EQ(used, numbers_from(0, 50));
  EXPECT_LT(made, 10'000U);
}

}  // namespace
}  // namespace tsmini
