#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "data/clean.h"
#include "support/arguments.h"

namespace tsmini {
namespace {

using Points = std::vector<Position>;
using Times = std::vector<std::int64_t>;
using Pieces = std::vector<std::pair<std::size_t, std::size_t>>;

Pieces cut(const Points& points, const Times& times, const std::string& words) {
  const CutOptions options = import_options_from(words).cut;
  Pieces pieces;
  for (const Stretch& s : cut_points(points, times, options, true)) {
    pieces.emplace_back(s.begin, s.end);
  }
  return pieces;
}

Points line(std::size_t size) {
  Points points;
  for (std::size_t i = 0; i < size; ++i) points.push_back({static_cast<double>(i), 0});
  return points;
}

TEST(Cut, NothingWithoutAReason) {
  EXPECT_EQ(cut(line(5), {}, ""), (Pieces{{0, 5}}));
  EXPECT_EQ(cut(line(5), {}, "--cut-gap 1 --cut-stay 10,1"), (Pieces{{0, 5}}));
}

TEST(Cut, AtGapsThatAreLonger) {
  EXPECT_EQ(cut(line(4), {0, 10, 21, 31}, "--cut-gap 10"), (Pieces{{0, 2}, {2, 4}}));
  EXPECT_EQ(cut(line(3), {0, 100, 200}, "--cut-gap 10"), (Pieces{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(cut(line(1), {0}, "--cut-gap 10"), (Pieces{{0, 1}}));
}

TEST(Cut, GapsAsANaiveTwin) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t size = 1 + random() % 50;
    Times times{0};
    while (times.size() < size) {
      times.push_back(times.back() + static_cast<std::int64_t>(random() % 20));
    }
    Pieces wanted{{0, 1}};
    for (std::size_t i = 1; i < size; ++i) {
      if (times[i] - times[i - 1] > 12) wanted.emplace_back(i, i);
      wanted.back().second = i + 1;
    }
    ASSERT_EQ(cut(line(size), times, "--cut-gap 12"), wanted);
  }
}

TEST(Cut, ByLength) {
  EXPECT_EQ(cut(line(5), {}, "--cut-length 2"), (Pieces{{0, 2}, {2, 4}, {4, 5}}));
  EXPECT_EQ(cut(line(4), {}, "--cut-length 2"), (Pieces{{0, 2}, {2, 4}}));
  EXPECT_EQ(cut(line(4), {}, "--cut-length 4"), (Pieces{{0, 4}}));
  EXPECT_EQ(cut(line(4), {}, "--cut-length 1"), (Pieces{{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
}

TEST(Cut, ByLengthAfterAGap) {
  EXPECT_EQ(cut(line(5), {0, 1, 50, 51, 52}, "--cut-gap 10 --cut-length 2"),
            (Pieces{{0, 2}, {2, 4}, {4, 5}}));
  EXPECT_EQ(cut(line(5), {0, 1, 50, 51, 52}, "--cut-gap 10 --cut-length 18446744073709551615"),
            (Pieces{{0, 2}, {2, 5}}));
}

TEST(Cut, AtStays) {
  const std::string options = "--cut-stay 1.5,100";
  // Comes to rest at point 2, leaves after point 4.
  const Points points{{0, 0}, {10, 0}, {20, 0}, {20.5, 0}, {20, 1}, {30, 0}, {40, 0}};
  EXPECT_EQ(cut(points, {0, 10, 20, 60, 120, 130, 140}, options), (Pieces{{0, 3}, {4, 7}}));
  EXPECT_EQ(cut(points, {0, 10, 20, 60, 119, 130, 140}, options), (Pieces{{0, 7}}));
}

TEST(Cut, AtStaysAtTheEnds) {
  const std::string options = "--cut-stay 1,100";
  EXPECT_EQ(cut({{0, 0}, {0, 0.5}, {10, 0}, {20, 0}}, {0, 100, 110, 120}, options),
            (Pieces{{1, 4}}));
  EXPECT_EQ(cut({{0, 0}, {10, 0}, {20, 0}, {20, 0.5}}, {0, 10, 20, 120}, options),
            (Pieces{{0, 3}}));
  EXPECT_EQ(cut({{0, 0}, {0, 0.5}}, {0, 500}, options), (Pieces{}));
}

// Pieces lie in order, and what lies between two of them is one place for long enough.
TEST(Cut, StaysAtRandom) {
  std::mt19937_64 random(2);
  const CutOptions::Stay stay{2, 30};
  for (int round = 0; round < 500; ++round) {
    Points points;
    Times times;
    Position p{};
    std::int64_t time = 0;
    for (std::uint64_t i = 0; i < 2 + random() % 60; ++i) {
      if (random() % 3 == 0) p.lon += 3;
      p.lat = static_cast<double>(random() % 2);
      time += static_cast<std::int64_t>(random() % 12);
      points.push_back(p);
      times.push_back(time);
    }
    const Pieces pieces = cut(points, times, "--cut-stay 2,30");
    std::size_t before = 0;
    for (const auto& [begin, end] : pieces) {
      ASSERT_LT(begin, end);
      ASSERT_LE(end, points.size());
      if (begin > before) {  // a stay from the last piece's last point to this one's first
        const std::size_t rest = before == 0 ? 0 : before - 1;
        ASSERT_GE(times[begin] - times[rest], stay.seconds);
        for (std::size_t i = rest; i <= begin; ++i) {
          ASSERT_LE(std::hypot(points[i].lon - points[rest].lon, points[i].lat - points[rest].lat),
                    stay.metres);
        }
      }
      before = end;
    }
  }
}

}  // namespace
}  // namespace tsmini
