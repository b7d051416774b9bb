// How fast work goes, and how long the rest will take, judged by the latter half of the time it has
// taken so far: a slow start (a file that is opened, an index that is read by the first search) is
// soon forgotten, and work that comes in lumps still shows some of them.
//
//   Pace pace;
//   pace.add(seconds, done);             // whenever some is known
//   if (const auto left = pace.seconds_left(total)) …
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace tsmini::cli {

class Pace {
 public:
  // The first call is where it begins: what was done by then, and the time it took, say nothing of
  // what is to come. Where less is done than before, another work has begun, and this begins anew.
  void add(double seconds, std::uint64_t done);

  // Done a second; nothing before three seconds have gone by and work was done in several steps of
  // them, because it would be a guess.
  std::optional<double> rate() const;
  // Nothing also where nothing moves, and where `total` is done.
  std::optional<double> seconds_left(std::uint64_t total) const;

 private:
  struct Sample {
    double seconds = 0;
    std::uint64_t done = 0;
  };
  std::deque<Sample> samples_;  // where something was done; the first is what rates count from
  double start_ = 0;
  Sample now_;
};

}  // namespace tsmini::cli
