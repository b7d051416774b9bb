#include "learn/rate_share.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tsmini::learn {

double rate_share(const Recipe& recipe, double progress, std::uint64_t step) {
  // The rate rises over the steps of the warm-up, but over at most a tenth of a short budget.
  const double warm =
      recipe.warmup == 0 ? 1.0 : static_cast<double>(step + 1) / static_cast<double>(recipe.warmup);
  const double rise = std::min(1.0, std::max(warm, 10 * progress));
  if (recipe.schedule == Schedule::cosine)
    return rise * 0.5 * (1 + std::cos(std::numbers::pi * std::min(progress, 1.0)));
  return rise * (progress < 3.0 / 8 ? 1.0 : (progress < 6.0 / 8 ? 0.5 : 0.25));
}

}  // namespace tsmini::learn
