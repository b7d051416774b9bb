#include "learn/truth.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "tsmini/error.h"
#include "tsmini/pairs.h"

#include "base/random.h"
#include "learn/cuda/cuda_labels.h"
#include "learn/ops/packing.h"

namespace tsmini::learn {
namespace {

std::vector<float> square_from(const std::vector<float>& condensed, std::size_t n) {
  std::vector<float> square(n * n);
  const float* next = condensed.data();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) square[i * n + j] = square[j * n + i] = *next++;
  }
  return square;
}

std::vector<float> distances_on_cpu(Measure measure, const MeasureSettings& settings,
                                    const PlanarSet& trips, const Progress& progress) {
  std::vector<float> condensed(trips.size() * (trips.size() - 1) / 2);
  PairEngine(measure, trips, settings).all_pairs(condensed, progress);
  return square_from(condensed, trips.size());
}

// The matrix, and half of it while it is made.
void check_room(std::size_t trips) {
  const auto n = static_cast<double>(trips);
  const double needed = 1.5 * n * n * sizeof(float);
  const double there =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (needed > there)
    throw Error(ErrorCode::failure,
                fmt::format("the true distances among {} trajectories take {:.0f} GB, this machine "
                            "has {:.0f} GB",
                            trips, needed / 1e9, there / 1e9),
                "use --labels batch");
}

class MatrixLabels : public LabelSource {
 public:
  MatrixLabels(Measure measure, const MeasureSettings& settings, const PlanarSet& trips,
               const Progress& progress)
      : size_(trips.size()), matrix_(distances_on_cpu(measure, settings, trips, progress)) {}

  void prepare(std::span<const int> ids) override { ids_.assign(ids.begin(), ids.end()); }

  void fetch(const at::Tensor& labels) override {
    float* out = labels.data_ptr<float>();
    for (const int a : ids_) {
      const float* row = matrix_.data() + static_cast<std::size_t>(a) * size_;
      for (const int b : ids_) *out++ = row[b];
    }
  }

 private:
  std::size_t size_;
  std::vector<float> matrix_;
  std::vector<int> ids_;
};

// The next batch's labels are made by another thread while the current one trains.
class BatchLabels : public LabelSource {
 public:
  BatchLabels(Measure measure, const MeasureSettings& settings, TripSource trips,
              std::function<void()> waiting)
      : measure_(measure),
        settings_(settings),
        trips_(std::move(trips)),
        waiting_(std::move(waiting)) {}
  BatchLabels(const BatchLabels&) = delete;
  BatchLabels& operator=(const BatchLabels&) = delete;
  ~BatchLabels() override {
    unwanted_ = true;
    if (next_.valid()) next_.wait();
  }

  void prepare(std::span<const int> ids) override {
    next_ = std::async(std::launch::async, [this, own = std::vector(ids.begin(), ids.end())] {
      return distances_on_cpu(measure_, settings_, trips_.subset(own), [this](const auto&) {
        if (unwanted_) throw Error(ErrorCode::interrupted, "the labels are not wanted any more");
      });
    });
  }

  void fetch(const at::Tensor& labels) override {
    while (next_.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      if (waiting_) waiting_();
    }
    std::vector<float> square = next_.get();
    at::Tensor(labels).copy_(at::from_blob(square.data(), labels.sizes()));
  }

 private:
  Measure measure_;
  MeasureSettings settings_;
  TripSource trips_;
  std::function<void()> waiting_;
  std::atomic<bool> unwanted_ = false;
  std::future<std::vector<float>> next_;
};

}  // namespace

std::vector<float> true_distances(Measure measure, const MeasureSettings& settings,
                                  const PlanarSet& trips, const at::Device& device,
                                  const Progress& progress) {
  if constexpr (with_cuda) {
    if (device.is_cuda() && gpu_labels_for(measure, settings))
      return gpu_true_distances(measure, trips);
  }
  return distances_on_cpu(measure, settings, trips, progress);
}

double largest_distance(Measure measure, const MeasureSettings& settings, const TripSource& trips,
                        std::uint64_t seed, const at::Device& device,
                        std::optional<std::size_t> among, const Progress& progress) {
  constexpr std::size_t most = 2000;
  std::vector<int> ids(among.value_or(trips.size()));
  std::iota(ids.begin(), ids.end(), 0);
  Random random(seed, 0xd3a);
  const std::size_t taken = std::min(most, ids.size());
  for (std::size_t i = 0; i < taken; ++i) std::swap(ids[i], ids[i + random.below(ids.size() - i)]);
  ids.resize(taken);
  std::sort(ids.begin(), ids.end());
  const std::vector<float> square =
      true_distances(measure, settings, trips.subset(ids), device, progress);
  const float largest = *std::max_element(square.begin(), square.end());
  if (!(largest > 0))
    throw Error(ErrorCode::bad_input, "all training trajectories are at distance 0 of each other",
                "train on data with more than one shape of trip");
  return largest;
}

std::unique_ptr<LabelSource> make_labels(LabelKind kind, Measure measure,
                                         const MeasureSettings& settings, const TripSource& trips,
                                         const at::Device& device, LabelWatch watch) {
  const bool matrix = kind == LabelKind::matrix;
  if (matrix) check_room(trips.size());
  if constexpr (with_cuda) {
    // What a GPU cannot measure it gets as a matrix from the CPU, where that is small.
    constexpr std::size_t small = 1 << 13;
    const bool there = gpu_labels_for(measure, settings) || matrix ||
                       (kind == LabelKind::automatic && trips.size() <= small);
    if (device.is_cuda() && there) return make_gpu_labels(kind, measure, settings, trips.all());
  }
  if (matrix) return std::make_unique<MatrixLabels>(measure, settings, trips.all(), watch.matrix);
  return std::make_unique<BatchLabels>(measure, settings, trips, std::move(watch.waiting));
}

}  // namespace tsmini::learn
