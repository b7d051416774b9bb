#include "data/clean.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "geo/ground_distance.h"
#include "support/arguments.h"

namespace tsmini {
namespace {

using Points = std::vector<Position>;
using Times = std::vector<std::int64_t>;

struct Cleaned {
  Points points;
  Times times;
  CleanCounts counts;
};

CleanOptions cleaning(const std::string& words) {
  return import_options_from(words).clean;
}

Cleaned clean(Points points, Times times, const std::string& options, bool planar = true) {
  Cleaned result;
  const TrackPoints track{points, times, {}};
  const CleanOptions wanted = cleaning(options);
  put_in_order(track, wanted.sort_by_time);
  const std::size_t left = clean_points(track, wanted, planar, result.counts).size();
  points.resize(left);
  if (!times.empty()) times.resize(left);
  result.points = points;
  result.times = times;
  return result;
}

// Few different places and times, so that everything that can coincide does.
struct Walk {
  Points points;
  Times times;
};

Walk random_walk(std::mt19937_64& random, std::size_t size, std::int64_t step) {
  Walk walk;
  std::int64_t time = 0;
  Position p{};
  for (std::size_t i = 0; i < size; ++i) {
    p.lon += static_cast<double>(random() % 3) - 1;
    p.lat += static_cast<double>(random() % 2);
    if (random() % 10 == 0) p.lon += 50;
    time += static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(step + 1));
    walk.points.push_back(p);
    walk.times.push_back(time);
  }
  return walk;
}

TEST(Clean, DuplicatesAsANaiveTwin) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 500; ++round) {
    Points points;
    Times times;
    for (std::uint64_t i = 0; i < 1 + random() % 30; ++i) {
      points.push_back({static_cast<double>(random() % 2), static_cast<double>(random() % 2)});
      times.push_back(static_cast<std::int64_t>(i));
    }
    Points wanted{points[0]};
    Times wanted_times{0};
    for (std::size_t i = 1; i < points.size(); ++i) {
      if (points[i].lon == points[i - 1].lon && points[i].lat == points[i - 1].lat) continue;
      wanted.push_back(points[i]);
      wanted_times.push_back(times[i]);
    }
    const Cleaned found = clean(points, times, "");
    ASSERT_EQ(found.points, wanted);
    ASSERT_EQ(found.times, wanted_times);
    ASSERT_EQ(found.counts.duplicates, points.size() - wanted.size());
    ASSERT_EQ(clean(points, {}, "").points, wanted);
    ASSERT_EQ(clean(points, times, "--keep-duplicates").points, points);
  }
}

TEST(Clean, NewestFirstIsTurnedRound) {
  Points points{{5, 0}, {1, 0}, {2, 0}, {3, 0}};
  Times times{9, 4, 4, 1};
  std::vector<std::uint32_t> rows{0, 1, 2, 3};
  EXPECT_EQ(put_in_order({points, times, rows}, false), Order::reversed);
  EXPECT_EQ(points, (Points{{3, 0}, {2, 0}, {1, 0}, {5, 0}}));
  EXPECT_EQ(times, (Times{1, 4, 4, 9}));
  EXPECT_EQ(rows, (std::vector<std::uint32_t>{3, 2, 1, 0}));
  EXPECT_EQ(put_in_order({points, times, rows}, false), Order::in_time);
  times = {1, 4, 3, 9};
  EXPECT_EQ(put_in_order({points, times, rows}, false), Order::broken);
  EXPECT_EQ(times, (Times{1, 4, 3, 9}));
  EXPECT_EQ(put_in_order({points, times, rows}, true), Order::sorted);
  EXPECT_EQ(rows, (std::vector<std::uint32_t>{3, 1, 2, 0}));
  EXPECT_EQ(put_in_order({points, {}, rows}, false), Order::in_time);
}

TEST(Clean, SortingIsStable) {
  const Cleaned found =
      clean({{5, 0}, {1, 0}, {2, 0}, {3, 0}}, {9, 4, 4, 5}, "--keep-duplicates --sort-by-time");
  EXPECT_EQ(found.points, (Points{{1, 0}, {2, 0}, {3, 0}, {5, 0}}));
  EXPECT_EQ(found.times, (Times{4, 4, 5, 9}));
}

TEST(Clean, SortingComesBeforeDuplicates) {
  const Cleaned found = clean({{1, 0}, {2, 0}, {1, 0}}, {1, 3, 2}, "--sort-by-time");
  EXPECT_EQ(found.points, (Points{{1, 0}, {2, 0}}));
  EXPECT_EQ(found.times, (Times{1, 3}));
}

TEST(Clean, SortingAtRandom) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::pair<std::int64_t, double>> rows;
    Points points;
    Times times;
    for (std::size_t i = 0; i < 40; ++i) {
      const auto t = static_cast<std::int64_t>(random() % 10);
      rows.emplace_back(t, static_cast<double>(i));
      points.push_back({static_cast<double>(i), 0});
      times.push_back(t);
    }
    std::sort(rows.begin(), rows.end());
    const Cleaned found = clean(points, times, "--sort-by-time");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(found.times[i], rows[i].first);
      ASSERT_EQ(found.points[i].lon, rows[i].second);
    }
  }
}

