#include "experiment/scoring.h"

#include <cassert>
#include <cmath>

namespace tsmini::experiment {

RetrievalScore score_of(std::span<const float> predicted, std::span<const float> truth) {
  assert(predicted.size() == truth.size());
  const auto n = static_cast<std::size_t>(std::lround(std::sqrt(truth.size())));
  RetrievalMeter meter;
  meter.add_rows(0, n, predicted, truth);
  return meter.score();
}

}  // namespace tsmini::experiment
