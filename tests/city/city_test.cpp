#include "tsmini/city.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include "city/network.h"
#include "city/plane.h"
#include "city/trips.h"
#include "support/error_expectation.h"
#include "support/sanitized.h"

namespace tsmini {
namespace {

using city::Point;

struct OwnedTrip {
  std::string id;
  std::vector<Position> points;
  std::vector<std::int64_t> times;

  friend bool operator==(const OwnedTrip&, const OwnedTrip&) = default;
};

std::vector<OwnedTrip> collect(const CityOptions& options) {
  std::vector<OwnedTrip> trips;
  synthesize_city(options, [&](const Trajectory& trip) {
    trips.push_back({std::string(trip.id),
                     {trip.points.begin(), trip.points.end()},
                     {trip.times.begin(), trip.times.end()}});
  });
  return trips;
}

std::vector<OwnedTrip> collect(std::uint64_t count, std::uint64_t seed) {
  return collect({.count = count, .seed = seed});
}

std::vector<OwnedTrip> collect_with_threads(std::uint64_t count, std::size_t threads) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  return collect(count, 1);
}

// FNV-1a over 64-bit words.
std::uint64_t checksum(const std::vector<OwnedTrip>& trips) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3u; };
  for (const OwnedTrip& trip : trips) {
    for (const Position& p : trip.points) {
      add(std::bit_cast<std::uint64_t>(p.lon));
      add(std::bit_cast<std::uint64_t>(p.lat));
    }
    for (const std::int64_t time : trip.times) add(static_cast<std::uint64_t>(time));
  }
  return hash;
}

TEST(City, DoesNotDependOnThreads) {
  constexpr std::size_t count = sanitized ? 300 : 1500;
  EXPECT_EQ(collect_with_threads(count, 1), collect_with_threads(count, 2));
}

TEST(City, FirstTripsDoNotDependOnCount) {
  const std::vector<OwnedTrip> few = collect(100, 7);
  std::vector<OwnedTrip> many = collect(700, 7);
  ASSERT_EQ(many.size(), 700u);
  many.resize(100);
  EXPECT_EQ(few, many);
}

TEST(City, DependsOnSeed) {
  EXPECT_NE(collect(1, 1)[0].points, collect(1, 2)[0].points);
}

TEST(City, IsTheSameOnEveryMachine) {
  EXPECT_EQ(checksum(collect(100, 1)), 111345283010503751u);
}

TEST(City, MakesNoTripsForCountZero) {
  EXPECT_TRUE(collect(0, 1).empty());
}

void expect_contract(const CityOptions& options) {
  const Position low =
      city::to_position({-city::half_width - city::margin, -city::half_height - city::margin});
  const Position high =
      city::to_position({city::half_width + city::margin, city::half_height + city::margin});
  const Box extent{low.lon, low.lat, high.lon, high.lat};
  for (const OwnedTrip& trip : collect(options)) {
    ASSERT_GE(trip.points.size(), options.fewest_points);
    ASSERT_LE(trip.points.size(), options.most_points);
    ASSERT_EQ(trip.times.size(), trip.points.size());
    for (std::size_t i = 0; i < trip.points.size(); ++i) {
      const Position p = trip.points[i];
      ASSERT_TRUE(extent.contains(p)) << trip.id;
      ASSERT_EQ(p.lon, std::round(p.lon * 1e6) / 1e6);
      ASSERT_EQ(p.lat, std::round(p.lat * 1e6) / 1e6);
      if (i == 0) continue;
      ASSERT_NE(p, trip.points[i - 1]) << trip.id;
      ASSERT_GT(trip.times[i], trip.times[i - 1]) << trip.id;
    }
  }
}

TEST(City, TripsKeepTheContract) {
  constexpr std::size_t some = sanitized ? 30 : 300;
  expect_contract({.count = sanitized ? 500U : 3000U, .seed = 3});
  expect_contract({.count = some, .sampling = 1, .fewest_points = 400, .most_points = 800});
  expect_contract({.count = some, .sampling = 1.1, .fewest_points = 300, .most_points = 500});
  expect_contract({.count = 100, .sampling = 60, .fewest_points = 2, .most_points = 30});
  expect_contract({.count = 10, .sampling = 1, .fewest_points = 1800, .most_points = 3000});
}

TEST(City, NumbersTrips) {
  const std::vector<OwnedTrip> trips = collect(3000, 3);
  ASSERT_EQ(trips.size(), 3000u);
  EXPECT_EQ(trips[0].id, "trip-0000001");
  EXPECT_EQ(trips[2999].id, "trip-0003000");
}

