#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "tsmini/cuda_pairs.h"
#include "tsmini/error.h"

#include "base/random.h"
#include "measure/bounds.h"
#include "measure/rounding.h"

namespace tsmini {
namespace {

constexpr std::array<Measure, 4> gpu_measures{Measure::dtw, Measure::frechet, Measure::hausdorff,
                                              Measure::edwp};

// Long and many trajectories take minutes in the emulator.
#ifdef TSMINI_EMULATED_CUDA
constexpr bool emulated = true;
#else
constexpr bool emulated = false;
#endif

// Random walks of the given lengths, with repeated points among them.
PlanarSet walks(const std::vector<std::size_t>& lengths, std::uint64_t seed, double far = 0) {
  Random random(seed);
  std::vector<Planar> points;
  std::vector<std::uint64_t> offsets{0};
  for (const std::size_t length : lengths) {
    Planar at{far + random.uniform(-3000, 3000), -far + random.uniform(-3000, 3000)};
    for (std::size_t i = 0; i < length; ++i) {
      points.push_back(at);
      if (!random.chance(0.05)) {
        at.x += 200 * random.normal();
        at.y += 200 * random.normal();
      }
    }
    offsets.push_back(points.size());
  }
  return {std::move(points), std::move(offsets)};
}

// The distance of a pair, and how far single precision may be from it.
struct Expected {
  double distance;
  SingleError error;

  double allowed() const { return error.relative * distance + error.absolute; }
};

// Those of rounding.h hold here, too. A root errs by 2^-23, two roundings, where that of a
// processor without vectors may err by 77. Cells are filled in another order, but in each one
// distance is added to what an alignment cost so far, so that an alignment of K steps is rounded K
// times, as there.
//
// edwp branches. One that went no other way is within 1e-3, which leaves room for its many
// roundings, and for the coordinates: in each piece two distances move by 2.83 u E, and the weights
// of all pieces, their share of both lengths, are 1 together.
SingleError error_of(Measure measure, double extent, std::size_t points) {
  if (measure == Measure::edwp) return {1e-3, 6 * unit_roundoff * extent};
  return single_error(measure, extent, points);
}

Expected expected_of(Measure measure, std::span<const Planar> p, std::span<const Planar> q,
                     double extent) {
  return {distance(measure, p, q), error_of(measure, extent, p.size() + q.size())};
}

// Edwp may take one pair of a hundred another way in single precision, to a value within a tenth
// (the kernels of the CPU reach 8 % on such walks). But every pair has a value.
void expect_near(Measure measure, const std::vector<Expected>& expected,
                 const std::vector<float>& found) {
  ASSERT_EQ(expected.size(), found.size());
  std::size_t branched = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const Expected& pair = expected[k];
    ASSERT_TRUE(std::isfinite(found[k])) << name_of(measure) << ", pair " << k;
    const bool is_off = std::abs(found[k] - pair.distance) > pair.allowed();
    if (measure == Measure::edwp && is_off) ++branched;
    const double other_way = measure == Measure::edwp ? 0.1 * pair.distance : 0;
    EXPECT_NEAR(found[k], pair.distance, pair.allowed() + other_way)
        << name_of(measure) << ", pair " << k;
  }
  EXPECT_LE(100 * branched, expected.size()) << name_of(measure);
}

class CudaPairsTest : public ::testing::TestWithParam<Measure> {
 protected:
  void SetUp() override {
    if (!CudaPairs::available()) GTEST_SKIP() << "no GPU here";
  }
};

TEST_P(CudaPairsTest, AllPairsAgreeWithTheReference) {
  const Measure measure = GetParam();
  for (const double far : {0.0, 1e7}) {
    std::vector<std::size_t> lengths{2,  2,  3,  4,  5,  8,  9,  15, 16,
                                     17, 31, 32, 33, 48, 49, 64, 65, 100};
    if (!emulated) lengths.insert(lengths.end(), {200, 201, 2000});
    for (std::size_t i = 0; i < (emulated ? 16 : 60); ++i) lengths.push_back(20 + i * 3);
    if (measure != Measure::edwp) lengths.insert(lengths.begin() + 7, {1, 1});
    const PlanarSet set = walks(lengths, 7, far);
    const double extent = largest_coordinate(set);
    std::vector<Expected> expected;
    for (std::size_t i = 0; i < set.size(); ++i) {
      for (std::size_t j = i + 1; j < set.size(); ++j) {
        expected.push_back(expected_of(measure, set[i], set[j], extent));
      }
    }
    std::vector<float> found(expected.size(), NAN);
    CudaPairs(set).all_pairs(measure, found);
    expect_near(measure, expected, found);
  }
}

TEST_P(CudaPairsTest, QueriesTimesBaseAgreeWithTheReference) {
  const Measure measure = GetParam();
  const PlanarSet base = walks({30, 10, 77, 5, 2, 130, 64}, 1);
  const PlanarSet queries = walks({12, 90, 33}, 2);
  std::vector<Expected> expected;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const double extent =
        std::max(largest_coordinate(base), largest_coordinate(queries[i], base.origin()));
    for (std::size_t j = 0; j < base.size(); ++j) {
      expected.push_back(expected_of(measure, queries[i], base[j], extent));
    }
  }
  std::vector<float> found(expected.size(), NAN);
  CudaPairs(base).many_to_many(measure, queries, found);
  expect_near(measure, expected, found);
}

