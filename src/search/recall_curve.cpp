#include "tsmini/recall_curve.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "tsmini/error.h"

namespace tsmini {
namespace {

constexpr const auto& depths = RecallCurve::depths;
constexpr const auto& counts = RecallCurve::counts;
constexpr std::size_t endless = 1'000'000'000;  // candidates; more make no difference

// The places of the measured depths around k: the same one twice where it is k, or the last and
// below k.
struct Around {
  std::size_t below, above;

  explicit Around(std::size_t k) {
    const auto* const place = std::lower_bound(depths.begin(), depths.end() - 1, k);
    above = static_cast<std::size_t>(place - depths.begin());
    below = *place <= k ? above : above - 1;
  }
};

// `candidates` in proportion: as many for each of k neighbours as they are for each of `depth`.
std::size_t scaled(std::size_t candidates, std::size_t depth, std::size_t k) {
  return (candidates * k + depth - 1) / depth;
}

double share_at(const std::array<double, counts.size()>& shares, std::size_t candidates) {
  const auto* const beyond = std::upper_bound(counts.begin(), counts.end(), candidates);
  return beyond == counts.begin() ? 0
                                  : shares[static_cast<std::size_t>(beyond - counts.begin()) - 1];
}

std::optional<std::size_t> count_for(const std::array<double, counts.size()>& shares,
                                     double recall) {
  const auto* const place = std::lower_bound(shares.begin(), shares.end(), recall);
  if (place == shares.end()) return std::nullopt;
  return counts[static_cast<std::size_t>(place - shares.begin())];
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
  const Around around(k);
  const auto as_many_each = [&](std::size_t i) {
    return share_at(shares_[i], taken * depths[i] / k);
  };
  const double worse = std::min(as_many_each(around.below), as_many_each(around.above));
  return depths[around.above] < k ? worse : std::max(worse, share_at(shares_[around.above], taken));
}

std::size_t RecallCurve::candidates_for(std::size_t k, double recall) const {
  const Around around(k);
  const auto below = count_for(shares_[around.below], recall);
  const auto above = count_for(shares_[around.above], recall);
  std::size_t fewest = std::max(counts.back(), scaled(counts.back(), depths.back(), k));
  if (above && depths[around.above] >= k) fewest = std::min(fewest, *above);
  if (above && below) {
    fewest = std::min(fewest, std::max(scaled(*below, depths[around.below], k),
                                       scaled(*above, depths[around.above], k)));
  }
  return std::max(k, fewest);
}

}  // namespace tsmini