TEST(City, DenserPointsAreFurtherPointsOfTheSameRides) {
  const std::vector<OwnedTrip> usual = collect(400, 5);
  const std::vector<OwnedTrip> dense =
      collect({.count = 400, .seed = 5, .sampling = 1, .fewest_points = 300, .most_points = 3000});
  const auto seconds = [](const std::vector<OwnedTrip>& trips) {
    return std::accumulate(trips.begin(), trips.end(), 0.0, [](double sum, const OwnedTrip& trip) {
      return sum + static_cast<double>(trip.times.back() - trip.times.front());
    });
  };
  EXPECT_NEAR(seconds(dense) / seconds(usual), 1, 0.05);
  for (const OwnedTrip& trip : dense) {
    const auto time = static_cast<double>(trip.times.back() - trip.times.front());
    EXPECT_GT(static_cast<double>(trip.points.size()), 0.95 * time) << "one a second, but for some";
  }
}

TEST(City, RefusesWhatCannotBeDriven) {
  const auto refused = [](const CityOptions& options, const char* message, const char* hint) {
    expect_error(ErrorCode::usage, message, hint, [&] { collect(options); });
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double sampling : {0.0, -15.0, 0.5, infinity, -infinity, std::nan("")})
    refused({.count = 1, .sampling = sampling}, "whole seconds", "1 s or more");
  refused({.count = 1, .fewest_points = 201}, "at least 201 and at most 200", "range");
  refused({.count = 1, .fewest_points = 200}, "take 3000 s.*more than 1800 s", "from 120 points");
  refused({.count = 1, .fewest_points = 0, .most_points = 3}, "take 45 s.*less than 60 s",
          "allow 4 points");
}

TEST(City, ReportsProgress) {
  std::vector<std::uint64_t> done;
  synthesize_city(
      {.count = 1000, .seed = 1}, [](const Trajectory&) {},
      [&](const ProgressState& state) {
        EXPECT_EQ(state.total, 1000u);
        done.push_back(state.done);
      });
  ASSERT_GT(done.size(), 1u);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(done.back(), 1000u);
}

TEST(City, PassesOnExceptions) {
  const auto stop = [](const auto&) { throw std::runtime_error("stopped"); };
  EXPECT_THROW(synthesize_city({.count = 1000, .seed = 1}, stop), std::runtime_error);
  EXPECT_THROW(synthesize_city(
                   {.count = 1000, .seed = 1}, [](const Trajectory&) {}, stop),
               std::runtime_error);
}

class CityNetwork : public testing::TestWithParam<std::uint64_t> {};

TEST_P(CityNetwork, IsConnected) {
  const city::Network network = city::build_network(GetParam());
  ASSERT_GT(network.nodes.size(), 3000u);
  std::vector<bool> seen(network.nodes.size(), false);
  std::vector<std::uint32_t> stack{0};
  seen[0] = true;
  std::size_t reached = 0;
  while (!stack.empty()) {
    const std::uint32_t node = stack.back();
    stack.pop_back();
    ++reached;
    for (const city::Arc& arc : network.arcs_of(node)) {
      if (seen[arc.to]) continue;
      seen[arc.to] = true;
      stack.push_back(arc.to);
    }
  }
  EXPECT_EQ(reached, network.nodes.size());
}

TEST_P(CityNetwork, CrossesTheRiverOnlyAtAFewBridges) {
  const city::Network network = city::build_network(GetParam());
  int bridges = 0;
  for (const city::Edge& edge : network.edges) {
    const bool crosses =
        network.terrain.crosses_river(network.nodes[edge.a], network.nodes[edge.b]);
    EXPECT_EQ(crosses, edge.bridge);
    bridges += edge.bridge;
  }
  EXPECT_GE(bridges, 3);
  EXPECT_LE(bridges, 8);
  for (const Point& node : network.nodes) {
    EXPECT_TRUE(city::inside_city(node));
    EXPECT_FALSE(network.terrain.is_wet(node));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, CityNetwork, testing::Values(1, 2, 3, 7, 42));

// How alike the city's trips are to those of Porto.

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

using Path = std::vector<Point>;  // metres

Path to_plane(const std::vector<Position>& points) {
  Path path;
  for (const Position& p : points) {
    path.push_back({(p.lon - city::origin.lon) * city::metres_per_degree_lon,
                    (p.lat - city::origin.lat) * city::metres_per_degree_lat});
  }
  return path;
}

double squared(Point a, Point b) {
  return dot(a - b, a - b);
}

// Squared distances throughout; once a measure is known to be at least `limit`, it may return
// anything from there on.
double directed_hausdorff(const Path& a, const Path& b, double limit) {
  double worst = 0;
  for (const Point& p : a) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Point& q : b) {
      nearest = std::min(nearest, squared(p, q));
      if (nearest <= worst) break;
    }
    worst = std::max(worst, nearest);
    if (worst >= limit) break;
  }
  return worst;
}

double hausdorff(const Path& a, const Path& b, double limit) {
  const double there = directed_hausdorff(a, b, limit);
  return there >= limit ? there : std::max(there, directed_hausdorff(b, a, limit));
}

