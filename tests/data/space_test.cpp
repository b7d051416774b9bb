#include "tsmini/space.h"

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/error.h"

#include "geo/mercator.h"

namespace tsmini {
namespace {

// Trips around a place: `trips` of `length` points within about 10 km.
std::vector<std::vector<Position>> trips_around(Position centre, int trips = 40, int length = 50) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> spread(0, 0.03);
  std::vector<std::vector<Position>> result;
  for (int i = 0; i < trips; ++i) {
    std::vector<Position> points;
    for (int k = 0; k < length; ++k) {
      points.push_back({centre.lon + spread(random), centre.lat + spread(random)});
    }
    result.push_back(points);
  }
  return result;
}

Dataset dataset_of(const std::vector<std::vector<Position>>& trips,
                   Coordinates coordinates = Coordinates::degrees,
                   const std::vector<Part>& parts = {}) {
  DatasetBuilder builder(coordinates);
  for (std::size_t i = 0; i < trips.size(); ++i) {
    builder.add({"t" + std::to_string(i), trips[i], {}}, parts.empty() ? Part::none : parts[i]);
  }
  return builder.finish();
}

void expect_error(ErrorCode code, const std::string& words, const std::function<void()>& work) {
  try {
    work();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    EXPECT_FALSE(error.hint().empty()) << error.what();
  }
}

const Position porto{-8.61, 41.15};

TEST(Space, NamesRoundTrip) {
  for (const SpaceKind kind :
       {SpaceKind::ground, SpaceKind::mercator, SpaceKind::zscore, SpaceKind::planar}) {
    EXPECT_EQ(space_kind_from(name_of(kind)), kind);
  }
  expect_error(ErrorCode::usage, "'metric'", [] { space_kind_from("metric"); });
}

TEST(Space, GroundMeasuresMetres) {
  const Space space = Space::fit(SpaceKind::ground, dataset_of(trips_around(porto)));
  const Planar a = space.project({-8.61, 41.15});
  const Planar b = space.project({-8.60, 41.15});
  const Planar c = space.project({-8.61, 41.16});
  EXPECT_LT(std::hypot(a.x, a.y), 2000);
  EXPECT_NEAR(std::hypot(b.x - a.x, b.y - a.y), 839.3, 0.5);
  EXPECT_NEAR(std::hypot(c.x - a.x, c.y - a.y), 1110.6, 0.5);
}

TEST(Space, GroundOriginIsTheMiddleOfTheBulk) {
  auto trips = trips_around(porto);
  const Planar clean =
      Space::fit(SpaceKind::ground, dataset_of(trips)).project({porto.lon, porto.lat});
  for (std::size_t i = 0; i < 8; ++i) trips[i][3] = {0, 0};  // 0.4 % of the points
  trips[9][9] = {179, 85};
  const Planar dirty =
      Space::fit(SpaceKind::ground, dataset_of(trips)).project({porto.lon, porto.lat});
  EXPECT_LT(std::hypot(clean.x, clean.y), 1000);
  EXPECT_LT(std::hypot(dirty.x - clean.x, dirty.y - clean.y), 1000);
}

TEST(Space, GroundOfOnePointIsThatPoint) {
  const Space space = Space::fit(SpaceKind::ground, dataset_of({{porto}}));
  const Planar p = space.project(porto);
  EXPECT_EQ(p.x, 0);
  EXPECT_EQ(p.y, 0);
}

TEST(Space, GroundStraddlesTheAntimeridian) {
  auto trips = trips_around({180, -17});
  for (auto& trip : trips) {
    for (Position& p : trip) p.lon = p.lon > 180 ? p.lon - 360 : p.lon;
  }
  const Space space = Space::fit(SpaceKind::ground, dataset_of(trips));
  const Planar a = space.project({179.99, -17});
  const Planar b = space.project({-179.99, -17});
  EXPECT_NEAR(std::hypot(b.x - a.x, b.y - a.y), 2130, 3);
  EXPECT_LT(std::abs(a.x), 10'000);
}

TEST(Space, AllKindsReturnToWhereTheyCameFrom) {
  const auto trips = trips_around(porto);
  const Dataset data = dataset_of(trips);
  for (const SpaceKind kind : {SpaceKind::ground, SpaceKind::mercator, SpaceKind::zscore}) {
    const Space space = Space::fit(kind, data);
    for (const Position& p : data.points()) {
      const Position back = space.unproject(space.project(p));
      ASSERT_NEAR(back.lon, p.lon, 1e-9) << name_of(kind);
      ASSERT_NEAR(back.lat, p.lat, 1e-9) << name_of(kind);
    }
  }
  const Space planar = Space::fit(SpaceKind::planar, dataset_of(trips, Coordinates::planar));
  EXPECT_EQ(planar.unproject(planar.project(porto)), porto);
}

TEST(Space, ZscoreAgreesWithTwoPasses) {
  for (const Coordinates coordinates : {Coordinates::degrees, Coordinates::planar}) {
    // More trajectories than one grain of the parallel reduction.
    const auto trips = trips_around({116.4, 39.9}, 5000, 7);
    const Dataset data = dataset_of(trips, coordinates);
    const Space space = Space::fit(SpaceKind::zscore, data);
    long double n = 0, sx = 0, sy = 0;
    std::vector<Planar> plane;
    for (const Position& p : data.points()) {
      plane.push_back(coordinates == Coordinates::degrees ? mercator_from(p)
                                                          : Planar{p.lon, p.lat});
      n += 1;
      sx += plane.back().x;
      sy += plane.back().y;
    }
    const long double mx = sx / n, my = sy / n;
    long double vx = 0, vy = 0;
    for (const Planar& p : plane) {
      vx += (p.x - mx) * (p.x - mx);
      vy += (p.y - my) * (p.y - my);
    }
    const long double dx = std::sqrt(vx / n), dy = std::sqrt(vy / n);
    long double mean_x = 0, mean_y = 0, square_x = 0, square_y = 0;
    for (std::size_t i = 0; i < plane.size(); ++i) {
      const Planar z = space.project(data.points()[i]);
      ASSERT_NEAR(z.x, static_cast<double>((plane[i].x - mx) / dx), 1e-9);
      ASSERT_NEAR(z.y, static_cast<double>((plane[i].y - my) / dy), 1e-9);
      mean_x += z.x / n;
      mean_y += z.y / n;
      square_x += z.x * z.x / n;
      square_y += z.y * z.y / n;
    }
    EXPECT_NEAR(static_cast<double>(mean_x), 0, 1e-9);
    EXPECT_NEAR(static_cast<double>(mean_y), 0, 1e-9);
    EXPECT_NEAR(static_cast<double>(square_x), 1, 1e-9);
    EXPECT_NEAR(static_cast<double>(square_y), 1, 1e-9);
  }
}

TEST(Space, FitCountsMarkedTrajectoriesOnly) {
  const auto near_trips = trips_around(porto, 10);
  auto trips = near_trips;
  std::vector<Part> parts(10, Part::train);
  parts[3] = Part::test;
  parts[4] = Part::validation;
  for (const auto& trip : trips_around({116.4, 39.9}, 20)) {
    trips.push_back(trip);
    parts.push_back(Part::none);
  }
  const Dataset split = dataset_of(trips, Coordinates::degrees, parts);
  for (const SpaceKind kind : {SpaceKind::ground, SpaceKind::zscore}) {
    EXPECT_EQ(Space::fit(kind, split), Space::fit(kind, dataset_of(near_trips))) << name_of(kind);
    EXPECT_NE(Space::fit(kind, split), Space::fit(kind, dataset_of(trips))) << name_of(kind);
  }
}

TEST(Space, JsonRoundTripsEveryBit) {
  const auto trips = trips_around({0.1 + 0.2, -1.0 / 3});
  std::vector<Space> spaces;
  for (const SpaceKind kind : {SpaceKind::ground, SpaceKind::mercator, SpaceKind::zscore}) {
    spaces.push_back(Space::fit(kind, dataset_of(trips)));
  }
  for (const SpaceKind kind : {SpaceKind::zscore, SpaceKind::planar}) {
    spaces.push_back(Space::fit(kind, dataset_of(trips, Coordinates::planar)));
  }
  for (std::size_t i = 0; i < spaces.size(); ++i) {
    const std::string json = spaces[i].to_json();
    EXPECT_EQ(json.find('\n'), std::string::npos);
    EXPECT_EQ(Space::from_json(json), spaces[i]) << json;
    EXPECT_EQ(Space::from_json(json).to_json(), json);
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(spaces[i], spaces[k]);
  }
  EXPECT_EQ(spaces[1].to_json(), R"({"kind":"mercator"})");
}

TEST(Space, RefusesForeignJson) {
  for (const char* text :
       {"", "ground", "[]", "{}", "{\"kind\":1}", R"({"kind":"metric"})",
        R"({"kind":"planar","lon":1})", R"({"kind":"ground","lon":1})",
        R"({"kind":"ground","lon":"1","lat":2})", R"({"kind":"ground","lon":1,"lat":91})",
        R"({"kind":"ground","lon":1,"lat":2,"scale":3})",
        R"({"kind":"ground","lon":1e999,"lat":2})",
        R"({"kind":"zscore","coordinates":"polar","mean_x":0,)"
        R"("mean_y":0,"deviation_x":1,"deviation_y":1})",
        R"({"kind":"zscore","coordinates":"planar","mean_x":0,)"
        R"("mean_y":0,"deviation_x":0,"deviation_y":1})"}) {
    SCOPED_TRACE(text);
    expect_error(ErrorCode::bad_input, "not a description of a space",
                 [&] { Space::from_json(text); });
  }
}

TEST(Space, RefusesWhatCannotBeFitted) {
  const auto fit = [](SpaceKind kind, const Dataset& data) {
    return [kind, data] { Space::fit(kind, data); };
  };
  const auto trips = trips_around(porto, 2);
  const Dataset degrees = dataset_of(trips);
  const Dataset planar = dataset_of(trips, Coordinates::planar);
  for (const SpaceKind kind : {SpaceKind::ground, SpaceKind::mercator, SpaceKind::zscore}) {
    expect_error(ErrorCode::bad_input, "no points", fit(kind, Dataset()));
  }
  expect_error(ErrorCode::bad_input, "no points",
               fit(SpaceKind::planar, dataset_of({}, Coordinates::planar)));
  expect_error(ErrorCode::bad_input, "planar", fit(SpaceKind::ground, planar));
  expect_error(ErrorCode::bad_input, "planar", fit(SpaceKind::mercator, planar));
  expect_error(ErrorCode::bad_input, "degrees", fit(SpaceKind::planar, degrees));
  expect_error(ErrorCode::bad_input, "same x (longitude)",
               fit(SpaceKind::zscore, dataset_of({{{1.1, 2}, {1.1, 3}, {1.1, 5}}})));
  expect_error(ErrorCode::bad_input, "same y (latitude)",
               fit(SpaceKind::zscore, dataset_of({{{1, 2.3}, {3, 2.3}}}, Coordinates::planar)));
  expect_error(
      ErrorCode::bad_input, "too large",
      fit(SpaceKind::zscore, dataset_of({{{1e300, 2}, {-1e300, 3}}}, Coordinates::planar)));
}

}  // namespace
}  // namespace tsmini
