// True distances and what they are divided by.
#include "learn/truth.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "tsmini/error.h"

#include "learn/small_batch.h"
#include "measure/bounds.h"
#include "measure/rounding.h"
#include "support/datasets.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

constexpr Device cpu = Device::cpu;

learn::ProjectedTrips source_of(const Dataset& data) {
  std::vector<std::size_t> all(data.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return {data, all, Space()};
}

learn::ProjectedTrips walks(std::size_t count, std::size_t points) {
  return source_of(small_batch(3, std::vector<std::size_t>(count, points)).dataset());
}

TEST(Truth, IsTheDistanceOfTheMeasure) {
  const PlanarSet trips = {small_batch(3, {5, 9, 2, 30, 14, 8}).dataset(), Space()};
  const double extent = largest_coordinate(trips);
  for (const Measure measure :
       {Measure::frechet, Measure::hausdorff, Measure::dtw, Measure::edwp}) {
    // Within rounding.h, but for edwp, which branches.
    const SingleError error =
        measure == Measure::edwp ? SingleError{1e-3, 0} : single_error(measure, extent, 60);
    const std::vector<float> square = learn::true_distances(measure, {}, trips, cpu);
    ASSERT_EQ(square.size(), trips.size() * trips.size());
    for (std::size_t i = 0; i < trips.size(); ++i) {
      for (std::size_t j = 0; j < trips.size(); ++j) {
        const double expected =
            i == j ? 0 : distance(measure, trips[std::min(i, j)], trips[std::max(i, j)]);
        EXPECT_NEAR(square[i * trips.size() + j], expected,
                    error.relative * expected + error.absolute)
            << name_of(measure) << " " << i << " " << j;
      }
    }
  }
}

TEST(Truth, TheLargestIsThatOfAllTrainingPairs) {
  const learn::ProjectedTrips trips = walks(60, 9);
  const std::vector<float> square = learn::true_distances(Measure::dtw, {}, trips.all(), cpu);
  const float expected = *std::max_element(square.begin(), square.end());
  for (const std::uint64_t seed : {1U, 2U})  // no sample below 2,000
    EXPECT_EQ(learn::largest_distance(Measure::dtw, {}, trips, seed, cpu), expected);
}

TEST(Truth, TheLargestOfManyIsThatOfASeededSample) {
  // All but one trip are close to each other; a sample of 2,000 out of 4,000 meets it every other
  // time.
  std::vector<OwnedTrajectory> points;
  for (std::size_t i = 0; i < 4000; ++i)
    points.push_back({"", {{i == 1234 ? 5000.0 : static_cast<double>(i % 100), 0}}, {}});
  const learn::ProjectedTrips trips = source_of(built(points, {}, Coordinates::planar));
  bool with = false, without = false;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const double largest = learn::largest_distance(Measure::hausdorff, {}, trips, seed, cpu);
    EXPECT_EQ(largest, learn::largest_distance(Measure::hausdorff, {}, trips, seed, cpu));
    (largest > 1000 ? with : without) = true;
  }
  EXPECT_TRUE(with);
  EXPECT_TRUE(without);
}

TEST(Truth, NothingToLearnFromEqualTrips) {
  const OwnedTrajectory same{"same", {{1, 1}, {2, 2}}, {}};
  const learn::ProjectedTrips trips = source_of(built({same, same}, {}, Coordinates::planar));
  expect_error(ErrorCode::bad_input, "distance 0", "more than one shape",
               [&] { learn::largest_distance(Measure::frechet, {}, trips, 1, cpu); });
}

TEST(Truth, LabelsOfABatch) {
  const learn::ProjectedTrips trips = walks(12, 9);
  const std::vector<float> square = learn::true_distances(Measure::frechet, {}, trips.all(), cpu);
  const std::vector<int> ids = {1, 4, 5, 11};
  for (const auto kind : {LabelKind::matrix, LabelKind::batch, LabelKind::automatic}) {
    const auto source = learn::make_labels({kind, Measure::frechet, {}, trips});
    source->prepare(ids);
    std::vector<float> labels(16);
    source->fetch(labels);
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < 4; ++b)
        EXPECT_EQ(labels[a * 4 + b],
                  square[static_cast<std::size_t>(ids[a]) * 12 + static_cast<std::size_t>(ids[b])]);
    }
  }
}

TEST(Truth, AMatrixBeyondTheMemoryIsRefused) {
  const learn::ProjectedTrips trips = source_of(built(
      std::vector<OwnedTrajectory>(600'000, {"", {{1, 1}, {2, 2}}, {}}), {}, Coordinates::planar));
  expect_error(ErrorCode::failure, "600000 trajectories take 2160 GB", "`labels=batch`", [&] {
    learn::make_labels({LabelKind::matrix, Measure::frechet, {}, trips});
  });
}

struct Enough {};

TEST(Truth, WhoWaitsCanStop) {
  const learn::ProjectedTrips trips = walks(40, 20);
  EXPECT_THROW(learn::true_distances(Measure::dtw, {}, trips.all(), cpu,
                                     [](const ProgressState&) { throw Enough(); }),
               Enough);
  const auto source = learn::make_labels(
      {LabelKind::batch, Measure::frechet_continuous, {}, walks(64, 3000), {{}, [] {
                                                                              throw Enough();
                                                                            }}});
  std::vector<int> ids(64);
  std::iota(ids.begin(), ids.end(), 0);
  source->prepare(ids);
  std::vector<float> labels(64 * 64);
  EXPECT_THROW(source->fetch(labels), Enough) << "seconds of labels";
}

}  // namespace
}  // namespace tsmini
