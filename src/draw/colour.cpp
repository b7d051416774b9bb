#include "draw/colour.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace tsmini {
namespace {

std::uint8_t mixed(std::uint8_t a, std::uint8_t b, double share) {
  return static_cast<std::uint8_t>(std::lround(a + (b - a) * share));
}

}  // namespace

Rgb blended(const Rgb& under, const Rgb& over, double share) {
  return {mixed(under.r, over.r, share), mixed(under.g, over.g, share),
          mixed(under.b, over.b, share)};
}

Rgb colour_between(std::span<const Rgb> colours, double level) {
  const std::size_t steps = colours.size() - 1;
  const double place = std::clamp(level, 0.0, 1.0) * static_cast<double>(steps);
  const std::size_t step = std::min(static_cast<std::size_t>(place), steps - 1);
  return blended(colours[step], colours[step + 1], place - static_cast<double>(step));
}

std::string hex_of(const Rgb& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b);
}

}  // namespace tsmini
