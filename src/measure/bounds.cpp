#include "measure/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "measure/box_bounds.h"
#include "measure/reach_bounds.h"

namespace tsmini {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr std::uint32_t unopened = std::numeric_limits<std::uint32_t>::max();

// Halves the trajectories again and again, each time by that coordinate of their first, middle and
// last points in which they differ most, until there are as many as a block has.
class BlockSorter {
 public:
  explicit BlockSorter(const PlanarSet& base) : keys_(base.size()), order_(base.size()) {
    for (std::size_t i = 0; i < base.size(); ++i) {
      const auto points = base[i];
      const Planar middle = points[points.size() / 2];
      keys_[i] = {points.front().x, points.front().y, middle.x,
                  middle.y,         points.back().x,  points.back().y};
    }
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    sort(order_);
  }

  std::vector<std::size_t> take() { return std::move(order_); }

 private:
  using Key = std::array<double, 6>;

  void sort(std::span<std::size_t> part) {
    if (part.size() <= bound_lanes) return;
    const std::size_t blocks = (part.size() + bound_lanes - 1) / bound_lanes;
    const std::size_t half = blocks / 2 * bound_lanes;
    const std::size_t k = widest(part);
    std::nth_element(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(half), part.end(),
                     [&](std::size_t a, std::size_t b) {
                       return keys_[a][k] < keys_[b][k] || (keys_[a][k] == keys_[b][k] && a < b);
                     });
    sort(part.first(half));
    sort(part.subspan(half));
  }

  std::size_t widest(std::span<const std::size_t> part) const {
    Key spread{};
    for (std::size_t k = 0; k < spread.size(); ++k) {
      double mean = 0;
      for (const std::size_t i : part) mean += keys_[i][k] / static_cast<double>(part.size());
      for (const std::size_t i : part) spread[k] += (keys_[i][k] - mean) * (keys_[i][k] - mean);
    }
    return static_cast<std::size_t>(std::max_element(spread.begin(), spread.end()) -
                                    spread.begin());
  }

  std::vector<Key> keys_;
  std::vector<std::size_t> order_;
};

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

bool LowerBounds::exist_for(Measure measure) {
  switch (measure) {
    case Measure::hausdorff:
    case Measure::hausdorff_segment:
    case Measure::frechet:
    case Measure::frechet_continuous:
    case Measure::dtw: return true;
    default: return false;
  }
}

std::unique_ptr<const LowerBounds> LowerBounds::of(Measure measure, const PlanarSet& base) {
  switch (measure) {
    case Measure::hausdorff:
    case Measure::hausdorff_segment: return std::make_unique<ReachBounds>(base, false);
    case Measure::frechet:
    case Measure::frechet_continuous: return std::make_unique<ReachBounds>(base, true);
    case Measure::dtw: return std::make_unique<BoxBounds>(base);
    default: return nullptr;
  }
}

LowerBounds::LowerBounds(const PlanarSet& base) : order_(BlockSorter(base).take()) {}

QueryBounds::QueryBounds(std::span<const std::size_t> order, IndexFilter allowed)
    : order_(order),
      allowed_(std::move(allowed)),
      slot_((order.size() + bound_lanes - 1) / bound_lanes) {
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
  std::vector<std::uint32_t> blocks(slot_.size());
  std::iota(blocks.begin(), blocks.end(), 0u);
  const auto farther = [&](std::uint32_t a, std::uint32_t b) { return hulls_[a] > hulls_[b]; };
  std::make_heap(blocks.begin(), blocks.end(), farther);
  std::vector<Candidate> smallest;  // a heap
  while (!blocks.empty()) {
    const std::size_t block = blocks.front();
    if (smallest.size() == count && hulls_[block] >= smallest.front().bound) break;
    std::pop_heap(blocks.begin(), blocks.end(), farther);
    blocks.pop_back();
    const Block& bounds = open(block);
    for (std::size_t place = block * bound_lanes; place < end_of(block); ++place) {
      const Candidate candidate{bounds[place % bound_lanes], order_[place], place};
      if (smallest.size() == count && candidate.bound >= smallest.front().bound) continue;
      if (!allows(candidate.index)) continue;
      if (smallest.size() == count) {
        std::pop_heap(smallest.begin(), smallest.end());
        smallest.pop_back();
      }
      smallest.push_back(candidate);
      std::push_heap(smallest.begin(), smallest.end());
    }
  }
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
