#include "tsmini/recall_curve.h"

#include <algorithm>

#include <fmt/format.h>

#include "tsmini/error.h"

namespace tsmini {
namespace {

constexpr std::size_t endless = 1'000'000'000;  // candidates; more make no difference

std::size_t divided_up(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}

}  // namespace

RecallCurve::RecallCurve(const Shares& shares) : shares_(shares) {
  for (const auto& row : shares_) {
    double before = 0;
    for (const double share : row) {
      if (!(share >= before && share <= 1)) {
        throw Error(ErrorCode::bad_input,
                    fmt::format("a recall of {} after one of {} is no recall", share, before));
      }
      before = share;
    }
  }
}

double RecallCurve::at(std::size_t k, std::size_t candidates) const {
  const std::size_t taken = std::min(candidates, endless);
  double best = 0;
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const std::size_t count = depths[i] >= k ? taken : taken * depths[i] / k;
    const auto above = std::upper_bound(counts.begin(), counts.end(), count);
    if (above == counts.begin()) continue;
    best = std::max(best, shares_[i][static_cast<std::size_t>(above - counts.begin()) - 1]);
  }
  return best;
}

std::size_t RecallCurve::candidates_for(std::size_t k, double recall) const {
  const auto scaled = [k](std::size_t count, std::size_t depth) {
    return depth >= k ? count : divided_up(count * k, depth);
  };
  std::size_t fewest = scaled(counts.back(), depths.back());
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const auto place = std::lower_bound(shares_[i].begin(), shares_[i].end(), recall);
    if (place == shares_[i].end()) continue;
    const auto j = static_cast<std::size_t>(place - shares_[i].begin());
    fewest = std::min(fewest, scaled(counts[j], depths[i]));
  }
  return std::max(k, fewest);
}

}  // namespace tsmini
