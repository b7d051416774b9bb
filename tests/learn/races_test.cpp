// That the thread sanitizer sees races in the parallel work of training: a program that has one, on
// purpose, is ended by it. Compiled only under it; all other tests show that it reports nothing
// else.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "learn/ops/row_kernels.h"
#include "learn/parallel.h"
#include "learn/threads.h"

namespace tsmini {
namespace {

// Calls visit() twice at once, as two parts of one loop. The atomic is relaxed, so that it puts in
// no order what the two do.
template <class Visit>
void both_at_once(const Visit& visit) {
  std::atomic<int> arrived{0};
  with_threads(2, [&] {
    learn::each_part(2, [&](std::size_t) {
      arrived.fetch_add(1, std::memory_order_relaxed);
      while (arrived.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
      visit();
    });
  });
}

[[noreturn]] void count_together() {
  std::size_t count = 0;
  both_at_once([&] { ++count; });
  std::exit(count == 0 ? 2 : 0);
}

// Whole vectors of a kernel.
[[noreturn]] void add_together() {
  constexpr std::size_t size = 64;
  const std::vector<float> x(size, 1), branch(size, 2);
  std::vector<float> sum(size);
  const auto kernels = learn::row_kernels<float>();
  both_at_once([&] { kernels.add_relu(size, x.data(), branch.data(), sum.data()); });
  std::exit(sum[0] == 3 ? 0 : 2);
}

class Races : public testing::Test {
 protected:
  // A process from its start: a fork would have none of the threads of this one.
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(Races, InABodyAreSeen) {
  EXPECT_DEATH(count_together(), "data race");
}

TEST_F(Races, InVectorsOfAKernelAreSeen) {
  EXPECT_DEATH(add_together(), "data race");
}

}  // namespace
}  // namespace tsmini