double frechet(const Path& a, const Path& b, double limit) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (squared(a.front(), b.front()) >= limit || squared(a.back(), b.back()) >= limit) return limit;
  if (hausdorff(a, b, limit) >= limit) return limit;  // never more than the Frechet distance
  std::vector<double> row(b.size(), infinity);
  for (std::size_t i = 0; i < a.size(); ++i) {
    double left = infinity, diagonal = infinity, best = infinity;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const double before = i + j == 0 ? 0.0 : std::min({left, row[j], diagonal});
      diagonal = row[j];
      left = row[j] = std::max(before, squared(a[i], b[j]));
      best = std::min(best, left);
    }
    if (best >= limit) return limit;
  }
  return row.back();
}

// Each path's distance in metres to its nearest other path.
template <class Measure>
std::vector<double> nearest_distances(const std::vector<Path>& paths, Measure measure) {
  struct Sides {
    double west, south, east, north;
  };
  std::vector<Sides> sides;
  for (const Path& path : paths) {
    Sides s{path[0].x, path[0].y, path[0].x, path[0].y};
    for (const Point& p : path) {
      s = {std::min(s.west, p.x), std::min(s.south, p.y), std::max(s.east, p.x),
           std::max(s.north, p.y)};
    }
    sides.push_back(s);
  }
  std::vector<double> distances;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::vector<std::pair<double, std::size_t>> order;  // by a lower bound
    for (std::size_t j = 0; j < paths.size(); ++j) {
      if (j == i) continue;
      const Sides &s = sides[i], &t = sides[j];
      const double bound = std::max({std::abs(s.west - t.west), std::abs(s.south - t.south),
                                     std::abs(s.east - t.east), std::abs(s.north - t.north)});
      order.emplace_back(bound * bound, j);
    }
    std::sort(order.begin(), order.end());
    double best = std::numeric_limits<double>::infinity();
    for (const auto& [bound, j] : order) {
      if (bound >= best) break;
      best = std::min(best, measure(paths[i], paths[j], best));
    }
    distances.push_back(std::sqrt(best));
  }
  return distances;
}

class CityStatistics : public testing::TestWithParam<std::uint64_t> {
 protected:
  static void SetUpTestSuite() {
    fmt::print("{:<24} | {:>8} | {:>8} | ratio\n", "statistic", "Porto", "city");
  }

  static void compare(const char* statistic, double porto, double city) {
    constexpr double tolerance = 0.15;
    fmt::print("{:<24} | {:8.2f} | {:8.2f} | {:5.3f}\n", statistic, porto, city, city / porto);
    EXPECT_NEAR(city / porto, 1.0, tolerance) << statistic;
  }
};

// The figures of Porto are those of 14,995 trips of the ECML/PKDD 2015 taxi data with 20 to 200
// points, neighbours' distances those among the first 2,000 of them in random order.
TEST_P(CityStatistics, FollowPorto) {
  constexpr std::uint64_t count = 15'000;
  constexpr std::size_t neighbours_among = 2'000;
  fmt::print("seed {}\n", GetParam());
  std::vector<Path> paths;
  std::vector<double> sizes, kilometres;
  for (const OwnedTrip& trip : collect(count, GetParam())) {
    const Path path = to_plane(trip.points);
    double metres = 0;
    for (std::size_t i = 1; i < path.size(); ++i) metres += distance(path[i - 1], path[i]);
    sizes.push_back(static_cast<double>(path.size()));
    kilometres.push_back(metres / 1000);
    if (paths.size() < neighbours_among) paths.push_back(path);
  }
  compare("points, mean", 50.25, mean(sizes));
  compare("points, p10", 25, percentile(sizes, 0.1));
  compare("points, p50", 44, percentile(sizes, 0.5));
  compare("points, p90", 82, percentile(sizes, 0.9));
  compare("length, mean, km", 5.729, mean(kilometres));
  compare("length, p10, km", 1.995, percentile(kilometres, 0.1));
  compare("length, p50, km", 4.319, percentile(kilometres, 0.5));
  compare("length, p90, km", 11.405, percentile(kilometres, 0.9));

  const std::vector<double> by_hausdorff = nearest_distances(paths, hausdorff);
  compare("nearest Hausdorff p10, m", 207.5, percentile(by_hausdorff, 0.1));
  compare("nearest Hausdorff p50, m", 490.6, percentile(by_hausdorff, 0.5));
  compare("nearest Hausdorff p90, m", 1139.2, percentile(by_hausdorff, 0.9));
  const std::vector<double> by_frechet = nearest_distances(paths, frechet);
  compare("nearest Frechet p10, m", 239.6, percentile(by_frechet, 0.1));
  compare("nearest Frechet p50, m", 631.3, percentile(by_frechet, 0.5));
  compare("nearest Frechet p90, m", 1462.5, percentile(by_frechet, 0.9));
}

INSTANTIATE_TEST_SUITE_P(Seeds, CityStatistics, testing::Values(1, 2, 3, 7, 42));

}  // namespace
}  // namespace tsmini
