// Wall-clock time against a limit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/stopwatch.h"

namespace tsmini::rivals {

class Timer : public Stopwatch {
 public:
  // Whether the limit has passed: never, where there is none.
  bool passed(const std::optional<double>& limit) const { return limit && seconds() >= *limit; }
  // How many of `total` steps a limit will allow, when so many were made until now.
  std::uint64_t allowed(std::uint64_t done, std::uint64_t total,
                        const std::optional<double>& limit) const {
    if (!limit || done == 0) return total;
    const double expected = static_cast<double>(done) * std::max(1.0, *limit / seconds());
    return expected < static_cast<double>(total) ? static_cast<std::uint64_t>(expected) : total;
  }
};

}  // namespace tsmini::rivals
