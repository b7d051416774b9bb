#include "experiment/sketch.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/import.h"
#include "tsmini/pair_engine.h"
#include "tsmini/retrieval.h"

#include "support/arguments.h"
#include "support/files.h"
#include "support/sanitized.h"

namespace tsmini::experiment {
namespace {

using Trip = std::vector<Planar>;

const Sketch& sketch(std::string_view name) {
  for (const Sketch& one : sketches())
    if (one.name == name) return one;
  throw std::invalid_argument("no such sketch");
}

PlanarSet set_of(const std::vector<Trip>& trips) {
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  for (const Trip& trip : trips) {
    points.insert(points.end(), trip.begin(), trip.end());
    offsets.push_back(points.size());
  }
  return {points, offsets};
}

void expect_points(const Trip& got, const Trip& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    EXPECT_NEAR(got[k].x, expected[k].x, 1e-12) << k;
    EXPECT_NEAR(got[k].y, expected[k].y, 1e-12) << k;
  }
}

TEST(Sketches, KeepAsManyNumbersAsTheySay) {
  const Trip trip{{0, 0}, {3, 4}, {3, 9}};
  for (const Sketch& one : sketches())
    EXPECT_EQ(2 * one.points(trip).size(), one.numbers) << one.name;
  EXPECT_EQ(sketches().size(), 4u);
  EXPECT_EQ(sketches().front().name, "length");
}

TEST(Sketches, OfOnePointAreThatPoint) {
  for (const Trip& trip : {Trip{{2, 3}}, Trip{{2, 3}, {2, 3}, {2, 3}}}) {
    for (const Sketch& one : sketches())
      expect_points(one.points(trip), Trip(one.numbers / 2, {2, 3}));
  }
}

TEST(Sketches, OfAnEvenStraightLineAgree) {
  Trip line, expected;
  for (int i = 0; i <= 5; ++i) line.push_back({3.0 * i, 4.0 * i});
  for (int k = 0; k < 16; ++k) expected.push_back({1.0 * k, 4.0 / 3 * k});
  expect_points(sketch("length").points(line), expected);
  expect_points(sketch("index").points(line), expected);
}

// Four points in the first tenth of the way, and the end.
TEST(Sketches, OfUnevenPointsDiffer) {
  const Trip trip{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {30, 0}};
  Trip by_length, by_index;
  for (int k = 0; k < 16; ++k) {
    by_length.push_back({2.0 * k, 0});
    const double place = 4.0 * k / 15;
    by_index.push_back({place <= 3 ? place : 3 + 27 * (place - 3), 0});
  }
  expect_points(sketch("length").points(trip), by_length);
  expect_points(sketch("index").points(trip), by_index);
}

TEST(Sketches, ByLengthPassStandstillsAndKeepTheEnd) {
  const Trip trip{{0, 0}, {0, 0}, {15, 0}, {15, 0}, {15, 15}, {15, 15}};
  const Trip got = sketch("length").points(trip);
  expect_points({got[0], got[1], got[7], got[8], got[15]},
                {{0, 0}, {2, 0}, {14, 0}, {15, 1}, {15, 15}});
}

TEST(Sketches, OfBoxAndEnds) {
  const Trip trip{{1, 5}, {-2, 7}, {4, 6}};
  expect_points(sketch("box").points(trip), {{-2, 5}, {4, 7}});
  expect_points(sketch("ends").points(trip), {{1, 5}, {1, 6}, {4, 6}});
}

TEST(SketchDistances, TakeTheWorstPointOrTheSum) {
  const PlanarSet trips = set_of({{{0, 0}, {0, 0}}, {{3, 4}, {6, 8}}});
  // The corners of the boxes are 5 and 10 apart.
  const std::map<Measure, float> expected{
      {Measure::frechet, 10},   {Measure::frechet_continuous, 10},
      {Measure::hausdorff, 10}, {Measure::hausdorff_segment, 10},
      {Measure::dtw, 15},       {Measure::edwp, 15},
      {Measure::erp, 15},       {Measure::sspd, 15}};
  for (const auto& [measure, distance] : expected)
    EXPECT_EQ(sketch_distances(sketch("box"), trips, measure),
              (std::vector<float>{0, distance, distance, 0}))
        << name_of(measure);
}

// Where a share of the way is, found by walking from the start.
Planar walked(const Trip& trip, double share) {
  double length = 0;
  for (std::size_t i = 1; i < trip.size(); ++i)
    length += std::hypot(trip[i].x - trip[i - 1].x, trip[i].y - trip[i - 1].y);
  double left = share * length;
  for (std::size_t i = 1; i < trip.size(); ++i) {
    const double step = std::hypot(trip[i].x - trip[i - 1].x, trip[i].y - trip[i - 1].y);
    if (step >= left && step > 0)
      return {trip[i - 1].x + left / step * (trip[i].x - trip[i - 1].x),
              trip[i - 1].y + left / step * (trip[i].y - trip[i - 1].y)};
    left -= step;
  }
  return trip.back();
}

TEST(SketchDistances, AreThoseOfPlainLoops) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> place(-1, 1);
  std::vector<Trip> trips(30);
  for (Trip& trip : trips) {
    const std::size_t size = 1 + random() % 40;
    for (std::size_t i = 0; i < size; ++i) trip.push_back({place(random), place(random)});
  }
  const PlanarSet set = set_of(trips);
  const auto sums = sketch_distances(sketch("length"), set, Measure::dtw);
  const auto worst = sketch_distances(sketch("length"), set, Measure::hausdorff);
  for (std::size_t i = 0; i < trips.size(); ++i) {
    for (std::size_t j = 0; j < trips.size(); ++j) {
      double sum = 0, largest = 0;
      for (int k = 0; k < 16; ++k) {
        const Planar a = walked(trips[i], k / 15.0), b = walked(trips[j], k / 15.0);
        const double distance = std::hypot(a.x - b.x, a.y - b.y);
        sum += distance;
        largest = std::max(largest, distance);
      }
      EXPECT_NEAR(sums[i * trips.size() + j], sum, 1e-5);
      EXPECT_NEAR(worst[i * trips.size() + j], largest, 1e-5);
    }
  }
}

