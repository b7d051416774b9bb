// Every answer against comparing the piece with every stretch of every trip.
#include "tsmini/find.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "tsmini/error.h"
#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"

#include "base/random.h"
#include "measure/trajectories.h"
#include "support/error_expectation.h"

namespace tsmini {

void PrintTo(const PieceMatch& m, std::ostream* out) {
  *out << "trip " << m.trip << " [" << m.first << ", " << m.last << "] at " << m.distance
       << ", length " << m.length;
}

namespace {

bool overlap(const PieceMatch& a, const PieceMatch& b) {
  return a.trip == b.trip && a.first <= b.last && b.first <= a.last;
}

// All stretches that the options let through, the best first.
std::vector<PieceMatch> all_stretches(Measure measure, const Points& piece,
                                      const std::vector<Points>& trips,
                                      const FindOptions& options) {
  std::vector<PieceMatch> all;
  for (std::size_t t = 0; t < trips.size(); ++t) {
    if (options.allowed && !options.allowed(t)) continue;
    std::vector<double> path{0};
    for (std::size_t i = 1; i < trips[t].size(); ++i) {
      const double dx = trips[t][i].x - trips[t][i - 1].x, dy = trips[t][i].y - trips[t][i - 1].y;
      path.push_back(path.back() + std::sqrt(dx * dx + dy * dy));
    }
    const std::span<const Planar> points = trips[t];
    for (std::size_t last = 0; last < points.size(); ++last) {
      for (std::size_t first = 0; first <= last; ++first) {
        const double length = path[last] - path[first];
        if (length < options.min_length || length > options.max_length) continue;
        const double d = distance(measure, piece, points.subspan(first, last - first + 1));
        if (d <= options.within) all.push_back({t, first, last, d, length});
      }
    }
  }
  std::sort(all.begin(), all.end(), [](const PieceMatch& a, const PieceMatch& b) {
    return std::tuple(a.distance, a.trip, a.last, a.last - a.first) <
           std::tuple(b.distance, b.trip, b.last, b.last - b.first);
  });
  return all;
}

std::vector<PieceMatch> by_brute_force(Measure measure, const Points& piece,
                                       const std::vector<Points>& trips,
                                       const FindOptions& options) {
  std::vector<PieceMatch> chosen;
  for (const PieceMatch& match : all_stretches(measure, piece, trips, options)) {
    if (chosen.size() == options.k) break;
    const auto clash = [&](const PieceMatch& other) { return overlap(match, other); };
    const auto same_trip = [&](const PieceMatch& other) { return match.trip == other.trip; };
    const auto of_trip = std::count_if(chosen.begin(), chosen.end(), same_trip);
    if (static_cast<std::size_t>(of_trip) >= options.per_trip) continue;
    if (std::none_of(chosen.begin(), chosen.end(), clash)) chosen.push_back(match);
  }
  return chosen;
}

class Find : public testing::TestWithParam<Measure> {
 protected:
  static void expect_right(const std::vector<Points>& trips, const Points& piece,
                           const FindOptions& options) {
    const PieceFinder finder(set_of(trips));
    EXPECT_EQ(finder.find(GetParam(), piece, options),
              by_brute_force(GetParam(), piece, trips, options))
        << "k " << options.k << ", within " << options.within << ", length " << options.min_length
        << " to " << options.max_length << ", per trip " << options.per_trip;
  }

  // Answers of different number, radius, length and number a trip.
  static void expect_all_right(const std::vector<Points>& trips, const Points& piece) {
    const std::size_t all = FindOptions::unlimited;
    const auto best = by_brute_force(GetParam(), piece, trips, {.k = 1});
    ASSERT_EQ(best.size(), 1u);
    const double near = best[0].distance, length = best[0].length;
    for (const std::size_t k : {std::size_t{1}, std::size_t{5}, all}) {
      expect_right(trips, piece, {.k = k});
      expect_right(trips, piece, {.k = k, .per_trip = 1});
      expect_right(trips, piece, {.k = k, .per_trip = 2});
      expect_right(trips, piece, {.k = k, .within = near});
      expect_right(trips, piece, {.k = k, .within = 2 * near + 1});
      expect_right(trips, piece, {.k = k, .max_length = length});
      expect_right(trips, piece, {.k = k, .max_length = length / 2});
      expect_right(trips, piece, {.k = k, .max_length = 0});
      expect_right(trips, piece, {.k = k, .min_length = length});
      expect_right(trips, piece, {.k = k, .min_length = 1.5 * length + 1});
      expect_right(trips, piece, {.k = k, .min_length = length + 1, .max_length = length + 9});
      expect_right(
          trips, piece,
          {.k = k, .within = 3 * near + 5, .min_length = 4, .max_length = 20, .per_trip = 2});
      expect_right(trips, piece, {.k = k, .allowed = [](std::size_t t) { return t % 3 != 1; }});
    }
  }

