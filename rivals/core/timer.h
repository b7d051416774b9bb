// Wall time since it was made.
#pragma once

#include <chrono>
#include <optional>

namespace tsmini::rivals {

class Timer {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  // Never, where there is no limit.
  bool passed(const std::optional<double>& limit) const { return limit && seconds() >= *limit; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tsmini::rivals
