#include "learn/stepper.h"

#include <algorithm>

namespace tsmini::learn {

void Stepper::step(const StepInput& input, const StepInput* next) {
  if (!prepared_) work_.labels.prepare(input.ids);
  labels_.resize(input.ids.size() * input.ids.size());
  work_.labels.fetch(labels_);
  prepared_ = next != nullptr;
  if (prepared_) work_.labels.prepare(next->ids);
  const std::span<float> running = work_.net.parameters().buffers();
  const std::vector<float> running_before(running.begin(), running.end());
  const double loss_before = loss_;
  try {
    make_step(input);
  } catch (...) {  // before the optimiser changed anything
    std::copy(running_before.begin(), running_before.end(), running.begin());
    loss_ = loss_before;
    prepared_ = false;
    throw;
  }
  check_finite(loss_);
}

void Stepper::make_step(const StepInput& input) {
  work_.arena.clear();
  Tape<float> tape(work_.arena, Tape<float>::Purpose::training, work_.heartbeat);
  train_step<float>(tape, {work_.net, work_.optimiser, &loss_},
                    {work_.store.batch(input.ids, work_.arena), labels_.data(), work_.largest,
                     &input.key, &input.rates},
                    work_.loss);
}

}  // namespace tsmini::learn
