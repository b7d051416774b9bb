// What the user waits for: the whole of it, and its parts.
//
//   Stopwatch watch;                             // first of all, so that nothing is left out
//   Collection city = Collection::open("city");
//   watch.lap("opening");
//   city.add(trips);
//   watch.lap("adding");
//   console.say("added in {}", watch.text());    // "added in 3.21 s (opening 0.20 s, adding 3.01
//   s)"
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace tsmini::cli {

class Stopwatch {
 public:
  // Ends a part, which began where the one before ended; `name` is a verb with -ing. Returns its
  // seconds.
  double lap(std::string name);

  std::chrono::steady_clock::time_point start() const { return start_; }
  double seconds() const { return seconds_since(start_); }
  // The whole until now; with the parts in brackets where there are several.
  std::string text() const;

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point moment) {
    return std::chrono::duration<double>(Clock::now() - moment).count();
  }

  Clock::time_point start_ = Clock::now(), lap_ = start_;
  std::vector<std::pair<std::string, double>> parts_;
};

}  // namespace tsmini::cli
