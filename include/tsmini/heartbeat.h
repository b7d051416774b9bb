// Lets long work be stopped in the middle of one thing: of one pair of trips of 200,000 points, or
// of one trip of 20,000.
//
// A Progress is told when something is done, and that may take minutes. A heartbeat calls it in
// between too, with unchanged counts, up to twenty times a second, so that what it throws ends the
// work soon. Any number of threads share one: they call the Progress one at a time, and what it has
// thrown is thrown in each of them when they next beat.
//
//   const Heartbeat heartbeat(progress, queries.size());
//   tbb::parallel_for(std::size_t{0}, queries.size(), [&](std::size_t i) {
//     answers[i] = search.nearest(queries[i], 10, {}, nullptr, heartbeat);  // beats within
//     heartbeat.advance(1);
//   });
//
// Copies are the same heartbeat. One without a Progress does nothing.
#pragma once

#include <cstdint>
#include <memory>

#include "tsmini/progress.h"

namespace tsmini {

class Heartbeat {
 public:
  Heartbeat() = default;
  // `total` is what `advance` counts up to.
  explicit Heartbeat(Progress progress, std::uint64_t total = 0);

  // `count` more are done; the Progress is told at once.
  void advance(std::uint64_t count) const;
  // Calls the Progress where 50 ms have passed since it was called and no other thread does.
  // Costs a look at the clock.
  void beat() const;

 private:
  class Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace tsmini