// What a few points reach on Porto, where $TSMINI_DATA has it.
TEST(SketchDistances, OnPorto) {
  if (sanitized) GTEST_SKIP() << "sixteen million distances are too many for a sanitizer";
  const char* folder = std::getenv("TSMINI_DATA");
  const std::filesystem::path file = std::filesystem::path(folder ? folder : "") / "porto.tsv.gz";
  if (!std::filesystem::exists(file))
    GTEST_SKIP() << "set TSMINI_DATA to a folder with porto.tsv.gz";
  const TemporaryFolder out;
  import_files(
      {file}, out / "porto.tsd",
      import_options_from("--bbox=-8.7005,41.1001,-8.5192,41.2086 --split 7000,1000,2000"));
  const Dataset data = Dataset::open(out / "porto.tsd");
  const PlanarSet trips(data, Space::fit(SpaceKind::zscore, data), data.indices_of(Part::test));
  const std::size_t n = trips.size();
  const std::map<Measure, double> expected{{Measure::frechet, .792},
                                           {Measure::dtw, .639},
                                           {Measure::edwp, .598},
                                           {Measure::hausdorff, .468}};
  for (const auto& [measure, hr10] : expected) {
    std::vector<float> truth(n * n);
    PairEngine(measure, trips).many_to_many(trips, truth);
    const std::vector<float> predicted = sketch_distances(sketch("length"), trips, measure);
    RetrievalMeter meter;
    for (std::size_t q = 0; q < n; ++q)
      meter.add(q, std::span(predicted).subspan(q * n, n), std::span(truth).subspan(q * n, n));
    EXPECT_NEAR(meter.score().hr10, hr10, .003) << name_of(measure);
  }
}

}  // namespace
}  // namespace tsmini::experiment
