#include "draw/axis.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "geo/wgs84.h"

namespace tsmini {
namespace {

std::string degree_label(double value, int decimals, std::string_view positive,
                         std::string_view negative) {
  if (value == 0 || std::abs(value) == 180) return fmt::format("{:.0f}°", std::abs(value));
  return fmt::format("{:.{}f}° {}", std::abs(value), decimals, value > 0 ? positive : negative);
}

}  // namespace

double round_below(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double factor : {10.0, 5.0, 2.0}) {
    if (factor * power <= value) return factor * power;
  }
  return power;
}

std::vector<Tick> ticks_between(double low, double high, int count) {
  std::vector<Tick> ticks;
  if (!(low < high)) return ticks;
  const double step = round_below((high - low) / count * 1.5);
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  for (double k = std::ceil(low / step); k * step <= high; k += 1) {
    // Adding zero turns a negative zero into a plain one.
    ticks.push_back({k * step + 0.0, decimals});
  }
  return ticks;
}

std::string longitude_label(const Tick& tick) {
  return degree_label(wrapped_degrees(tick.value), tick.decimals, "E", "W");
}

std::string latitude_label(const Tick& tick) {
  return degree_label(tick.value, tick.decimals, "N", "S");
}

std::string number_label(const Tick& tick) {
  const bool fixed = std::abs(tick.value) < 1e9 && tick.decimals <= 6;
  return fixed ? fmt::format("{:.{}f}", tick.value, tick.decimals)
               : fmt::format("{:.9g}", tick.value);
}

std::string metres_label(double metres) {
  return metres < 1000 ? fmt::format("{:g} m", metres) : fmt::format("{:g} km", metres / 1000);
}

}  // namespace tsmini
