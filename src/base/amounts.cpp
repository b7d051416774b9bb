#include "base/amounts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace tsmini {
namespace {

std::string plural_of(std::string_view thing) {
  constexpr std::string_view vowels = "aeiou";
  const bool changes = thing.size() > 1 && thing.back() == 'y' &&
                       vowels.find(thing[thing.size() - 2]) == std::string_view::npos;
  if (changes) return fmt::format("{}ies", thing.substr(0, thing.size() - 1));
  return fmt::format("{}{}", thing, thing.ends_with("ch") ? "es" : "s");
}

}  // namespace

std::string counted(std::uint64_t number, std::string_view thing) {
  return fmt::format("{} {}", with_thousands(number),
                     number == 1 ? std::string(thing) : plural_of(thing));
}

std::string human_number(double value, int digits) {
  const double size = std::abs(value);
  if (size >= 1e15 || !(size >= std::pow(10, digits - 1))) {
    return fmt::format("{:.{}g}", value, digits);
  }
  return (value < 0 ? "-" : "") + with_thousands(static_cast<std::uint64_t>(std::llround(size)));
}

std::string human_share(double share) {
  if (std::isnan(share)) return "–";
  const double percent = 100 * share;
  if (percent > 0 && percent < 0.01) return "< 0.01 %";
  if (percent > 99 && percent < 100) {
    return fmt::format("{:.1f} %", std::floor(10 * percent) / 10);
  }
  if (percent < 0.995) return fmt::format("{:.{}f} %", percent, percent == 0 ? 0 : 2);
  return percent < 9.95 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string human_seconds(double seconds) {
  const double milliseconds = 1000 * seconds;
  if (seconds <= 0) return "0 s";
  if (milliseconds < 0.9995) return fmt::format("{:.2f} ms", std::max(milliseconds, 0.01));
  if (milliseconds < 99.95) return human_number(milliseconds) + " ms";
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 99.5) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  const auto minutes = static_cast<std::uint64_t>(std::llround(seconds / 60));
  return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

std::string human_bytes(double bytes) {
  constexpr std::array<std::string_view, 5> units{"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= (unit == 0 ? 1000 : 999.5) && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  const int decimals = unit == 0 || bytes >= 99.95 ? 0 : 1;
  return fmt::format("{:.{}f} {}", bytes, decimals, units[unit]);
}

double per_second(double amount, double seconds) {
  return seconds > 0 ? amount / seconds : 0;
}

}  // namespace tsmini
