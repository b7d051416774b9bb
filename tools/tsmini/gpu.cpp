#include "gpu.h"

#include <memory>
#include <span>

#include <fmt/format.h>

#include "tsmini/error.h"

#ifdef TSMINI_CUDA
#include "tsmini/cuda_matrix.h"
#include "tsmini/cuda_pairs.h"
#endif

namespace tsmini::cli {
namespace {

bool has_kernel(Measure measure) {
  return measure == Measure::dtw || measure == Measure::frechet || measure == Measure::hausdorff ||
         measure == Measure::edwp;
}

void require_gpu() {
#ifdef TSMINI_CUDA
  CudaPairs::require();
#else
  throw Error(ErrorCode::failure, "--device cuda: this tsmini was built without CUDA",
              "build it where nvcc is, with -DTSMINI_CUDA=ON, or use --device cpu");
#endif
}

void require_kernel(Measure measure, const MeasureSettings& settings) {
  if (!has_kernel(measure)) {
    throw Error(ErrorCode::usage,
                fmt::format("--device cuda: the measure '{}' has no GPU kernel", name_of(measure)),
                "dtw, frechet, hausdorff and edwp have one; --device cpu has all");
  }
  if (settings.band) {
    throw Error(ErrorCode::usage, "--device cuda: no --band there", "--device cpu has it");
  }
}

void require_fit(const MatrixOptions& options) {
  require_kernel(options.measure, options.settings);
  if (options.precision != Precision::single_precision) {
    throw Error(ErrorCode::usage, "--device cuda measures in single precision",
                "use --precision single or --device cpu");
  }
}

}  // namespace

std::string gpu_name() {
#ifdef TSMINI_CUDA
  return CudaPairs::name();
#else
  return {};
#endif
}

bool fits_gpu(const MatrixOptions& options) {
  return has_kernel(options.measure) && !options.settings.band &&
         options.precision == Precision::single_precision;
}

MatrixSummary write_matrix_on_gpu(const PlanarSet& rows, const PlanarSet* columns,
                                  const std::filesystem::path& path, const MatrixOptions& options) {
  require_fit(options);
  require_gpu();
#ifdef TSMINI_CUDA
  return write_cuda_matrix(rows, columns, path, options);
#else
  static_cast<void>(rows), static_cast<void>(columns), static_cast<void>(path);
  return {};
#endif
}

std::function<DistanceRows(const PlanarSet& base)> rows_on_gpu(Measure measure,
                                                               const MeasureSettings& settings) {
  require_kernel(measure, settings);
  require_gpu();
#ifdef TSMINI_CUDA
  return [measure](const PlanarSet& base) -> DistanceRows {
    auto pairs = std::make_shared<CudaPairs>(base);
    return [measure, pairs](const PlanarSet& queries, std::span<float> distances) {
      pairs->many_to_many(measure, queries, distances);
    };
  };
#else
  return {};
#endif
}

}  // namespace tsmini::cli
