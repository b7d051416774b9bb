#include "common/suggest.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace tsmini::cli {
namespace {

// Damerau and Levenshtein's distance between two short words.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      next[j] = std::min({change, row[j] + 1, next[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        next[j] = std::min(next[j], before[j - 2] + 1);
      }
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

std::string_view without_dashes(std::string_view word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

}  // namespace

std::string closest(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string_view letters = without_dashes(word);
  const bool is_short = letters.size() < 5;
  const std::size_t most = is_short ? 1 : std::max<std::size_t>(2, letters.size() / 3);
  std::string best;
  std::size_t fewest = most + 1;
  for (const std::string& candidate : candidates) {
    const std::string_view known = without_dashes(candidate);
    const std::size_t count = edits(letters, known);
    if (count >= fewest) continue;
    if (is_short && known.substr(0, 1) != letters.substr(0, 1)) continue;  // map is not gap
    fewest = count;
    best = candidate;
  }
  return best;
}

}  // namespace tsmini::cli
