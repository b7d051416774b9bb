// How far a stage of what is done before the first step is, for the observer.
#pragma once

#include "tsmini/train.h"

namespace tsmini::learn {

// The observer outlives it.
inline Progress progress_of(const TrainObserver& observer, TrainStage stage) {
  if (!observer.preparing) return {};
  return [&observer, stage](const ProgressState& state) { observer.preparing(stage, state); };
}

}  // namespace tsmini::learn
