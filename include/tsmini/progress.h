// Tells the caller of long work how far it is, and lets the caller stop it.
//
// The function is called every now and then from one thread at a time. It may throw: the work then
// unwinds, leaves no half-written file, and the exception reaches the caller of the work. That is
// how Ctrl-C is done. It may be called in the midst of work on one trip, by the thread that does
// it, and so must not itself measure, embed, search or train: it would use the same memory of the
// thread.
//
//   const Progress progress = [&](const ProgressState& state) {
//     if (stopped) throw Error(ErrorCode::interrupted, "stopped");
//     std::cerr << state.done << " of " << state.total << " bytes\n";
//   };
//   import_files({"porto.csv.gz"}, "porto.tsd", {}, progress);
//
// What is counted (trips, bytes, steps) is said where a function takes one.
#pragma once

#include <cstdint>
#include <functional>

namespace tsmini {

struct ProgressState {
  std::uint64_t done = 0;
  std::uint64_t total = 0;  // 0 where unknown
};

using Progress = std::function<void(const ProgressState&)>;

}  // namespace tsmini
