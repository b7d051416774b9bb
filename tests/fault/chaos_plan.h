// What the processes of the chaos test do, and which words they leave in their logs.
//
// A writer puts down "added ID …" and "removed ID" once the collection has said so, and "refused"
// where it was told that another process is writing: then nothing has happened. A searcher and the
// one who tidies up put down "failed REASON", which must not come.
#pragma once

#include <cstddef>
#include <string>

#include "tsmini/collection.h"

#include "store/small_collection.h"

namespace tsmini {

constexpr std::size_t chaos_rounds = 24;

// That nobody removes, to be searched for.
inline Dataset chaos_base() {
  return small_trips(30, "base", 50);
}

inline Dataset chaos_trips(const std::string& writer, std::size_t round) {
  const auto seed = 1000 + 100 * std::stoul(writer) + round;
  return small_trips(3, "w" + writer + "-" + std::to_string(round) + "-", seed);
}

}  // namespace tsmini
