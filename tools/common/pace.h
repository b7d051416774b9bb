// How fast work goes, and how long the rest will take. The clock starts when the first piece is
// done: what that had to wait for (a file that is opened, trips that the first search reads) says
// nothing of the others. From then on the latter half of the time is what counts, so that work that
// becomes slower is noticed, and work that comes in lumps still shows some of them.
//
//   Pace pace;
//   pace.add(seconds, done);             // whenever some is known
//   if (const auto left = pace.seconds_left(total)) show(*left);
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace tsmini::cli {

class Pace {
 public:
  // The first call tells what was done before, such as by a run that was stopped. Where less is
  // done than before, another work has begun, and this begins anew.
  void add(double seconds, std::uint64_t done);

  // Done a second; nothing before three seconds have gone by since the first piece and more was
  // done in them, because it would be a guess.
  std::optional<double> rate() const;
  // Nothing also where nothing moves, and where `total` is done.
  std::optional<double> seconds_left(std::uint64_t total) const;

 private:
  struct Sample {
    double seconds = 0;
    std::uint64_t done = 0;
  };
  std::optional<std::uint64_t> before_;  // what was done when it began
  std::deque<Sample> samples_;  // where something was done; the first is what rates count from
  double start_ = 0;            // when the first piece was done
  Sample now_;
};

}  // namespace tsmini::cli
