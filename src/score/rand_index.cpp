#include "tsmini/rand_index.h"

#include <cassert>
#include <vector>

#include "score/renumber.h"

namespace tsmini {
namespace {

double pairs_among(const std::vector<std::uint64_t>& counts) {
  double pairs = 0;
  for (const std::uint64_t n : counts) {
    pairs += 0.5 * static_cast<double>(n) * (static_cast<double>(n) - 1);
  }
  return pairs;
}

}  // namespace

double rand_index(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  assert(a.size() == b.size());
  if (a.size() < 2) return 1;
  std::vector<std::uint32_t> rows(a.begin(), a.end()), columns(b.begin(), b.end());
  const std::size_t row_count = renumber(rows), column_count = renumber(columns);
  std::vector<std::uint64_t> of_row(row_count), of_column(column_count);
  std::vector<std::uint64_t> of_both(row_count * column_count);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ++of_row[rows[i]];
    ++of_column[columns[i]];
    ++of_both[rows[i] * column_count + columns[i]];
  }
  const double all = pairs_among({a.size()});
  const double together = pairs_among(of_both);
  return (all + 2 * together - pairs_among(of_row) - pairs_among(of_column)) / all;
}

}  // namespace tsmini
