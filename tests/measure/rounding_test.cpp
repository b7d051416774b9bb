// Exact search where single precision errs most: coordinates as large as the extent, segments as
// long, and answers that differ in its last digits.
#include "measure/rounding.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/exact_search.h"
#include "tsmini/simd.h"

#include "base/random.h"
#include "measure/allowed_error.h"
#include "measure/brute_force.h"
#include "measure/trajectories.h"

namespace tsmini {
namespace {

// In single precision the point between the ends is 0.01 off the segment.
TEST(Rounding, APointOnASegmentAsLongAsTheExtent) {
  const Planar begin{-8196.1477318975976, -8197.9095688006128};
  const Planar end{8199.1591138112653, 8196.5915731857986};
  const PlanarSet base =
      set_of({{begin, end}, {{-8200, -8200}, {-8200, 8200}, {8200, 8200}, {8200, -8200}}});
  const ExactSearch search(Measure::hausdorff_segment, base);
  const Points query{begin, {6935.646884815038, 6933.1414361355055}, end};
  EXPECT_EQ(search.within(query, 0), (std::vector<Neighbour>{{0, 0}}));
}

// A square of the given half width, and points in it.
class Square {
 public:
  Square(double extent, std::uint64_t seed) : extent_(extent), random_(seed) {}

  Random& random() { return random_; }
  Points corners() const {
    return {{-extent_, -extent_}, {-extent_, extent_}, {extent_, extent_}, {extent_, -extent_}};
  }
  Points trip() {
    Points points(2 + random_.below(4));
    for (Planar& p : points) p = {extent_ * side(), extent_ * side()};
    return points;
  }
  // Each point moved by some units of single precision.
  Points moved(Points points, double units) {
    const double reach = units * unit_roundoff * extent_;
    for (Planar& p : points) p = {clamped(p.x + reach * side()), clamped(p.y + reach * side())};
    return points;
  }
  // With more points on its segments.
  Points refined(const Points& points) {
    Points all{points.front()};
    for (std::size_t i = 1; i < points.size(); ++i) {
      const Planar a = points[i - 1], b = points[i];
      std::vector<double> places(random_.below(4));
      for (double& t : places) t = random_.uniform();
      std::sort(places.begin(), places.end());
      for (const double t : places) all.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
      all.push_back(b);
    }
    return all;
  }

 private:
  // Most are at the ends, where single precision has the fewest digits.
  double side() {
    const double s = random_.uniform(-1, 1);
    return random_.chance(0.5) ? s : std::copysign(1 - 0.001 * std::abs(s), s);
  }
  double clamped(double x) const { return std::clamp(x, -extent_, extent_); }

  double extent_;
  Random random_;
};

// Where vertices lie on the other's segments, or all but on its vertices, decisions hang on the
// last digits.
TEST(Rounding, PointsOnSegmentsDoNotChangeAPolyline) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Square square(1000, seed);
    const Points trip = square.trip(), more = square.refined(trip);
    for (const Measure measure : {Measure::frechet_continuous, Measure::hausdorff_segment}) {
      EXPECT_LE(distance(measure, trip, more), 1e-10) << name_of(measure) << ' ' << seed;
      EXPECT_LE(distance(measure, more, trip), 1e-10) << name_of(measure) << ' ' << seed;
      const PairEngine engine(measure, set_of({trip}), {}, Precision::double_precision);
      std::vector<double> found(1);
      engine.one_to_many(more, std::span<double>(found));
      EXPECT_LE(found[0], 1e-10) << name_of(measure) << ' ' << seed;
    }
  }
}

class RoundingTest : public testing::TestWithParam<Measure> {
 protected:
  // A few trips, each with many that are all but the same.
  static std::vector<Points> crowd(Square& square) {
    std::vector<Points> all{square.corners()};
    for (std::size_t i = 0; i < 4; ++i) {
      const Points trip = square.trip();
      for (std::size_t k = 0; k < 12; ++k) {
        const Points one = k % 3 == 0 ? square.refined(trip) : trip;
        all.push_back(k == 0 ? trip : square.moved(one, static_cast<double>(1 << k)));
      }
    }
    return all;
  }