  // Some of the trips' own pieces, moved a little, and of something else.
  static void expect_found(const std::vector<Points>& trips, std::uint64_t seed, Style style) {
    Random random(seed);
    for (std::size_t q = 0; q < 4; ++q) {
      const Points& trip = trips[random.below(trips.size())];
      const std::size_t first = random.below(trip.size());
      const std::size_t count = 1 + random.below(trip.size() - first);
      Points piece(trip.begin() + static_cast<std::ptrdiff_t>(first),
                   trip.begin() + static_cast<std::ptrdiff_t>(first + count));
      const double noise = style == Style::lattice ? 0 : 2;
      for (Planar& p : piece) p = {p.x + noise * random.normal(), p.y + noise * random.normal()};
      expect_all_right(trips, piece);
    }
    expect_all_right(trips, random_points(12, seed + 7, style));
    if (HasFailure()) FAIL() << "seed " << seed;
  }
};

TEST_P(Find, SmoothTrips) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    expect_found(mixed(GetParam(), 20, 25, seed), seed, Style::smooth);
  }
}

// On whole numbers: points that repeat, many matches of equal distance.
TEST_P(Find, TiesAndRepeatedPoints) {
  for (std::uint64_t seed = 11; seed <= 16; ++seed) {
    expect_found(mixed(GetParam(), 20, 25, seed, Style::lattice), seed, Style::lattice);
  }
}

TEST_P(Find, FarFromZero) {
  expect_found(mixed(GetParam(), 15, 25, 21, Style::far), 21, Style::far);
}

// A city block so small that every point is somewhere else's twin.
TEST_P(Find, AFewPlacesOnly) {
  Random random(31);
  for (std::size_t round = 0; round < 30; ++round) {
    std::vector<Points> trips(6);
    const auto place = [&] {
      return Planar{static_cast<double>(random.below(3)), static_cast<double>(random.below(2))};
    };
    for (Points& trip : trips) {
      trip.resize(1 + random.below(14));
      for (Planar& p : trip) p = place();
    }
    Points piece(1 + random.below(6));
    for (Planar& p : piece) p = place();
    expect_all_right(trips, piece);
    if (HasFailure()) FAIL() << "round " << round;
  }
}

// Sums whose last digits rounding takes away: starts that differ become equal on the way, and sums
// from the end differ from those from the front.
TEST_P(Find, TiesThatRoundingMakes) {
  const double large = 1000, half_a_digit = 5e-14;
  Random random(41);
  for (std::size_t round = 0; round < 150; ++round) {
    std::vector<Points> trips(2);
    for (Points& trip : trips) {
      trip.resize(2 + random.below(10));
      for (Planar& p : trip) p.x = random.uniform(0, half_a_digit);
    }
    Points piece(2 + random.below(8));
    piece[random.below(piece.size())].y = large;
    expect_all_right(trips, piece);
    if (HasFailure()) FAIL() << "round " << round;
  }
}

TEST_P(Find, IdenticalTrips) {
  const Points trip = random_points(20, 51);
  expect_all_right(std::vector<Points>(40, trip), Points(trip.begin() + 5, trip.begin() + 12));
}

TEST_P(Find, APieceThatIsTwiceInATrip) {
  Points trip = random_points(15, 61);
  const Points once = trip;
  for (std::size_t lap = 0; lap < 2; ++lap) trip.insert(trip.end(), once.begin(), once.end());
  const Points piece(once.begin() + 3, once.begin() + 11);
  const PieceFinder finder(set_of({trip}));
  const auto matches = finder.find(GetParam(), piece, {.within = 0});
  ASSERT_EQ(matches.size(), 3u);
  for (std::size_t lap = 0; lap < 3; ++lap) {
    EXPECT_EQ(matches[lap].first, lap * 15 + 3);
    EXPECT_EQ(matches[lap].last, lap * 15 + 10);
    EXPECT_EQ(matches[lap].distance, 0);
  }
}

