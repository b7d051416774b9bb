#include "data/central_box.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/nth_smallest.h"

namespace tsmini {
namespace {

constexpr std::uint64_t sample_limit = std::uint64_t{1} << 20;

struct Sample {
  std::vector<double> lon, lat;
};

Sample sample_of(const Dataset& data, bool marked_only) {
  const auto counts = [&](std::size_t i) { return !marked_only || data.part(i) != Part::none; };
  const auto offsets = data.offsets();
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (counts(i)) total += offsets[i + 1] - offsets[i];
  }
  const std::uint64_t stride = (total + sample_limit - 1) / sample_limit;
  const auto points = data.points();
  Sample sample;
  std::uint64_t skip = 0;  // points to pass over before the next one
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (!counts(i)) continue;
    std::uint64_t at = offsets[i] + skip;
    for (; at < offsets[i + 1]; at += stride) {
      sample.lon.push_back(points[at].lon);
      sample.lat.push_back(points[at].lat);
    }
    skip = at - offsets[i + 1];
  }
  return sample;
}

struct Range {
  double low, high;
  double length() const { return high - low; }
};

Range central_range(std::vector<double>& values, double share) {
  const auto last = static_cast<double>(values.size() - 1);
  const auto cut = static_cast<std::size_t>((1 - share) / 2 * last);
  const double low = nth_smallest(values, cut);
  return {low, nth_smallest(values, values.size() - 1 - cut)};
}

}  // namespace

std::optional<Box> central_box(const Dataset& data, double share, bool marked_only) {
  Sample sample = sample_of(data, marked_only);
  if (sample.lon.empty()) return std::nullopt;
  Range lon = central_range(sample.lon, share);
  const Range lat = central_range(sample.lat, share);
  if (data.info().coordinates == Coordinates::degrees && lon.length() > 180) {
    for (double& value : sample.lon) value = value < 0 ? value + 360 : value;
    const Range shifted = central_range(sample.lon, share);
    if (shifted.length() < lon.length()) lon = shifted;
  }
  return Box{lon.low, lat.low, lon.high, lat.high};
}

}  // namespace tsmini