  // A gap point at the edge, and an epsilon of a few units of single precision.
  static MeasureSettings settings_in(double extent) {
    return {.epsilon = 100 * unit_roundoff * extent, .gap = {extent, -extent / 3}};
  }

  // Both as computing everything in double precision answers, to the last bit, and as the naive
  // twin does, to what double precision leaves.
  static void expect_right(const std::vector<Points>& trips, const Points& query, double extent) {
    const Measure measure = GetParam();
    const MeasureSettings settings = settings_in(extent);
    const PlanarSet base = set_of(trips);
    const ExactSearch search(measure, base, settings);
    ASSERT_TRUE(search.has_bounds());
    const PairEngine engine(measure, base, settings, Precision::double_precision);
    std::vector<double> truth;
    for (const Points& trip : trips) truth.push_back(distance(measure, query, trip, settings));
    std::vector<double> sorted = truth;
    std::sort(sorted.begin(), sorted.end());
    const auto allowed = [&](double d) { return allowed_in_double(measure, d, extent); };

    for (const std::size_t k : {std::size_t{1}, std::size_t{2}, std::size_t{5}, std::size_t{12}}) {
      const auto found = search.nearest(query, k);
      EXPECT_EQ(found, brute_force(engine, query, k, everywhere));
      ASSERT_EQ(found.size(), k);
      std::set<std::size_t> different;
      for (std::size_t i = 0; i < k; ++i) {
        different.insert(found[i].index);
        EXPECT_NEAR(found[i].distance, truth[found[i].index], allowed(sorted[i]));
        EXPECT_NEAR(found[i].distance, sorted[i], allowed(sorted[i]));
      }
      EXPECT_EQ(different.size(), k);
      const double radius = found.back().distance;
      const auto within = search.within(query, radius);
      EXPECT_EQ(within, brute_force(engine, query, trips.size(), radius));
      std::set<std::size_t> inside;
      for (const Neighbour& n : within) inside.insert(n.index);
      for (std::size_t i = 0; i < trips.size(); ++i) {
        if (std::abs(truth[i] - radius) <= allowed(radius)) continue;
        EXPECT_EQ(inside.contains(i), truth[i] < radius) << i;
      }
    }
  }
};

TEST_P(RoundingTest, AnswersAreRightAmongTripsThatAreAllButTheSame) {
  for (const double extent : {1e-9, 1.0, 8200.0, 3e7, 1e14}) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Square square(extent, seed);
      const std::vector<Points> trips = crowd(square);
      for (std::size_t q = 0; q < 6; ++q) {
        const Points& one = trips[square.random().below(trips.size())];
        expect_right(trips, square.moved(square.refined(one), q < 3 ? 0 : 3), extent);
        if (HasFailure()) FAIL() << "extent " << extent << ", seed " << seed;
      }
    }
  }
}

// The errors that rounding.h allows for hold for every pair.
TEST_P(RoundingTest, SinglePrecisionErrsByNoMoreThanAllowed) {
  const Measure measure = GetParam();
  if (!has_single_error(measure)) GTEST_SKIP() << "computed in double precision";
  const MeasureSettings settings = settings_in(8200);
  const std::string before(simd_target());
  for (const std::string_view target : simd_targets()) {
    force_simd_target(target);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Square square(8200, seed);
      const std::vector<Points> trips = crowd(square);
      const PlanarSet base = set_of(trips);
      const PairEngine single(measure, base, settings);
      std::vector<double> found(trips.size());
      for (std::size_t q = 0; q < 10; ++q) {
        const Points query = square.refined(trips[square.random().below(trips.size())]);
        single.one_to_many(query, std::span<double>(found));
        for (std::size_t i = 0; i < trips.size(); ++i) {
          const SingleError error = single_error(measure, 8200, query.size() + trips[i].size());
          const double truth = distance(measure, query, trips[i], settings);
          EXPECT_LE(error.least(found[i]), truth) << target;
          EXPECT_GE(error.most(found[i]), truth) << target;
        }
      }
    }
  }
  force_simd_target(before);
}

INSTANTIATE_TEST_SUITE_P(Measures, RoundingTest, testing::ValuesIn(all_measures));

}  // namespace
}  // namespace tsmini
