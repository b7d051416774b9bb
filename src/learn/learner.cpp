#include "learn/learner.h"

#include <optional>

#include "learn/learner_of.h"
#include "learn/stepper.h"
#ifdef TSMINI_CUDA
#include "learn/cuda/gpu_learner.h"
#endif

namespace tsmini::learn {
namespace {

class CpuLearner : public LearnerOf<float> {
 public:
  using LearnerOf::LearnerOf;

  void begin(const StepContext& context) override {
    loss_ = context.loss;
    labels_ = make_labels(context.labels);
    stepper_.emplace(Workplace{net_, optimiser_, arena_, train_, *labels_, loss_, context.largest,
                               heartbeat_of(context.labels.watch.waiting)});
  }

  void step(const StepInput& input, const StepInput* next) override { stepper_->step(input, next); }
  double loss_sum() override { return stepper_->loss_sum(); }
  void set_loss_sum(double sum) override { stepper_->set_loss_sum(sum); }

 private:
  static Heartbeat heartbeat_of(const std::function<void()>& waiting) {
    return waiting ? Heartbeat([waiting](const ProgressState&) { waiting(); }) : Heartbeat();
  }

  Points<float> validation_batch(std::span<const int> ids) override {
    return validation_.batch(ids, arena_);
  }

  LossSettings loss_;
  std::unique_ptr<LabelSource> labels_;
  std::optional<Stepper> stepper_;
};

}  // namespace

std::unique_ptr<Learner> make_learner(Device device, const LearnerStart& start) {
#ifdef TSMINI_CUDA
  if (device == Device::cuda) return make_gpu_learner(start);
#endif
  static_cast<void>(device);
  return std::make_unique<CpuLearner>(start);
}

}  // namespace tsmini::learn
