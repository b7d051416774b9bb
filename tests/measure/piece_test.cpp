// Where in a trajectory a piece is: the kernel and the bounds, on every SIMD target of this
// machine, against computing every stretch.
#include <algorithm>
#include <limits>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"

#include "measure/bounds.h"
#include "measure/lane_runner.h"
#include "measure/piece_bounds.h"
#include "measure/rounding.h"
#include "measure/trajectories.h"

namespace tsmini {
namespace {

// The distance to the nearest stretch.
double nearest_stretch(Measure measure, const Points& piece, std::span<const Planar> trip) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t first = 0; first < trip.size(); ++first) {
    for (std::size_t count = 1; count <= trip.size() - first; ++count) {
      least = std::min(least, distance(measure, piece, trip.subspan(first, count)));
    }
  }
  return least;
}

using Case = std::tuple<std::string, Measure>;

class PieceKernels : public testing::TestWithParam<Case> {
 protected:
  PieceKernels() : before_(simd_target()) { force_simd_target(std::get<0>(GetParam())); }
  ~PieceKernels() override { force_simd_target(before_); }

  Measure measure() const { return std::get<1>(GetParam()); }

  // What the kernel says of each trip.
  std::vector<double> nearest_of(const Points& piece, const std::vector<Points>& trips) const {
    const PlanarSet set = set_of(trips);
    const LaneRunner<float> runner(measure(), {}, piece_kernel(measure()));
    const std::vector<std::span<const Planar>> spans(trips.begin(), trips.end());
    std::vector<double> found(trips.size(), -1);
    runner.run_all(
        piece, set.origin(), runner.pack<Planar>(spans, set.origin(), runner.lanes()), {},
        [](std::size_t) { return std::span<const Planar>(); },
        [&](std::size_t i, double d) { found[i] = d; });
    return found;
  }

  // Between what the errors of rounding.h allow; and bounds below.
  void compare(const std::vector<Points>& pieces, const std::vector<Points>& trips) {
    const PlanarSet set = set_of(trips);
    const TripBoxes boxes(set);
    for (const Points& piece : pieces) {
      const double extent =
          std::max(largest_coordinate(set), largest_coordinate(piece, set.origin()));
      const PieceLanes lanes(piece, set.origin());
      const SingleError bound_error = single_error(measure(), extent, piece.size());
      const std::vector<double> found = nearest_of(piece, trips);
      for (std::size_t i = 0; i < trips.size(); ++i) {
        const double truth = nearest_stretch(measure(), piece, trips[i]);
        const auto error = single_error(measure(), extent, piece.size() + trips[i].size());
        EXPECT_LE(error.least(found[i]), truth) << piece.size() << " in " << trips[i].size();
        EXPECT_GE(error.most(found[i]), truth) << piece.size() << " in " << trips[i].size();
        const auto bound = static_cast<double>(boxes.bound(measure(), lanes, i));
        EXPECT_LE(bound_error.least(bound), truth) << piece.size() << " in " << trips[i].size();
      }
    }
  }

 private:
  std::string before_;
};

TEST_P(PieceKernels, LengthsAroundTheLanes) {
  std::vector<Points> pieces, trips;
  for (const std::size_t length : {1u, 2u, 3u, 4u, 5u, 15u, 16u, 17u, 33u}) {
    pieces.push_back(random_points(length, 1));
    trips.push_back(random_points(length, 2));
    trips.push_back(random_points(length, 3));
  }
  compare(pieces, trips);
}

TEST_P(PieceKernels, MixedLengths) {
  compare(mixed(Measure::dtw, 5, 25, 21), mixed(Measure::dtw, 35, 40, 22));
}

TEST_P(PieceKernels, FarFromZero) {
  compare(mixed(Measure::dtw, 3, 20, 31, Style::far), mixed(Measure::dtw, 18, 30, 32, Style::far));
}

TEST_P(PieceKernels, TiesAndRepeatedPoints) {
  compare(mixed(Measure::dtw, 4, 20, 41, Style::lattice),
          mixed(Measure::dtw, 36, 30, 42, Style::lattice));
}

TEST_P(PieceKernels, APieceOfATripIsAtZero) {
  const auto trips = mixed(Measure::dtw, 20, 60, 51);
  for (std::size_t i = 0; i < trips.size(); ++i) {
    const auto at = [&](std::size_t third) {
      return trips[i].begin() + static_cast<std::ptrdiff_t>((trips[i].size() + 1) * third / 3);
    };
    const Points piece(at(0), std::max(at(1), at(0) + 1));
    EXPECT_EQ(nearest_of(piece, trips)[i], 0);
    EXPECT_EQ(nearest_of(Points(std::min(at(2), trips[i].end() - 1), trips[i].end()), trips)[i], 0);
  }
}

// Bounds that are of some use: a piece far away from the trip is far by its bound too.
TEST_P(PieceKernels, BoundsGrowWithTheDistance) {
  const Points trip = random_points(40, 61);
  Points piece(trip.begin(), trip.begin() + 21);
  for (Planar& p : piece) p.x += 1000;
  const PlanarSet set = set_of({trip});
  const double truth = nearest_stretch(measure(), piece, trip);
  const auto bound =
      static_cast<double>(TripBoxes(set).bound(measure(), PieceLanes(piece, set.origin()), 0));
  EXPECT_GT(bound, 0.9 * truth);
  EXPECT_LE(bound, truth * (1 + 1e-5));
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string_view target : simd_targets()) {
    all.emplace_back(target, Measure::dtw);
    all.emplace_back(target, Measure::frechet);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, PieceKernels, testing::ValuesIn(cases()), [](const auto& one) {
  return std::get<0>(one.param) + "_" + std::string(name_of(std::get<1>(one.param)));
});

}  // namespace
}  // namespace tsmini
