// Draws some of many without replacement, each as likely as any other.
//
//   for (const std::size_t i : sample_below(trips.size(), 1000, Random(seed))) look_at(trips[i]);
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"

namespace tsmini {

// Brings a sample of `count` of them, at most all, to the front, in the order drawn (Fisher and
// Yates).
template <class T>
void draw_to_front(std::vector<T>& all, std::size_t count, Random& random) {
  for (std::size_t i = 0; i < std::min(count, all.size()); ++i) {
    std::swap(all[i], all[i + static_cast<std::size_t>(random.below(all.size() - i))]);
  }
}

// `most` numbers below `count`, or all of them, in the order drawn.
template <class T = std::size_t>
std::vector<T> draw_below(std::size_t count, std::size_t most, Random random) {
  std::vector<T> all(count);
  std::iota(all.begin(), all.end(), T{0});
  draw_to_front(all, most, random);
  all.resize(std::min(most, count));
  return all;
}

// Marks `most` of `count` with true, or all, in one go from the first to the last (Knuth's
// algorithm S). For what earlier versions drew in this way: draw_below() with the same seed draws
// others.
inline std::vector<bool> mark_sample(std::size_t count, std::size_t most, Random& random) {
  std::vector<bool> marks(count);
  for (std::size_t i = 0; i < count; ++i) {
    marks[i] = random.below(count - i) < most;
    if (marks[i]) --most;
  }
  return marks;
}

// The same as draw_below, rising.
template <class T = std::size_t>
std::vector<T> sample_below(std::size_t count, std::size_t most, Random random) {
  std::vector<T> sample = draw_below<T>(count, most, random);
  std::sort(sample.begin(), sample.end());
  return sample;
}

}  // namespace tsmini
