#include "common/long_trips.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"

namespace tsmini::cli {
namespace {

constexpr std::size_t many_points = 10'000;
// The time for a pair of points that attend to each other, in the network of `default` on an
// AVX-512 core.
constexpr double seconds_a_pair = 1.2e-8;

}  // namespace

void note_long_trip(const Console& console, const Dataset& data,
                    std::span<const std::size_t> indices) {
  const auto longest = std::max_element(
      indices.begin(), indices.end(),
      [&](std::size_t a, std::size_t b) { return data[a].size() < data[b].size(); });
  if (longest == indices.end() || data[*longest].size() < many_points) return;
  const Trajectory trip = data[*longest];
  const auto points = static_cast<double>(trip.size());
  console.say(
      "note: trip '{}' has {} points; to embed it takes a model time that grows with their square, "
      "about {} for this one; thin it out or cut it at import to be faster",
      printable(trip.id), with_thousands(trip.size()),
      human_seconds(seconds_a_pair * points * points));
}

void note_long_trip(const Console& console, const Dataset& data) {
  std::vector<std::size_t> all(data.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  note_long_trip(console, data, all);
}

}  // namespace tsmini::cli
