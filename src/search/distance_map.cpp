#include "tsmini/distance_map.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/nth_smallest.h"

namespace tsmini {
namespace {

constexpr std::size_t pairs_a_bin = 50, most_bins = 24;

bool tells_a_ratio(const DistancePair& pair) {
  return pair.embedded > 0 && pair.exact > 0 && std::isfinite(pair.embedded) &&
         std::isfinite(pair.exact);
}

// The knot of a bin, whose pairs are in the order of their embedded distance.
DistancePair knot_of(std::span<const DistancePair> bin) {
  std::vector<double> ratios(bin.size());
  std::transform(bin.begin(), bin.end(), ratios.begin(),
                 [](const DistancePair& pair) { return pair.exact / pair.embedded; });
  const double embedded = bin[bin.size() / 2].embedded;
  return {embedded, embedded * nth_smallest(ratios, ratios.size() / 2)};
}

// Some bins that share a knot, which is their mean.
struct JoinedBins {
  DistancePair sum;
  double bins = 0;

  DistancePair knot() const { return {sum.embedded / bins, sum.exact / bins}; }
  void take(const JoinedBins& other) {
    sum.embedded += other.sum.embedded;
    sum.exact += other.sum.exact;
    bins += other.bins;
  }
};

bool rises(const DistancePair& from, const DistancePair& to) {
  return to.embedded > from.embedded && to.exact > from.exact;
}

}  // namespace

DistanceMap::DistanceMap(std::vector<DistancePair> knots) : knots_(std::move(knots)) {
  DistancePair before;
  for (const DistancePair& knot : knots_) {
    if (!tells_a_ratio(knot) || !rises(before, knot)) {
      throw Error(ErrorCode::bad_input,
                  fmt::format("distances of embeddings and true ones do not rise at {}, {}",
                              knot.embedded, knot.exact));
    }
    before = knot;
  }
}

DistanceMap DistanceMap::fit(std::vector<DistancePair> pairs) {
  std::erase_if(pairs, [](const DistancePair& pair) { return !tells_a_ratio(pair); });
  if (pairs.empty()) return {};
  std::sort(pairs.begin(), pairs.end(), [](const DistancePair& a, const DistancePair& b) {
    return std::pair(a.embedded, a.exact) < std::pair(b.embedded, b.exact);
  });
  const std::size_t bins = std::clamp<std::size_t>(pairs.size() / pairs_a_bin, 1, most_bins);
  std::vector<JoinedBins> pools;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::size_t first = bin * pairs.size() / bins, end = (bin + 1) * pairs.size() / bins;
    JoinedBins pool{knot_of(std::span(pairs).subspan(first, end - first)), 1};
    while (!pools.empty() && !rises(pools.back().knot(), pool.knot())) {
      pool.take(pools.back());
      pools.pop_back();
    }
    pools.push_back(pool);
  }
  std::vector<DistancePair> knots(pools.size());
  std::transform(pools.begin(), pools.end(), knots.begin(),
                 [](const JoinedBins& pool) { return pool.knot(); });
  return DistanceMap(std::move(knots));
}

double DistanceMap::operator()(double embedded) const {
  assert(!empty());
  const auto above =
      std::upper_bound(knots_.begin(), knots_.end(), embedded,
                       [](double value, const DistancePair& k) { return value < k.embedded; });
  if (above == knots_.end()) return embedded * (knots_.back().exact / knots_.back().embedded);
  const DistancePair from = above == knots_.begin() ? DistancePair() : *(above - 1);
  return from.exact + (embedded - from.embedded) * (above->exact - from.exact) /
                          (above->embedded - from.embedded);
}

}  // namespace tsmini
