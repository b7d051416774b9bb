#include "learn/cuda/gpu_learner.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/next_multiple.h"
#include "gpu/device.h"
#include "gpu/event.h"
#include "learn/cuda/gpu_features.h"
#include "learn/cuda/gpu_labels.h"
#include "learn/cuda/gpu_optimiser.h"
#include "learn/cuda/op_parts.h"
#include "learn/cuda/step_graphs.h"
#include "learn/learner_of.h"

namespace tsmini::learn {
namespace {

// Batches of about as many points share a graph: they are rounded up by an eighth at most.
std::size_t capacity_for(std::size_t points) {
  const std::size_t bucket = std::max<std::size_t>(std::bit_floor(points) / 8, 64);
  return next_multiple(points, bucket);
}

gpu::Blas::Precision precision_of(Products products) {
  return products == Products::exact ? gpu::Blas::Precision::exact : gpu::Blas::Precision::tf32;
}

// Uploads that may be under way at once.
constexpr std::size_t slots = 32;

// What goes up for each step, in one copy: this, then ids and starts.
struct StepHead {
  std::int64_t key;
  StepRates rates;
};

// Trains on a GPU. All but the head of a step is in its memory already, so that a step is one small
// copy and one graph.
class GpuLearner : public LearnerOf<GpuFloat> {
 public:
  explicit GpuLearner(const LearnerStart& start)
      : LearnerOf(start, precision_of(start.products)),
        train_there_(start.train),
        validation_there_(start.validation) {}

  // Waits, so that nothing that the GPU still reads goes before it is done.
  ~GpuLearner() override { cudaStreamSynchronize(gpu_stream()); }

  void begin(const StepContext& context) override {
    loss_settings_ = context.loss;
    largest_ = context.largest;
    labels_ = make_gpu_labels(context.labels);
    prepared_ = false;
    graphs_.clear();  // they have all this in them
    set_loss_sum(0);
  }

  void step(const StepInput& input, const StepInput* next) override {
    gpu::take_memory(fmt::format("in a step with a batch of {}", input.ids.size()),
                     "use a smaller batch, or the CPU", [&] {
                       if (input.ids.size() != count_) make_room(input.ids.size());
                       fetch_labels(input, next);
                       const std::size_t capacity = capacity_for(upload(input));
                       graphs_.run(capacity, arena_, [&] { work(capacity); });
                     });
  }

  double loss_sum() override {
    double sum = 0;
    gpu::check(
        cudaMemcpyAsync(&sum, loss_.data(), sizeof sum, cudaMemcpyDeviceToHost, gpu_stream()),
        "copy the loss");
    gpu::check(cudaStreamSynchronize(gpu_stream()), "finish the steps");
    check_finite(sum);
    return sum;
  }
  void set_loss_sum(double sum) override {
    gpu::check(
        cudaMemcpyAsync(loss_.data(), &sum, sizeof sum, cudaMemcpyHostToDevice, gpu_stream()),
        "set the loss");
    gpu::check(cudaStreamSynchronize(gpu_stream()), "set the loss");
  }

  Verdict judge(std::span<const float> truth, const Progress& progress) override {
    return in_validation([&] { return LearnerOf::judge(truth, progress); });
  }
  Verdict calibrate_quickly(std::span<const float> truth) override {
    return in_validation([&] { return LearnerOf::calibrate_quickly(truth); });
  }

 private:
  template <class Work>
  Verdict in_validation(const Work& work) {
    return gpu::take_memory(
        fmt::format("in a validation with trajectories of up to {} points", validation_.longest()),
        "leave the GPU more memory (nvidia-smi says who takes it), use shorter ones, or the CPU",
        work);
  }

  Points<GpuFloat> validation_batch(std::span<const int> ids) override {
    return validation_there_.batch(ids, arena_);
  }

  void make_room(std::size_t count) {
    gpu::check(cudaStreamSynchronize(gpu_stream()), "finish the steps");
    graphs_.clear();
    count_ = 0;  // until all is there
    upload_bytes_ = sizeof(StepHead) + (2 * count + 1) * sizeof(int);
    upload_bytes_ = next_multiple(upload_bytes_, alignof(StepHead));
    here_ = gpu::PinnedMemory<std::byte>(slots * upload_bytes_);
    there_ = gpu::DeviceMemory<std::byte>(upload_bytes_);
    batch_labels_ = gpu::DeviceMemory<GpuFloat>(count * count);
    count_ = count;
  }

  void fetch_labels(const StepInput& input, const StepInput* next) {
    if (!prepared_) labels_->prepare(input.ids);
    labels_->fetch({batch_labels_.data(), batch_labels_.size()});
    prepared_ = next != nullptr;
    if (prepared_) labels_->prepare(next->ids);
  }

  // Returns the points of the batch.
  std::size_t upload(const StepInput& input) {
    const std::size_t slot = next_slot_;
    next_slot_ = (next_slot_ + 1) % slots;
    uploaded_[slot].wait();  // its last one
    std::byte* source = here_.data() + slot * upload_bytes_;
    const StepHead head{input.key, input.rates};
    std::memcpy(source, &head, sizeof head);
    int* ids = reinterpret_cast<int*>(source + sizeof head);
    std::copy(input.ids.begin(), input.ids.end(), ids);
    train_.starts_of(input.ids, {ids + count_, count_ + 1});
    gpu::check(
        cudaMemcpyAsync(there_.data(), source, upload_bytes_, cudaMemcpyHostToDevice, gpu_stream()),
        "copy a batch");
    uploaded_[slot].record(gpu_stream());
    return static_cast<std::size_t>(ids[2 * count_]);
  }

  void work(std::size_t capacity) {
    const auto* head = reinterpret_cast<const StepHead*>(there_.data());
    const int* ids = reinterpret_cast<const int*>(there_.data() + sizeof(StepHead));
    const Packing packing{ids + count_, count_, capacity, 0};
    if (labels_->matrix() != nullptr)
      gpu::gather_labels(gpu_stream(), ids, as_int(count_), labels_->matrix(),
                         static_cast<std::int64_t>(train_.size()), raw(batch_labels_.data()));
    GpuTape tape(arena_, GpuTape::Purpose::training);
    train_step<GpuFloat>(tape, {net_, optimiser_, loss_.data()},
                         {train_there_.gather(ids, packing, arena_), batch_labels_.data(), largest_,
                          &head->key, &head->rates},
                         loss_settings_);
  }

  GpuFeatures train_there_, validation_there_;
  std::unique_ptr<GpuLabels> labels_;
  LossSettings loss_settings_;
  double largest_ = 0;
  bool prepared_ = false;

  gpu::DeviceMemory<double> loss_{1};  // summed over the steps

  std::size_t count_ = 0, upload_bytes_ = 0;
  gpu::PinnedMemory<std::byte> here_;   // `slots` uploads
  gpu::DeviceMemory<std::byte> there_;  // the one of the step
  gpu::DeviceMemory<GpuFloat> batch_labels_;
  std::array<gpu::Event, slots> uploaded_;
  std::size_t next_slot_ = 0;
  StepGraphs graphs_;
};

}  // namespace

std::unique_ptr<Learner> make_gpu_learner(const LearnerStart& start) {
  gpu::require_gpu();
  return gpu::take_memory(
      "for the network", "leave the GPU more memory (nvidia-smi says who takes it), or use the CPU",
      [&] { return std::make_unique<GpuLearner>(start); });
}

}  // namespace tsmini::learn
