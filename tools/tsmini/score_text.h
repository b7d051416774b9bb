// A share of hits as it is shown: 0.7971, and – where no other was possible, since every answer is
// a hit among so few.
#pragma once

#include <cstddef>
#include <string>

#include <fmt/format.h>

namespace tsmini::cli {

// `looked_at`: how many of the `others` are looked at.
inline std::string score_text(double score, std::size_t looked_at, std::size_t others) {
  return others <= looked_at ? "–" : fmt::format("{:.4f}", score);
}

}  // namespace tsmini::cli
