#include "common/laps.h"

#include <fmt/format.h>

#include "base/amounts.h"

namespace tsmini::cli {

double Laps::end(std::string name) {
  const double seconds = part_.restart();
  parts_.emplace_back(std::move(name), seconds);
  return seconds;
}

std::string Laps::text() const {
  std::string text = human_seconds(seconds());
  if (parts_.size() < 2) return text;
  std::vector<std::string> parts;
  parts.reserve(parts_.size());
  for (const auto& [name, seconds] : parts_) {
    parts.push_back(fmt::format("{} {}", name, human_seconds(seconds)));
  }
  return text + fmt::format(" ({})", fmt::join(parts, ", "));
}

}  // namespace tsmini::cli
