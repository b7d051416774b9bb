#include "simd/thread_memory.h"

#include <cstdint>
#include <thread>

#include <gtest/gtest.h>

namespace tsmini {
namespace {

struct Mine;
struct Other;

TEST(ThreadMemory, IsKeptOfEachUserAndThread) {
  float* first = thread_memory<Mine, float>(1000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0U);
  EXPECT_EQ((thread_memory<Mine, float>(10)), first);
  EXPECT_NE((thread_memory<Other, float>(10)), first);
  std::thread([&] { EXPECT_NE((thread_memory<Mine, float>(10)), first); }).join();
}

TEST(ThreadMemory, IsMuchOnlyWhileMuchIsNeeded) {
  constexpr std::size_t kept = kept_thread_memory, long_trip = 25 * kept;
  EXPECT_TRUE(wants_other_memory(1, 0));
  EXPECT_FALSE(wants_other_memory(1, kept)) << "little stays";
  EXPECT_TRUE(wants_other_memory(long_trip, kept));
  EXPECT_FALSE(wants_other_memory(long_trip, long_trip));
  EXPECT_FALSE(wants_other_memory(kept + 1, long_trip)) << "long trips follow each other";
  EXPECT_TRUE(wants_other_memory(kept, long_trip)) << "given back";
}

}  // namespace
}  // namespace tsmini
