// Tells the observer how far a stage before the first step is (reading, composing, measuring).
#pragma once

#include "tsmini/train.h"

namespace tsmini::learn {

// The observer outlives it.
inline Progress progress_of(const TrainObserver& observer, TrainStage stage) {
  if (!observer.preparing) return {};
  return [&observer, stage](const ProgressState& state) { observer.preparing(stage, state); };
}

}  // namespace tsmini::learn
