// Goes through trips in stretches of some 250,000 points, so that whoever waits is told how far it
// is and can stop it.
//
//   in_stretches(data, indices, progress, [&](std::size_t from, std::size_t to) { … });
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tsmini/dataset.h"
#include "tsmini/progress.h"

namespace tsmini::learn {

// `work` gets places in `indices`, [from, to), in order. Progress counts trips.
template <class Work>
void in_stretches(const Dataset& data, std::span<const std::size_t> indices,
                  const Progress& progress, const Work& work) {
  constexpr std::uint64_t points_at_once = 1 << 18;
  const auto offsets = data.offsets();
  for (std::size_t from = 0; from < indices.size();) {
    if (progress) progress({from, indices.size()});
    std::size_t to = from;
    for (std::uint64_t points = 0; to < indices.size() && points < points_at_once; ++to)
      points += offsets[indices[to] + 1] - offsets[indices[to]];
    work(from, to);
    from = to;
  }
  if (progress) progress({indices.size(), indices.size()});
}

}  // namespace tsmini::learn
