#include "measure/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "measure/box_bounds.h"
#include "measure/reach_bounds.h"
#include "measure/search_tables.h"
#include "measure/stretch_bounds.h"

namespace tsmini {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr std::uint32_t unopened = std::numeric_limits<std::uint32_t>::max();

}  // namespace

double largest_coordinate(std::span<const Planar> points, const Planar& origin) {
  double largest = 0;
  for (const Planar& p : points) {
    largest = std::max({largest, std::abs(p.x - origin.x), std::abs(p.y - origin.y)});
  }
  return largest;
}

double largest_coordinate(const PlanarSet& base) {
  double largest = 0;
  for (std::size_t i = 0; i < base.size(); ++i) {
    largest = std::max(largest, largest_coordinate(base[i], base.origin()));
  }
  return largest;
}

std::unique_ptr<const LowerBounds> LowerBounds::of(Measure measure, const SearchTables& tables,
                                                   const MeasureSettings& settings) {
  switch (measure) {
    case Measure::hausdorff:
    case Measure::hausdorff_segment: return std::make_unique<ReachBounds>(tables, false);
    case Measure::frechet:
    case Measure::frechet_continuous: return std::make_unique<ReachBounds>(tables, true);
    case Measure::dtw: return std::make_unique<BoxBounds>(tables);
    case Measure::edwp:
    case Measure::erp:
    case Measure::edr:
    case Measure::lcss:
    case Measure::sspd: return std::make_unique<StretchBounds>(measure, settings, tables);
  }
  return nullptr;
}

QueryBounds::QueryBounds(const SearchTables& tables, IndexFilter allowed)
    : order_(tables.order.values()), allowed_(std::move(allowed)), slot_(tables.blocks()) {
  std::fill(slot_.begin(), slot_.end(), unopened);
  hulls_.resize((slot_.size() + bound_lanes - 1) / bound_lanes * bound_lanes);
}

void QueryBounds::sharpen(std::span<Candidate>) const {}

const QueryBounds::Block& QueryBounds::open(std::size_t block) {
  if (slot_[block] == unopened) {
    slot_[block] = static_cast<std::uint32_t>(opened_.size());
    bound_block(block, opened_.emplace_back().data());
  }
  return opened_[slot_[block]];
}

std::size_t QueryBounds::end_of(std::size_t block) const {
  return std::min((block + 1) * bound_lanes, order_.size());
}

std::vector<Candidate> QueryBounds::take_smallest(std::size_t count) {
  // A dearer look chooses from more: a better first radius is worth it.
  const std::size_t wide = sharpens() ? 4 * std::min(count, order_.size()) : count;
  std::vector<std::uint32_t> blocks(slot_.size());
  std::iota(blocks.begin(), blocks.end(), 0u);
  const auto farther = [&](std::uint32_t a, std::uint32_t b) { return hulls_[a] > hulls_[b]; };
  std::make_heap(blocks.begin(), blocks.end(), farther);
  std::vector<Candidate> smallest;  // a heap
  while (!blocks.empty()) {
    const std::size_t block = blocks.front();
    if (smallest.size() == wide && hulls_[block] >= smallest.front().bound) break;
    std::pop_heap(blocks.begin(), blocks.end(), farther);
    blocks.pop_back();
    const Block& bounds = open(block);
    for (std::size_t place = block * bound_lanes; place < end_of(block); ++place) {
      const Candidate candidate{bounds[place % bound_lanes], order_[place], place};
      if (smallest.size() == wide && candidate.bound >= smallest.front().bound) continue;
      if (!allows(candidate.index)) continue;
      if (smallest.size() == wide) {
        std::pop_heap(smallest.begin(), smallest.end());
        smallest.pop_back();
      }
      smallest.push_back(candidate);
      std::push_heap(smallest.begin(), smallest.end());
    }
  }
  sharpen(smallest);
  std::sort(smallest.begin(), smallest.end());
  smallest.resize(std::min(count, smallest.size()));
  for (const Candidate& c : smallest) {
    opened_[slot_[c.place / bound_lanes]][c.place % bound_lanes] = infinity;
  }
  return smallest;
}

std::vector<Candidate> QueryBounds::take_within(float limit) {
  std::vector<Candidate> found;
  for (std::size_t block = 0; block < slot_.size(); ++block) {
    if (hulls_[block] > limit) continue;
    const Block& bounds = open(block);
    for (std::size_t place = block * bound_lanes; place < end_of(block); ++place) {
      const float bound = bounds[place % bound_lanes];
      if (bound <= limit && bound < infinity && allows(order_[place])) {
        found.push_back({bound, order_[place], place});
      }
    }
  }
  sharpen(found);
  std::erase_if(found, [&](const Candidate& c) { return c.bound > limit; });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tsmini
