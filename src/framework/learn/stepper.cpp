#include "learn/stepper.h"

#include <torch/csrc/autograd/autograd.h>

namespace tsmini::learn {
namespace {

class CpuStepper : public Stepper {
 public:
  explicit CpuStepper(const Bench& bench)
      : bench_(bench), largest_(at::full({1}, bench.largest, at::kFloat)) {}

  void step(const StepInput& input, const StepInput* next) override {
    const auto count = static_cast<std::int64_t>(input.ids.size());
    if (!prepared_) bench_.labels.prepare(input.ids);
    const at::Tensor labels = at::empty({count, count});
    bench_.labels.fetch(labels);
    prepared_ = next != nullptr;
    if (prepared_) bench_.labels.prepare(next->ids);
    const StepRates& r = input.rates;
    const at::Tensor rates =
        at::tensor({r.rate, r.first_correction, r.second_correction, r.average_keep}, at::kFloat);
    const at::Tensor key = at::full({1}, input.key, at::kLong);
    loss_ += train_once(bench_, bench_.store.batch(input.ids), labels, largest_, key, rates)
                 .item<double>();
    ++steps_;
  }

  double take_loss() override {
    const double mean = steps_ > 0 ? loss_ / static_cast<double>(steps_) : 0;
    loss_ = 0;
    steps_ = 0;
    return mean;
  }

 private:
  Bench bench_;
  at::Tensor largest_;
  bool prepared_ = false;
  double loss_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace

at::Tensor train_once(const Bench& bench, const Packed& points, const at::Tensor& labels,
                      const at::Tensor& largest, const at::Tensor& key, const at::Tensor& rates) {
  const at::Tensor embeddings = bench.net.embed(points, Pass{true, key});
  const at::Tensor predicted = pair_distances(embeddings, bench.net.settings().metric);
  const at::Tensor loss = similarity_loss(predicted, labels, largest, bench.loss);
  bench.optimiser.step(bench.net.parameters(),
                       torch::autograd::grad({loss}, bench.net.parameters().trained()), rates);
  return loss.detach();
}

std::unique_ptr<Stepper> make_stepper(const Bench& bench) {
  if constexpr (with_cuda) {
    if (bench.net.parameters().weights().is_cuda()) return make_gpu_stepper(bench);
  }
  return std::make_unique<CpuStepper>(bench);
}

}  // namespace tsmini::learn
