#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>

#include "learn/stepper.h"

namespace tsmini::learn {
namespace {

// Batches whose points round up to the same multiple share a graph.
constexpr std::int64_t bucket = 1024;
// Uploads that may be under way at once.
constexpr std::size_t slots = 32;

// The step is captured once for each size class and then only replayed: what differs between
// batches (ids, starts, rates, dropout's key) goes up in one small copy, and all else is on the
// device already.
class GpuStepper : public Stepper {
 public:
  explicit GpuStepper(const Bench& bench)
      : bench_(bench),
        matrix_(bench.labels.matrix()),
        largest_(at::full({1}, bench.largest, floats())),
        loss_(at::zeros({1}, floats())) {}

  // LibTorch keeps the memory of graphs that are gone and gives it to no later ones.
  ~GpuStepper() override {
    graphs_.clear();
    c10::cuda::CUDACachingAllocator::emptyCache();
  }

  void step(const StepInput& input, const StepInput* next) override {
    const std::size_t count = input.ids.size();
    if (!staging_.defined() || count != count_) allocate(count);
    if (!matrix_.defined()) {
      if (!prepared_) bench_.labels.prepare(input.ids);
      bench_.labels.fetch(labels_);
      prepared_ = next != nullptr;
      if (prepared_) bench_.labels.prepare(next->ids);
    }
    run(upload(input));
    ++steps_;
  }

  double take_loss() override {
    const double mean =
        loss_.item<double>() / static_cast<double>(std::max<std::uint64_t>(steps_, 1));
    loss_.zero_();
    steps_ = 0;
    return mean;
  }

 private:
  struct Graph {
    int warm = 0;
    std::unique_ptr<at::cuda::CUDAGraph> graph;
  };

  static at::TensorOptions floats() {
    return at::TensorOptions().device(at::kCUDA).dtype(at::kFloat);
  }

  // The upload: dropout's key (two ints), four rates, ids, starts.
  void allocate(std::size_t count) {
    count_ = count;
    const auto n = static_cast<std::int64_t>(count);
    const std::int64_t ints = 6 + n + n + 1;
    staging_ = at::empty({ints + ints % 2}, floats().dtype(at::kInt));
    host_ = at::empty({static_cast<std::int64_t>(slots), staging_.size(0)},
                      at::TensorOptions().dtype(at::kInt).pinned_memory(true));
    labels_ = at::empty({n, n}, floats());
    key_ = staging_.narrow(0, 0, 2).view(at::kLong);
    rates_ = staging_.narrow(0, 2, 4).view(at::kFloat);
    ids_ = staging_.narrow(0, 6, n);
    starts_ = staging_.narrow(0, 6 + n, n + 1);
    graphs_.clear();
  }

  // Returns the points of the batch, rounded up.
  std::int64_t upload(const StepInput& input) {
    const std::size_t slot = next_slot_;
    next_slot_ = (next_slot_ + 1) % slots;
    if (uploaded_[slot].isCreated()) uploaded_[slot].synchronize();
    int* target = host_.data_ptr<int>() + static_cast<std::int64_t>(slot) * host_.size(1);
    std::memcpy(target, &input.key, sizeof input.key);
    std::memcpy(target + 2, &input.rates, sizeof input.rates);
    std::memcpy(target + 6, input.ids.data(), count_ * sizeof(int));
    int* starts = target + 6 + count_;
    starts[0] = 0;
    for (std::size_t b = 0; b < count_; ++b)
      starts[b + 1] =
          starts[b] + static_cast<int>(bench_.store.length(static_cast<std::size_t>(input.ids[b])));
    staging_.copy_(host_[static_cast<std::int64_t>(slot)], true);
    uploaded_[slot].record();
    return (starts[count_] + bucket - 1) / bucket * bucket;
  }

  void work(std::int64_t capacity) {
    const auto n = static_cast<std::int64_t>(count_);
    const Packing packing{starts_, n, capacity, 0};
    const at::Tensor points = bench_.store.gather(ids_, packing);
    if (matrix_.defined())
      gpu::gather_labels(current_stream(), ids_.data_ptr<int>(), static_cast<int>(n),
                         matrix_.data_ptr<float>(), matrix_.size(0), labels_.data_ptr<float>());
    loss_.add_(train_once(bench_, {points, packing}, labels_, largest_, key_, rates_));
  }

  void run(std::int64_t capacity) {
    Graph& entry = graphs_[capacity];
    if (entry.graph) {
      entry.graph->replay();
    } else if (entry.warm < 2) {
      ++entry.warm;
      work(capacity);
    } else {
      entry.graph = std::make_unique<at::cuda::CUDAGraph>();
      entry.graph->capture_begin(pool_);
      work(capacity);
      entry.graph->capture_end();
      pool_ = entry.graph->pool();
      entry.graph->replay();
    }
  }

  Bench bench_;
  at::Tensor matrix_, largest_, loss_;
  std::size_t count_ = 0;
  at::Tensor staging_, host_, key_, rates_, ids_, starts_, labels_;
  std::array<at::cuda::CUDAEvent, slots> uploaded_;
  std::size_t next_slot_ = 0;
  std::map<std::int64_t, Graph> graphs_;
  at::cuda::MempoolId_t pool_{0, 0};
  bool prepared_ = false;
  std::uint64_t steps_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_gpu_stepper(const Bench& bench) {
  return std::make_unique<GpuStepper>(bench);
}

}  // namespace tsmini::learn
