#include "recall_table.h"

#include <array>

#include <fmt/format.h>

#include "base/amounts.h"

namespace tsmini::cli {
namespace {

constexpr std::array<std::size_t, 9> shown_counts{10, 20, 50, 100, 200, 500, 1000, 2000, 5000};

// Fewer candidates than are wanted say little.
std::string cell(const RecallCurve& curve, std::size_t depth, std::size_t candidates) {
  return candidates < depth ? "-" : human_share(curve.at(depth, candidates));
}

}  // namespace

std::vector<std::string> recall_lines(const RecallCurve& curve) {
  std::vector<std::string> lines{fmt::format("{:>10}", "candidates")};
  for (const std::size_t depth : RecallCurve::depths) {
    lines[0] += fmt::format("{:>10}", fmt::format("of {}", depth));
  }
  for (const std::size_t candidates : shown_counts) {
    std::string line = fmt::format("{:>10}", with_thousands(candidates));
    for (const std::size_t depth : RecallCurve::depths) {
      line += fmt::format("{:>10}", cell(curve, depth, candidates));
    }
    lines.push_back(line);
    if (curve.at(RecallCurve::depths.back(), candidates) == 1) break;
  }
  return lines;
}

}  // namespace tsmini::cli
