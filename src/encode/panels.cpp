#include "encode/panels.h"

#include <algorithm>

#include "base/next_multiple.h"
#include "simd/aligned_memory.h"

namespace tsmini::encode {
namespace {

template <class T>
hwy::AlignedFreeUniquePtr<T[]> zeros(std::size_t count) {
  auto memory = aligned_memory<T>(std::max<std::size_t>(count, 1));
  std::fill_n(memory.get(), count, T{});
  return memory;
}

Panels empty_panels(const Linear& linear, std::size_t lanes, std::size_t width) {
  Panels panels;
  panels.depth = linear.in;
  panels.columns = next_multiple(linear.out, lanes);
  panels.width = width;
  panels.bias = zeros<float>(panels.columns);
  std::copy(linear.bias.begin(), linear.bias.end(), panels.bias.get());
  return panels;
}

}  // namespace

Panels panels_of(const Linear& linear, const Geometry& geometry) {
  Panels panels = empty_panels(linear, geometry.lanes, geometry.width);
  panels.values = zeros<float>(panels.depth * panels.columns);
  for (std::size_t o = 0; o < linear.out; ++o) {
    const std::size_t first = o / panels.width * panels.width;
    const std::size_t width = std::min(panels.width, panels.columns - first);
    float* panel = panels.values.get() + first * panels.depth;
    for (std::size_t i = 0; i < linear.in; ++i)
      panel[i * width + o - first] = linear.weight[o * linear.in + i];
  }
  return panels;
}

Linear interleaved_gate(const Linear& linear, std::size_t lanes) {
  const std::size_t half = linear.out / 2, padded = next_multiple(half, lanes);
  Linear turned{linear.in, 2 * padded, std::vector<float>(2 * padded * linear.in),
                std::vector<float>(2 * padded)};
  for (std::size_t o = 0; o < linear.out; ++o) {
    const std::size_t place = o % half, second = o / half;
    const std::size_t to = (2 * (place / lanes) + second) * lanes + place % lanes;
    std::copy_n(linear.weight.begin() + static_cast<std::ptrdiff_t>(o * linear.in), linear.in,
                turned.weight.begin() + static_cast<std::ptrdiff_t>(to * linear.in));
    turned.bias[to] = linear.bias[o];
  }
  return turned;
}

}  // namespace tsmini::encode
