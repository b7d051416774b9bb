#include "learn/step.h"

#include <cmath>

namespace tsmini::learn {

WentAstray::WentAstray()
    : Error(ErrorCode::failure, "training went astray: an embedding is not a number",
            "lower the learning rate (`rate=0.0005`), or what else is set beyond its usual value") {
}

void check_finite(std::span<const float> values) {
  for (const float value : values) check_finite(static_cast<double>(value));
}

void check_finite(double value) {
  if (!std::isfinite(value)) throw WentAstray();
}

}  // namespace tsmini::learn