TEST_P(CudaPairsTest, ABatchIsASquareOfItsPairs) {
  const Measure measure = GetParam();
  std::vector<std::size_t> lengths(100);
  std::iota(lengths.begin(), lengths.end(), std::size_t{20});
  const PlanarSet base = walks(lengths, 3);
  const std::vector<std::uint32_t> batch{5, 99, 0, 17, 42, 5};
  float* matrix = nullptr;
  ASSERT_EQ(cudaMalloc(&matrix, 36 * sizeof(float)), cudaSuccess);
  CudaPairs pairs(base);
  pairs.square(measure, batch, matrix);
  std::vector<float> found(36, NAN);
  ASSERT_EQ(cudaMemcpy(found.data(), matrix, 36 * sizeof(float), cudaMemcpyDeviceToHost),
            cudaSuccess);
  cudaFree(matrix);
  const double extent = largest_coordinate(base);
  std::vector<Expected> expected;
  for (const std::uint32_t i : batch) {
    for (const std::uint32_t j : batch) {
      expected.push_back(expected_of(measure, base[i], base[j], extent));
    }
  }
  expect_near(measure, expected, found);
}

// A sum of thousands rounds as often up as down: some 6 √steps of 2^-24, with its roots 4e-5. The
// pieces of edwp, whose weights are sums themselves, may err twice. Of so many pieces one that goes
// another way does not show: 300 pairs like these are within 1.2e-6 by the kernels of the CPU, 15
// of the longest within 2.7e-6.
SingleError error_of_long(Measure measure, double extent) {
  switch (measure) {
    case Measure::dtw: return {4e-5, 0};
    case Measure::edwp: return {8e-5, 6 * unit_roundoff * extent};
    default: return single_error(measure, extent, 0);  // of points alone, however many
  }
}

TEST_P(CudaPairsTest, LongTrajectoriesAgreeWithTheReference) {
  const Measure measure = GetParam();
  const PlanarSet set = emulated ? walks({500, 300, 5}, 5) : walks({5'000, 3'000, 5}, 5);
  std::vector<float> found(3, NAN);
  CudaPairs(set).all_pairs(measure, found);
  const std::vector<double> truth{distance(measure, set[0], set[1]),
                                  distance(measure, set[0], set[2]),
                                  distance(measure, set[1], set[2])};
  const SingleError error = error_of_long(measure, largest_coordinate(set));
  for (std::size_t k = 0; k < truth.size(); ++k) {
    EXPECT_NEAR(found[k], truth[k], error.relative * truth[k] + error.absolute)
        << name_of(measure) << ' ' << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Measures, CudaPairsTest, ::testing::ValuesIn(gpu_measures),
                         [](const auto& param) { return std::string(name_of(param.param)); });

TEST(CudaPairs, SaysWhatItCannotDo) {
  EXPECT_TRUE(CudaPairs::supports(Measure::dtw));
  EXPECT_FALSE(CudaPairs::supports(Measure::sspd));
  if (CudaPairs::available()) GTEST_SKIP() << "there is a GPU here";
  EXPECT_THROW(CudaPairs(walks({5, 6}, 1)), Error);
  EXPECT_EQ(CudaPairs::name(), "");
}

}  // namespace
}  // namespace tsmini
