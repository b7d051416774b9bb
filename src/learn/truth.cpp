#include "learn/truth.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <utility>

#include <fmt/format.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include "tsmini/error.h"
#include "tsmini/pair_engine.h"

#include "base/sampling.h"
#ifdef TSMINI_CUDA
#include "learn/cuda/gpu_labels.h"
#endif

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

class MatrixLabels : public LabelSource {
 public:
  MatrixLabels(Measure measure, const MeasureSettings& settings, const PlanarSet& trips,
               const Progress& progress)
      : size_(trips.size()),
        matrix_(true_distances(measure, settings, trips, Device::cpu, progress)) {}

  void prepare(std::span<const int> ids) override { ids_.assign(ids.begin(), ids.end()); }

  void fetch(std::span<float> labels) override {
    float* out = labels.data();
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
  BatchLabels(Measure measure, const MeasureSettings& settings, ProjectedTrips trips,
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
    // A thread of its own begins in an arena of all cores.
    next_ = std::async(std::launch::async, [this, own = std::vector(ids.begin(), ids.end())] {
      return tbb::task_arena(threads_).execute([&] { return labels_of(own); });
    });
  }

  void fetch(std::span<float> labels) override {
    while (next_.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      if (waiting_) waiting_();
    }
    const std::vector<float> square = next_.get();
    std::copy(square.begin(), square.end(), labels.begin());
  }

 private:
  std::vector<float> labels_of(std::span<const int> ids) const {
    return true_distances(
        measure_, settings_, trips_.subset(ids), Device::cpu, [this](const auto&) {
          if (unwanted_) throw Error(ErrorCode::interrupted, "the labels are not wanted any more");
        });
  }

  Measure measure_;
  MeasureSettings settings_;
  ProjectedTrips trips_;
  std::function<void()> waiting_;
  int threads_ = tbb::this_task_arena::max_concurrency();  // of the owner
  std::atomic<bool> unwanted_ = false;
  std::future<std::vector<float>> next_;
};

}  // namespace

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
                "use `labels=batch`");
}

std::vector<float> true_distances(Measure measure, const MeasureSettings& settings,
                                  const PlanarSet& trips, Device device, const Progress& progress) {
#ifdef TSMINI_CUDA
  if (device == Device::cuda && measured_on_gpu(measure, settings))
    return gpu_true_distances(measure, trips);
#endif
  static_cast<void>(device);
  std::vector<float> condensed(trips.size() * (trips.size() - 1) / 2);
  PairEngine(measure, trips, settings).all_pairs(condensed, progress);
  return square_from(condensed, trips.size());
}

double largest_distance(Measure measure, const MeasureSettings& settings,
                        const ProjectedTrips& trips, std::uint64_t seed, Device device,
                        std::optional<std::size_t> among, const Progress& progress) {
  constexpr std::size_t most = 2000;
  const auto ids = sample_below<int>(among.value_or(trips.size()), most, Random(seed, 0xd3a));
  const std::vector<float> square =
      true_distances(measure, settings, trips.subset(ids), device, progress);
  const float largest = *std::max_element(square.begin(), square.end());
  if (!(largest > 0))
    throw Error(ErrorCode::bad_input, "all training trajectories are at distance 0 of each other",
                "train on data with more than one shape of trip");
  return largest;
}

std::unique_ptr<LabelSource> make_labels(const LabelRequest& request) {
  if (request.kind == LabelKind::matrix) {
    check_room(request.trips.size());
    return std::make_unique<MatrixLabels>(request.measure, request.settings, request.trips.all(),
                                          request.watch.matrix);
  }
  return std::make_unique<BatchLabels>(request.measure, request.settings, request.trips,
                                       request.watch.waiting);
}

}  // namespace tsmini::learn