TEST(Clean, NothingThatIsLeftIsTooFast) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 500; ++round) {
    const Walk walk = random_walk(random, 1 + random() % 40, 4);
    const std::string options = "--keep-duplicates --max-speed 2";
    const Cleaned found = clean(walk.points, walk.times, options);
    ASSERT_GE(found.points.size(), 1u);
    ASSERT_EQ(found.counts.fast, walk.points.size() - found.points.size());
    for (std::size_t i = 1; i < found.points.size(); ++i) {
      const double metres = std::hypot(found.points[i].lon - found.points[i - 1].lon,
                                       found.points[i].lat - found.points[i - 1].lat);
      const auto seconds = static_cast<double>(found.times[i] - found.times[i - 1]);
      ASSERT_LE(metres, 2.0 * std::max(1.0, seconds));
    }
    const Cleaned again = clean(found.points, found.times, options);
    ASSERT_EQ(again.points, found.points);
  }
}

TEST(Clean, SlowTracksStayWhole) {
  const Points points{{0, 0}, {1, 0}, {2, 0}, {3, 0}};
  EXPECT_EQ(clean(points, {0, 1, 2, 3}, "--max-speed 1").points, points);
  EXPECT_EQ(clean(points, {0, 0, 0, 0}, "--max-speed 1").points, points);  // at least a second
  EXPECT_EQ(clean(points, {}, "--max-speed 0.001").points, points);
}

TEST(Clean, SpeedOnTheGroundIsInMetres) {
  const Points points{{0, 0}, {0, 0.01}};  // about 1106 m
  const double metres = ground_distance(points[0], points[1]);
  EXPECT_EQ(
      clean(points, {0, 10}, fmt::format("--max-speed {}", metres / 10 + 0.1), false).points.size(),
      2u);
  EXPECT_EQ(
      clean(points, {0, 10}, fmt::format("--max-speed {}", metres / 10 - 0.1), false).points.size(),
      1u);
}

TEST(Clean, ThinningAsANaiveTwin) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 500; ++round) {
    const Walk walk = random_walk(random, 1 + random() % 40, 9);
    const auto seconds = static_cast<std::int64_t>(1 + random() % 20);
    Points wanted;
    Times wanted_times;
    for (std::size_t i = 0; i < walk.points.size(); ++i) {
      if (!wanted.empty() && walk.times[i] - wanted_times.back() < seconds) continue;
      wanted.push_back(walk.points[i]);
      wanted_times.push_back(walk.times[i]);
    }
    const Cleaned found =
        clean(walk.points, walk.times, fmt::format("--keep-duplicates --thin {}", seconds));
    ASSERT_EQ(found.points, wanted);
    ASSERT_EQ(found.times, wanted_times);
    ASSERT_EQ(found.counts.thinned, walk.points.size() - wanted.size());
  }
}

TEST(Clean, TimesMayBeAsFarApartAsTheyGo) {
  constexpr std::int64_t most = INT64_MAX;
  const Points points{{0, 0}, {1, 0}, {2, 0}};
  const Times times{-most, 0, most};
  EXPECT_EQ(clean(points, times, "--max-speed 1 --thin 100").points, points);
  EXPECT_EQ(cut_points(points, times, import_options_from("--cut-gap 10").cut, true).size(), 3u);
  EXPECT_EQ(cut_points(points, times, import_options_from("--cut-stay 0.5,10").cut, true).size(),
            1u);
}

TEST(ReasonToDrop, InOrder) {
  const Points three{{0, 0}, {1, 1}, {2, 2}};
  EXPECT_EQ(reason_to_drop({}, {}, {}, true), Drop::empty);
  EXPECT_EQ(reason_to_drop(three, {}, cleaning("--min-points 4"), true), Drop::too_short);
  EXPECT_EQ(reason_to_drop(three, {}, cleaning("--max-points 2"), true), Drop::too_long);
  EXPECT_EQ(reason_to_drop(three, {}, cleaning("--bbox=0,0,2,1.5"), true), Drop::outside_box);
  EXPECT_EQ(reason_to_drop(three, {}, cleaning("--bbox=0,0,2,2"), true), std::nullopt);
  EXPECT_EQ(reason_to_drop(three, {}, {}, true), std::nullopt);
}

TEST(FindDisorder, NamesThePlace) {
  EXPECT_EQ(find_disorder({}), std::nullopt);
  EXPECT_EQ(find_disorder(Times{1}), std::nullopt);
  EXPECT_EQ(find_disorder(Times{1, 1, 2}), std::nullopt);
  EXPECT_EQ(find_disorder(Times{1, 2, 1, 0}), 2u);
}

}  // namespace
}  // namespace tsmini
