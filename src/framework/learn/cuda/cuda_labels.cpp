#include "learn/cuda/cuda_labels.h"

#include <array>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>

#include "tsmini/cuda_pairs.h"
#include "tsmini/error.h"

#include "learn/ops/packing.h"

namespace tsmini::learn {
namespace {

constexpr std::size_t largest_matrix = 1 << 15;

// All pairs at once keep the GPU busy, those of a batch do not: the matrix, where it takes no more
// than a quarter of the memory that is free.
bool matrix_fits(std::size_t trips) {
  std::size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) return false;
  return trips <= largest_matrix && trips * trips * sizeof(float) <= free / 4;
}

at::TensorOptions floats() {
  return at::TensorOptions().device(at::kCUDA).dtype(at::kFloat);
}

std::vector<std::uint32_t> all_of(const PlanarSet& trips) {
  std::vector<std::uint32_t> indices(trips.size());
  std::iota(indices.begin(), indices.end(), 0U);
  return indices;
}

at::Tensor square_on_gpu(Measure measure, const PlanarSet& trips) {
  const auto n = static_cast<std::int64_t>(trips.size());
  at::Tensor matrix = at::empty({n, n}, floats());
  CudaPairs pairs(trips);
  pairs.square(measure, all_of(trips), matrix.data_ptr<float>(), current_stream());
  at::cuda::getCurrentCUDAStream().synchronize();
  return matrix;
}

class GpuMatrixLabels : public LabelSource {
 public:
  explicit GpuMatrixLabels(at::Tensor matrix) : matrix_(std::move(matrix)) {}

  void prepare(std::span<const int>) override {}
  void fetch(const at::Tensor&) override {}
  at::Tensor matrix() const override { return matrix_; }

 private:
  at::Tensor matrix_;
};

// Two buffers take turns: one is read while the labels of the next batch go into the other, on a
// stream of their own.
class GpuBatchLabels : public LabelSource {
 public:
  GpuBatchLabels(Measure measure, const PlanarSet& trips)
      : measure_(measure), pairs_(trips), stream_(at::cuda::getStreamFromPool()) {}

  void prepare(std::span<const int> ids) override {
    const auto n = static_cast<std::int64_t>(ids.size());
    next_ = 1 - next_;
    at::Tensor& buffer = buffers_[static_cast<std::size_t>(next_)];
    if (!buffer.defined() || buffer.size(0) != n) buffer = at::empty({n, n}, floats());
    const std::vector<std::uint32_t> indices(ids.begin(), ids.end());
    read_[static_cast<std::size_t>(next_)].block(stream_);
    pairs_.square(measure_, indices, buffer.data_ptr<float>(), stream_.stream());
    made_.record(stream_);
  }

  void fetch(const at::Tensor& labels) override {
    const auto current = at::cuda::getCurrentCUDAStream();
    made_.block(current);
    at::Tensor(labels).copy_(buffers_[static_cast<std::size_t>(next_)], true);
    read_[static_cast<std::size_t>(next_)].record(current);
  }

 private:
  Measure measure_;
  CudaPairs pairs_;
  at::cuda::CUDAStream stream_;
  int next_ = 0;
  std::array<at::Tensor, 2> buffers_;
  std::array<at::cuda::CUDAEvent, 2> read_;
  at::cuda::CUDAEvent made_;
};

}  // namespace

bool gpu_labels_for(Measure measure, const MeasureSettings& settings) {
  return CudaPairs::supports(measure) && !settings.band;
}

std::vector<float> gpu_true_distances(Measure measure, const PlanarSet& trips) {
  const at::Tensor square = square_on_gpu(measure, trips).to(at::kCPU);
  return {square.data_ptr<float>(), square.data_ptr<float>() + square.numel()};
}

std::unique_ptr<LabelSource> make_gpu_labels(LabelKind kind, Measure measure,
                                             const MeasureSettings& settings,
                                             const PlanarSet& trips) {
  const bool has_kernel = gpu_labels_for(measure, settings);
  const bool matrix = kind == LabelKind::matrix || !has_kernel ||
                      (kind == LabelKind::automatic && matrix_fits(trips.size()));
  if (!matrix) return std::make_unique<GpuBatchLabels>(measure, trips);
  if (has_kernel) return std::make_unique<GpuMatrixLabels>(square_on_gpu(measure, trips));
  const auto n = static_cast<std::int64_t>(trips.size());
  std::vector<float> square = true_distances(measure, settings, trips, at::kCPU);
  return std::make_unique<GpuMatrixLabels>(at::from_blob(square.data(), {n, n}).to(at::kCUDA));
}

}  // namespace tsmini::learn
