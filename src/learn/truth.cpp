#include "learn/truth.h"

#include <algorithm>
#include <future>
#include <numeric>

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
                                    const PlanarSet& trips) {
  std::vector<float> condensed(trips.size() * (trips.size() - 1) / 2);
  PairEngine(measure, trips, settings).all_pairs(condensed);
  return square_from(condensed, trips.size());
}

class MatrixLabels : public LabelSource {
 public:
  MatrixLabels(Measure measure, const MeasureSettings& settings, const PlanarSet& trips)
      : size_(trips.size()), matrix_(distances_on_cpu(measure, settings, trips)) {}

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
  BatchLabels(Measure measure, MeasureSettings settings, PlanarSet trips)
      : measure_(measure), settings_(settings), trips_(std::move(trips)) {}

  void prepare(std::span<const int> ids) override {
    next_ = std::async(std::launch::async, [this, batch = trips_.subset(ids)] {
      return distances_on_cpu(measure_, settings_, batch);
    });
  }

  void fetch(const at::Tensor& labels) override {
    const std::vector<float> square = next_.get();
    std::copy(square.begin(), square.end(), labels.data_ptr<float>());
  }

 private:
  Measure measure_;
  MeasureSettings settings_;
  PlanarSet trips_;
  std::future<std::vector<float>> next_;
};

}  // namespace

std::vector<float> true_distances(Measure measure, const MeasureSettings& settings,
                                  const PlanarSet& trips, const at::Device& device) {
  if constexpr (with_cuda) {
    if (device.is_cuda() && gpu_labels_for(measure, settings))
      return gpu_true_distances(measure, trips);
  }
  return distances_on_cpu(measure, settings, trips);
}

double largest_distance(Measure measure, const MeasureSettings& settings, const PlanarSet& trips,
                        std::uint64_t seed, const at::Device& device,
                        std::optional<std::size_t> among) {
  constexpr std::size_t most = 2000;
  std::vector<int> ids(among.value_or(trips.size()));
  std::iota(ids.begin(), ids.end(), 0);
  Random random(seed, 0xd3a);
  const std::size_t taken = std::min(most, ids.size());
  for (std::size_t i = 0; i < taken; ++i) std::swap(ids[i], ids[i + random.below(ids.size() - i)]);
  ids.resize(taken);
  std::sort(ids.begin(), ids.end());
  const std::vector<float> square = true_distances(measure, settings, trips.subset(ids), device);
  const float largest = *std::max_element(square.begin(), square.end());
  if (!(largest > 0))
    throw Error(ErrorCode::bad_input, "all training trajectories are at distance 0 of each other",
                "train on data with more than one shape of trip");
  return largest;
}

std::unique_ptr<LabelSource> make_labels(LabelKind kind, Measure measure,
                                         const MeasureSettings& settings, const PlanarSet& trips,
                                         const at::Device& device) {
  if constexpr (with_cuda) {
    if (device.is_cuda()) return make_gpu_labels(kind, measure, settings, trips);
  }
  if (kind == LabelKind::matrix) return std::make_unique<MatrixLabels>(measure, settings, trips);
  return std::make_unique<BatchLabels>(measure, settings, trips);
}

}  // namespace tsmini::learn
