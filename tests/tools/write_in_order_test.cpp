#include "common/write_in_order.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace tsmini::cli {
namespace {

TEST(WriteInOrder, WritesInTheOrderOfTheirNumbers) {
  for (const std::size_t count : {0u, 1u, 2u, 1000u}) {
    std::vector<std::string> written, expected;
    for (std::size_t i = 0; i < count; ++i) expected.push_back(std::to_string(i));
    write_in_order(
        count,
        [](std::size_t i) {
          if (i % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
          return std::to_string(i);
        },
        [&](const std::string& text) { written.push_back(text); });
    EXPECT_EQ(written, expected);
  }
}

// However long one of them takes, only so many wait for it.
TEST(WriteInOrder, KeepsFew) {
  std::atomic<int> made = 0, waiting = 0, most = 0;
  write_in_order(
      20'000,
      [&](std::size_t i) {
        ++made;
        int now = ++waiting, before = most;
        while (now > before && !most.compare_exchange_weak(before, now)) {
        }
        if (i == 5) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return std::string();
      },
      [&](const std::string&) { --waiting; });
  EXPECT_EQ(made, 20'000);
  EXPECT_LE(most, static_cast<int>(16 * std::thread::hardware_concurrency()));
}

TEST(WriteInOrder, TheFirstIsMadeAlone) {
  std::atomic<bool> first_is_there = false;
  write_in_order(
      100,
      [&](std::size_t i) {
        if (i > 0) {
          EXPECT_TRUE(first_is_there);
        }
        if (i == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        first_is_there = true;
        return std::string();
      },
      [](const std::string&) {});
}

TEST(WriteInOrder, WhatIsThrownEndsIt) {
  std::atomic<int> made = 0;
  const auto make = [&](std::size_t i) -> std::string {
    ++made;
    if (i == 50) throw std::runtime_error("enough");
    return {};
  };
  EXPECT_THROW(write_in_order(1'000'000, make, [](const std::string&) {}), std::runtime_error);
  EXPECT_LT(made, 10'000);
}

}  // namespace
}  // namespace tsmini::cli
