#include <cmath>
#include <numeric>
#include <vector>

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "tsmini/cuda_pairs.h"
#include "tsmini/error.h"

#include "base/random.h"

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

double tolerance_of(Measure measure) {
  return measure == Measure::frechet || measure == Measure::hausdorff ? 1e-5 : 1e-4;
}

// edwp branches: of a hundred pairs one may go another way in single precision, to a value within a
// tenth (the kernels of the CPU reach 8 % on such walks). But every pair has a value.
void expect_near(Measure measure, const std::vector<double>& truth,
                 const std::vector<float>& found) {
  ASSERT_EQ(truth.size(), found.size());
  const double limit = measure == Measure::edwp ? 0.1 : tolerance_of(measure);
  std::size_t branched = 0;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    ASSERT_TRUE(std::isfinite(found[k])) << name_of(measure) << ", pair " << k;
    EXPECT_NEAR(found[k], truth[k], limit * truth[k] + 1e-2) << name_of(measure) << ", pair " << k;
    if (std::abs(found[k] - truth[k]) > 1e-3 * truth[k] + 1e-2) ++branched;
  }
  EXPECT_LE(100 * branched, truth.size()) << name_of(measure);
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
    std::vector<double> truth;
    for (std::size_t i = 0; i < set.size(); ++i) {
      for (std::size_t j = i + 1; j < set.size(); ++j) {
        truth.push_back(distance(measure, set[i], set[j]));
      }
    }
    std::vector<float> found(truth.size(), NAN);
    CudaPairs(set).all_pairs(measure, found);
    expect_near(measure, truth, found);
  }
}

TEST_P(CudaPairsTest, QueriesTimesBaseAgreeWithTheReference) {
  const Measure measure = GetParam();
  const PlanarSet base = walks({30, 10, 77, 5, 2, 130, 64}, 1);
  const PlanarSet queries = walks({12, 90, 33}, 2);
  std::vector<double> truth;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    for (std::size_t j = 0; j < base.size(); ++j) {
      truth.push_back(distance(measure, queries[i], base[j]));
    }
  }
  std::vector<float> found(truth.size(), NAN);
  CudaPairs(base).many_to_many(measure, queries, found);
  expect_near(measure, truth, found);
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
  std::vector<double> truth;
  for (const std::uint32_t i : batch) {
    for (const std::uint32_t j : batch) truth.push_back(distance(measure, base[i], base[j]));
  }
  expect_near(measure, truth, found);
}

// A sum of thousands rounds as often up as down: some 6 √steps of 2^-24, with its roots 4e-5.
double tolerance_of_long(Measure measure) {
  switch (measure) {
    case Measure::dtw: return 4e-5;
    case Measure::edwp: return 2e-3;  // it branches
    default: return 1e-5;
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
  for (std::size_t k = 0; k < truth.size(); ++k) {
    EXPECT_NEAR(found[k] / truth[k], 1, tolerance_of_long(measure)) << name_of(measure) << ' ' << k;
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
