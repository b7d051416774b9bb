#include "common/stopwatch.h"

#include <fmt/format.h>

#include "base/amounts.h"

namespace tsmini::cli {

double Stopwatch::lap(std::string name) {
  const double seconds = seconds_since(lap_);
  lap_ = Clock::now();
  parts_.emplace_back(std::move(name), seconds);
  return seconds;
}

std::string Stopwatch::text() const {
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
