// Processor time, for benchmarks: what other programs do on the same cores counts little.
//
//   double rate = pairs / best_seconds(0.3, [&] { measure_all(pairs); });
#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace tsmini {

// Seconds of processor time of this thread, or what another clock says.
inline double processor_seconds(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// The fastest of the runs that fit into `budget` seconds, after one that does not count.
template <class Work>
double best_seconds(double budget, const Work& work) {
  work();
  const double start = processor_seconds();
  double best = std::numeric_limits<double>::max();
  do {
    const double before = processor_seconds();
    work();
    best = std::min(best, processor_seconds() - before);
  } while (processor_seconds() - start < budget);
  return best;
}

}  // namespace tsmini
