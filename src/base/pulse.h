// The heartbeat (tsmini/heartbeat.h) of one thread's hot loop: counts its work and looks at the
// clock every few hundred thousand cells, so that a row costs a subtraction.
//
//   Pulse pulse(heartbeat);
//   for (std::size_t i = 0; i < rows; ++i) {
//     fill_row(i);
//     pulse.work(columns);  // throws what the Progress throws
//   }
#pragma once

#include <cstdint>

#include "tsmini/heartbeat.h"

namespace tsmini {

class Pulse {
 public:
  // Beats at once, so that a loop of short pieces of work beats too.
  explicit Pulse(const Heartbeat& heartbeat) : heartbeat_(heartbeat) { heartbeat.beat(); }

  // A cell is some nanoseconds of work.
  void work(std::uint64_t cells) {
    if (cells < left_) {
      left_ -= cells;
      return;
    }
    left_ = between_beats;
    heartbeat_.beat();
  }

  const Heartbeat& heartbeat() const { return heartbeat_; }

 private:
  static constexpr std::uint64_t between_beats = 1 << 18;

  const Heartbeat& heartbeat_;
  std::uint64_t left_ = between_beats;
};

}  // namespace tsmini
