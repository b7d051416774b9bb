#include "gpu.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"
#include "tsmini/version.h"

#include "measure/matrix_part.h"

#ifdef TSMINI_CUDA
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
  if (gpu_name().empty()) {
    throw Error(ErrorCode::failure, "--device cuda: no GPU found, or no driver for it",
                "check with nvidia-smi; --device cpu needs none");
  }
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

#ifdef TSMINI_CUDA
// Spreads the pairs i < j, condensed at the beginning of a square matrix of n rows, over it.
void spread(std::span<float> values, std::size_t n) {
  for (std::size_t i = n; i-- > 0;) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(i * n - i * (i + 1) / 2);
    const auto row = values.begin() + static_cast<std::ptrdiff_t>(i * n);
    std::copy_backward(from, from + static_cast<std::ptrdiff_t>(n - 1 - i),
                       row + static_cast<std::ptrdiff_t>(n));
  }
  for (std::size_t i = 0; i < n; ++i) {
    values[i * n + i] = 0;
    for (std::size_t j = i + 1; j < n; ++j) values[j * n + i] = values[i * n + j];
  }
}

void compute(const PlanarSet& rows, const PlanarSet* columns, const MatrixOptions& options,
             std::span<float> values) {
  const std::size_t n = rows.size();
  if (columns != nullptr) {
    CudaPairs(*columns).many_to_many(options.measure, rows, values);
    return;
  }
  CudaPairs(rows).all_pairs(options.measure, values.first(n * (n - 1) / 2));
  if (!options.condensed) spread(values, n);
}
#else
void compute(const PlanarSet&, const PlanarSet*, const MatrixOptions&, std::span<float>) {}
#endif

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
  const auto start = std::chrono::steady_clock::now();
  const std::size_t n = rows.size(), width = columns != nullptr ? columns->size() : n;
  const std::size_t pairs =
      columns != nullptr ? n * width : n * (std::max<std::size_t>(n, 1) - 1) / 2;
  NpyHeader header{NpyType::float32, {n, width}};
  if (options.condensed) header.shape = {pairs};
  MatrixPart::Json request;
  request["tsmini"] = version();
  request["measure"] = name_of(options.measure);
  request["settings"] = MatrixPart::Json::object();
  request["space"] = MatrixPart::Json::parse(options.space.to_json());
  request["precision"] = "single";
  request["device"] = gpu_name();
  request["rows"] = n;
  request["columns"] = width;
  request["condensed"] = options.condensed;
  MatrixPart part(path, header, request, options.restart);
  if (pairs > 0) compute(rows, columns, options, part.values<float>());
  part.set_rows_done(n);
  part.finish(options.ids, options.column_ids);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return {n, width, 0, pairs, 0, taken.count()};
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
