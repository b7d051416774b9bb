// Matrices that a GPU computes, against its pairs one by one (cuda_test.cpp judges these).
#include "tsmini/cuda_matrix.h"

#include <filesystem>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/cuda_pairs.h"
#include "tsmini/error.h"

#include "base/npy.h"
#include "measure/trajectories.h"
#include "support/files.h"

namespace tsmini {
namespace {

class CudaMatrix : public testing::Test {
 protected:
  void SetUp() override {
    if (!CudaPairs::available()) GTEST_SKIP() << "no GPU here";
  }

  // The matrix as the file has it, row by row.
  std::vector<float> written(const PlanarSet* columns, const std::vector<std::size_t>& shape,
                             bool condensed = false) {
    MatrixOptions options;
    options.measure = Measure::dtw;
    options.condensed = condensed;
    const MatrixSummary summary = write_cuda_matrix(rows_, columns, path_, options);
    const NpyArray array(path_);
    EXPECT_EQ(array.header(), (NpyHeader{npy_type_of<float>, shape}));
    const auto values = array.values<float>();
    EXPECT_EQ(summary.pairs, columns ? 24U : 15U);
    return {values.begin(), values.end()};
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "d.npy";
  PlanarSet rows_ = set_of(mixed(Measure::dtw, 6, 20, 1, Style::smooth)),
            columns_ = set_of(mixed(Measure::dtw, 4, 20, 2, Style::smooth));
};

TEST_F(CudaMatrix, AmongTrips) {
  std::vector<float> pairs(15);
  CudaPairs(rows_).all_pairs(Measure::dtw, pairs);
  EXPECT_EQ(written(nullptr, {15}, true), pairs);
  const std::vector<float> square = written(nullptr, {6, 6});
  auto next = pairs.begin();
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(square[i * 6 + i], 0);
    for (std::size_t j = i + 1; j < 6; ++j, ++next) {
      EXPECT_EQ(square[i * 6 + j], *next) << i << ", " << j;
      EXPECT_EQ(square[j * 6 + i], *next) << j << ", " << i;
    }
  }
}

TEST_F(CudaMatrix, OfRowsAndColumns) {
  std::vector<float> expected(24);
  CudaPairs(columns_).many_to_many(Measure::dtw, rows_, expected);
  EXPECT_EQ(written(&columns_, {6, 4}), expected);
}

TEST_F(CudaMatrix, TakesNoMeasureWithoutKernels) {
  MatrixOptions options;
  options.measure = Measure::sspd;
  EXPECT_THROW(write_cuda_matrix(rows_, nullptr, path_, options), Error);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace tsmini