TEST_P(Find, OnePoint) {
  expect_all_right({{{3, 4}}}, {{0, 0}});
  expect_all_right({{{3, 4}}, {{1, 1}, {1, 1}, {2, 2}}, {{1, 1}}}, {{1, 1}});
  expect_all_right(mixed(GetParam(), 10, 12, 71), {{5, 5}});
  expect_all_right({{{3, 4}}, {{0, 1}}}, random_points(9, 72));
}

TEST_P(Find, APieceLongerThanTheTrips) {
  expect_all_right(mixed(GetParam(), 10, 8, 81), random_points(60, 82));
}

// Where single precision has no numbers, or too few digits.
TEST_P(Find, CoordinatesOfAnySize) {
  for (const double scale : {1e-300, 1e-20, 1e-9, 1e9, 1e14, 1e17, 1e100}) {
    auto trips = mixed(GetParam(), 12, 15, 91);
    Points piece = random_points(5, 92);
    for (Points& trip : trips) {
      for (Planar& p : trip) p = {p.x * scale, p.y * scale};
    }
    for (Planar& p : piece) p = {p.x * scale, p.y * scale};
    expect_all_right(trips, piece);
    if (HasFailure()) FAIL() << "scale " << scale;
  }
}

// Trips that differ by less than single precision can tell.
TEST_P(Find, AllButTheSame) {
  Random random(101);
  const Points trip = random_points(18, 102, Style::far);
  std::vector<Points> trips(60, trip);
  for (Points& one : trips) {
    for (Planar& p : one) p = {p.x + 1e-4 * random.normal(), p.y + 1e-4 * random.normal()};
  }
  const Points piece(trip.begin() + 4, trip.begin() + 12);
  for (const std::size_t k : {std::size_t{1}, std::size_t{3}, std::size_t{30}}) {
    expect_right(trips, piece, {.k = k});
    expect_right(trips, piece, {.k = k, .min_length = 20});
  }
}

TEST_P(Find, NothingThere) {
  const PieceFinder nothing(set_of({}));
  EXPECT_TRUE(nothing.find(GetParam(), random_points(3, 1)).empty());
  const PieceFinder finder(set_of({random_points(10, 1)}));
  const Points piece = random_points(3, 2);
  EXPECT_TRUE(finder.find(GetParam(), piece, {.within = 0}).empty());
  EXPECT_TRUE(finder.find(GetParam(), piece, {.k = 0}).empty());
  EXPECT_TRUE(finder.find(GetParam(), piece, {.min_length = 1e6}).empty());
  EXPECT_TRUE(
      finder.find(GetParam(), piece, {.allowed = [](std::size_t) { return false; }}).empty());
}

// More trips than a wave, of which most are far away: found without a table for each.
class ManyTrips : public testing::TestWithParam<std::tuple<std::string, Measure>> {
 protected:
  ManyTrips() : before_(simd_target()) { force_simd_target(std::get<0>(GetParam())); }
  ~ManyTrips() override { force_simd_target(before_); }

  static std::vector<Points> spread_out(std::size_t count) {
    Random random(7);
    std::vector<Points> trips;
    for (std::size_t i = 0; i < count; ++i) {
      trips.push_back(random_points(1 + random.below(20), i));
      const double x = random.uniform(-3000, 3000), y = random.uniform(-3000, 3000);
      for (Planar& p : trips.back()) p = {p.x + x, p.y + y};
    }
    return trips;
  }

 private:
  std::string before_;
};

TEST_P(ManyTrips, AreRightAndFewAreComputed) {
  const Measure measure = std::get<1>(GetParam());
  const auto trips = spread_out(4000);
  const PieceFinder finder(set_of(trips));
  for (std::uint64_t q = 0; q < 2; ++q) {
    Points piece = random_points(6, q);
    FindWork work;
    const FindOptions options{.k = 20};
    const auto found = finder.find(measure, piece, options, &work);
    EXPECT_EQ(found, by_brute_force(measure, piece, trips, options));
    EXPECT_EQ(work.trips, trips.size());
    EXPECT_LT(work.single, trips.size() / 2);
    EXPECT_GE(work.single, 20u);
    EXPECT_LT(work.doubled, 400u);
    EXPECT_GE(work.doubled, 20u);
    const FindOptions near{.k = FindOptions::unlimited, .within = found.back().distance};
    EXPECT_EQ(finder.find(measure, piece, near), by_brute_force(measure, piece, trips, near));
  }
}

