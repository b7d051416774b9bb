#include "learn/cuda/gpu_labels.h"

#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tsmini/cuda_pairs.h"
#include "tsmini/error.h"

#include "gpu/event.h"
#include "learn/cuda/gpu_storage.h"

namespace tsmini::learn {
namespace {

// Whether a matrix of all pairs fits. All pairs at once keep the GPU busy, those of a batch do not.
bool matrix_fits(std::size_t trips) {
  constexpr std::size_t most = 1 << 15;
  std::size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) return false;
  return trips <= most && trips * trips * sizeof(float) <= free / 4;
}

gpu::DeviceMemory<float> room_for(std::size_t trips) {
  const std::size_t pairs = trips * trips;
  return gpu::take_memory(
      fmt::format("for the true distances of all pairs of {} trips, {:.1f} GB", trips,
                  static_cast<double>(pairs) * sizeof(float) / 1e9),
      "measure those of each batch as it comes (`labels=batch`), or use fewer trips",
      [&] { return gpu::DeviceMemory<float>(pairs); });
}

// Work on the points of trips there.
template <class Work>
decltype(auto) with_points(std::size_t trips, const Work& work) {
  return gpu::take_memory(fmt::format("to measure {} trips", trips), "use fewer trips, or the CPU",
                          work);
}

gpu::DeviceMemory<float> square_of(Measure measure, const PlanarSet& trips) {
  gpu::DeviceMemory<float> matrix = room_for(trips.size());
  std::vector<std::uint32_t> all(trips.size());
  std::iota(all.begin(), all.end(), 0U);
  with_points(trips.size(), [&] {
    CudaPairs pairs(trips);
    pairs.square(measure, all, matrix.data(), gpu_stream());
    gpu::check(cudaStreamSynchronize(gpu_stream()), "measure distances");
  });
  return matrix;
}

class MatrixOnGpu : public GpuLabels {
 public:
  explicit MatrixOnGpu(gpu::DeviceMemory<float> matrix) : matrix_(std::move(matrix)) {}

  const float* matrix() const override { return matrix_.data(); }
  void prepare(std::span<const int>) override {}
  void fetch(std::span<GpuFloat>) override {}

 private:
  gpu::DeviceMemory<float> matrix_;
};

// Two buffers take turns: one is read while the labels of the next batch go into the other, on a
// stream of their own.
class BatchesOnGpu : public GpuLabels {
 public:
  BatchesOnGpu(Measure measure, const PlanarSet& trips)
      : measure_(measure), pairs_(with_points(trips.size(), [&] { return CudaPairs(trips); })) {}

  void prepare(std::span<const int> ids) override {
    next_ = 1 - next_;
    const std::size_t pairs = ids.size() * ids.size();
    if (buffers_[next_].size() != pairs) buffers_[next_] = gpu::DeviceMemory<float>(pairs);
    read_[next_].hold_back(stream_.get());
    pairs_.square(measure_, std::vector<std::uint32_t>(ids.begin(), ids.end()),
                  buffers_[next_].data(), stream_.get());
    made_.record(stream_.get());
  }

  void fetch(std::span<GpuFloat> labels) override {
    made_.hold_back(gpu_stream());
    gpu::check(cudaMemcpyAsync(labels.data(), buffers_[next_].data(), labels.size_bytes(),
                               cudaMemcpyDeviceToDevice, gpu_stream()),
               "copy labels");
    read_[next_].record(gpu_stream());
  }

 private:
  Measure measure_;
  CudaPairs pairs_;
  std::size_t next_ = 0;
  std::array<gpu::DeviceMemory<float>, 2> buffers_;
  std::array<gpu::Event, 2> read_;
  gpu::Event made_;
  gpu::OwnStream stream_;  // ends first, and waits for what it does
};

// Made on the CPU while the GPU trains.
class BatchesOfCpu : public GpuLabels {
 public:
  explicit BatchesOfCpu(std::unique_ptr<LabelSource> source) : source_(std::move(source)) {}

  void prepare(std::span<const int> ids) override { source_->prepare(ids); }
  void fetch(std::span<GpuFloat> labels) override {
    std::vector<float> square(labels.size());
    source_->fetch(square);
    copy_in<GpuFloat>(square, labels);
  }

 private:
  std::unique_ptr<LabelSource> source_;
};

// Labels that the GPU cannot measure come from the CPU: as a matrix where that is small, else batch
// by batch.
std::unique_ptr<GpuLabels> labels_of_cpu(const LabelRequest& request) {
  constexpr std::size_t small = 1 << 13;
  const bool matrix = request.kind == LabelKind::matrix ||
                      (request.kind == LabelKind::automatic && request.trips.size() <= small &&
                       matrix_fits(request.trips.size()));
  if (!matrix) return std::make_unique<BatchesOfCpu>(make_labels(request));
  check_room(request.trips.size());
  const std::vector<float> square = true_distances(
      request.measure, request.settings, request.trips.all(), Device::cpu, request.watch.matrix);
  gpu::DeviceMemory<float> there = room_for(request.trips.size());
  copy_in<GpuFloat>(square, {reinterpret_cast<GpuFloat*>(there.data()), there.size()});
  return std::make_unique<MatrixOnGpu>(std::move(there));
}

}  // namespace

bool measured_on_gpu(Measure measure, const MeasureSettings& settings) {
  return CudaPairs::supports(measure) && !settings.band;
}

std::vector<float> gpu_true_distances(Measure measure, const PlanarSet& trips) {
  const gpu::DeviceMemory<float> square = square_of(measure, trips);
  return copy_out<GpuFloat>({reinterpret_cast<const GpuFloat*>(square.data()), square.size()});
}

std::unique_ptr<GpuLabels> make_gpu_labels(const LabelRequest& request) {
  if (!measured_on_gpu(request.measure, request.settings)) return labels_of_cpu(request);
  const bool matrix = request.kind == LabelKind::matrix ||
                      (request.kind == LabelKind::automatic && matrix_fits(request.trips.size()));
  if (matrix) return std::make_unique<MatrixOnGpu>(square_of(request.measure, request.trips.all()));
  return std::make_unique<BatchesOnGpu>(request.measure, request.trips.all());
}

}  // namespace tsmini::learn
