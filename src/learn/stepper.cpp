#include "learn/stepper.h"

#include <utility>

namespace tsmini::learn {

void Stepper::step(const StepInput& input, const StepInput* next) {
  if (!prepared_) work_.labels.prepare(input.ids);
  labels_.resize(input.ids.size() * input.ids.size());
  work_.labels.fetch(labels_);
  prepared_ = next != nullptr;
  if (prepared_) work_.labels.prepare(next->ids);
  loss_ += train_step(work_.net, work_.optimiser, work_.arena, work_.store, input,
                      {labels_, work_.largest}, work_.loss);
  ++steps_;
}

double Stepper::take_loss() {
  const std::uint64_t steps = std::exchange(steps_, 0);
  const double sum = std::exchange(loss_, 0);
  return steps > 0 ? sum / static_cast<double>(steps) : 0;
}

}  // namespace tsmini::learn