std::vector<std::tuple<std::string, Measure>> target_cases() {
  std::vector<std::tuple<std::string, Measure>> all;
  for (const std::string_view target : simd_targets()) {
    all.emplace_back(target, Measure::dtw);
    all.emplace_back(target, Measure::frechet);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Targets, ManyTrips, testing::ValuesIn(target_cases()),
                         [](const auto& one) {
                           return std::get<0>(one.param) + "_" +
                                  std::string(name_of(std::get<1>(one.param)));
                         });

TEST_P(Find, CanBeStopped) {
  const std::size_t points = 400'000;
  const PieceFinder finder(set_of({random_points(points, 1)}));
  const auto stop_soon = [calls = 0](const ProgressState&) mutable {
    if (++calls == 3) throw Error(ErrorCode::interrupted, "stopped by a test");
  };
  expect_error(ErrorCode::interrupted, "stopped by a test", "", [&] {
    finder.find(GetParam(), random_points(2'000, 2), {.min_length = 1000}, nullptr,
                Heartbeat(stop_soon));
  });
}

TEST_P(Find, CountsEveryTripOnce) {
  std::vector<Points> trips;
  for (std::uint64_t i = 0; i < 2000; ++i) trips.push_back(random_points(2 + i % 30, i));
  const PieceFinder finder(set_of(trips));
  const auto odd = [](std::size_t i) { return i % 2 == 1; };
  for (const FindOptions& options :
       {FindOptions{.k = 3}, FindOptions{.k = 3, .allowed = odd}, FindOptions{.within = 0},
        FindOptions{.k = FindOptions::unlimited, .per_trip = 1}}) {
    std::uint64_t done = 0;
    const auto watch = [&](const ProgressState& state) {
      EXPECT_GE(state.done, done);
      done = state.done;
    };
    finder.find(GetParam(), random_points(8, 1), options, nullptr, Heartbeat(watch, 2000));
    EXPECT_EQ(done, 2000u);
  }
}

INSTANTIATE_TEST_SUITE_P(Measures, Find, testing::Values(Measure::dtw, Measure::frechet),
                         [](const auto& one) { return std::string(name_of(one.param)); });

// Starting at 0 is better by less than a digit of the 500 that follow, so starting at 1 is as good
// and has fewer points; summed from the end, four times as much is a digit.
TEST(FindDtw, AStartThatIsWorseUntilItIsRounded) {
  const double small = 2e-14;
  const Points piece{{0, 0}, {small, 0}, {0, 1000}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
  const Points trip{{0, 0}, {small, 0}, {0, 500}, {small, 0}};
  const auto matches = PieceFinder(set_of({trip})).find(Measure::dtw, piece, {.k = 1});
  EXPECT_EQ(matches, by_brute_force(Measure::dtw, piece, {trip}, {.k = 1}));
  EXPECT_EQ(matches, (std::vector<PieceMatch>{{0, 1, 3, 500, 1000}}));
}

TEST(FindErrors, SayWhatIsWrong) {
  const PieceFinder finder(set_of({random_points(10, 1)}));
  const Points piece = random_points(3, 2);
  expect_error(ErrorCode::usage, "'erp' does not find pieces", "'dtw' and 'frechet'",
               [&] { finder.find(Measure::erp, piece); });
  expect_error(ErrorCode::bad_input, "has no points", "",
               [&] { finder.find(Measure::dtw, Points()); });
  expect_error(ErrorCode::usage, "at least 5 and at most 4 long", "not above the maximum",
               [&] { finder.find(Measure::dtw, piece, {.min_length = 5, .max_length = 4}); });
  expect_error(ErrorCode::usage, "at least -1", "0 or more",
               [&] { finder.find(Measure::dtw, piece, {.min_length = -1}); });
  expect_error(ErrorCode::usage, "no match is within nan", "0 or more", [&] {
    finder.find(Measure::dtw, piece, {.within = std::numeric_limits<double>::quiet_NaN()});
  });
}

}  // namespace
}  // namespace tsmini
