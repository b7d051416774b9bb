// What is done before the first step of training.
#pragma once

#include <functional>

#include "tsmini/progress.h"

namespace tsmini::learn {

enum class Stage {
  reading,    // every trip, some times: is it the same data, does it fit, what is its extent
  composing,  // trips of trips
  measuring,  // true distances
};

// Called many times a second, by any thread but one at a time. May throw to stop.
using StageWatch = std::function<void(Stage, const ProgressState&)>;

// How far one stage is.
inline Progress progress_of(const StageWatch& watch, Stage stage) {
  if (!watch) return {};
  return [&watch, stage](const ProgressState& state) { watch(stage, state); };
}

}  // namespace tsmini::learn
