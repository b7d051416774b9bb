// Wall-clock time. (Processor time, for benchmarks of kernels: base/timing.h.)
//
//   Stopwatch watch;
//   embed(trips);
//   summary.embed_seconds = watch.restart();
//   search(trips);
//   summary.query_seconds = watch.seconds();
#pragma once

#include <chrono>

namespace tsmini {

class Stopwatch {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Stopwatch(Clock::time_point start = Clock::now()) : start_(start) {}

  // Since it was made or started again.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  double milliseconds() const { return 1e3 * seconds(); }
  Clock::time_point start() const { return start_; }

  // The seconds until now; begins anew.
  double restart() {
    const Clock::time_point now = Clock::now();
    const std::chrono::duration<double> spent = now - start_;
    start_ = now;
    return spent.count();
  }

 private:
  Clock::time_point start_;
};

}  // namespace tsmini
