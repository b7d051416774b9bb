// The tape and its memory.
#include "learn/tape.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace tsmini::learn {
namespace {

using Purpose = Tape<double>::Purpose;

TEST(Arena, GivesTheSamePlacesOnceItKnowsTheSize) {
  Arena arena;
  const auto take = [&] {
    std::vector<double*> places;
    for (std::size_t size = 1; size < 2'000'000; size = 3 * size + 1)
      places.push_back(arena.take<double>(size));
    return places;
  };
  const auto first = take();
  const std::size_t bytes = arena.bytes();
  arena.clear();
  const auto second = take();
  EXPECT_LE(arena.bytes(), bytes);
  for (int i = 0; i < 3; ++i) {
    arena.clear();
    EXPECT_EQ(take(), second);
  }
}

TEST(Arena, PiecesDoNotOverlapAndAreAligned) {
  Arena arena;
  std::vector<std::pair<char*, std::size_t>> pieces;
  for (std::size_t size : {0U, 1U, 127U, 128U, 129U, 3'000'000U, 5U, 1'000'000U})
    pieces.emplace_back(arena.take<char>(size), size);
  std::sort(pieces.begin(), pieces.end());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pieces[i].first) % 64, 0U);
    if (i > 0) {
      EXPECT_LE(pieces[i - 1].first + pieces[i - 1].second, pieces[i].first);
    }
  }
}

TEST(TapeOrder, IsWalkedBackwards) {
  Arena arena;
  Tape<double> tape(arena, Purpose::training);
  std::vector<int> called;
  for (const int i : {1, 2, 3}) tape.record([&called, i] { called.push_back(i); });
  tape.backward();
  EXPECT_EQ(called, (std::vector<int>{3, 2, 1}));
  tape.backward();
  EXPECT_EQ(called.size(), 3U);
}

TEST(TapeOrder, RecordsNothingOutsideTraining) {
  Arena arena;
  Tape<double> tape(arena, Purpose::embedding);
  tape.record([] { FAIL(); });
  EXPECT_EQ(tape.array(2, 3).gradient, nullptr);
  EXPECT_EQ(tape.target(tape.array(2, 3)).data, nullptr);
  tape.backward();
}

TEST(TapeOrder, GradientsArePassedOnAndAddedTo) {
  Arena arena;
  Tape<double> tape(arena, Purpose::training);
  const Array<double> x = tape.array(1, 2), y = tape.array(1, 2), z = tape.array(1, 2);
  std::fill_n(tape.target(y).data, 2, 3.0);
  std::fill_n(tape.target(z).data, 2, 4.0);
  tape.pass_on(y, x);
  EXPECT_EQ(tape.gradient(x), tape.gradient(y)) << "the memory goes over";
  tape.pass_on(z, x);
  EXPECT_EQ(tape.gradient(x)[0], 7);
  EXPECT_EQ(tape.gradient(x)[1], 7);
  EXPECT_TRUE(tape.target(x).add);
}

}  // namespace
}  // namespace tsmini::learn
