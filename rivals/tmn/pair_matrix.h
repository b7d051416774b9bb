// Distances of some trips to all, from something that knows pairs alone: pairs of similar lengths
// are computed together, and a pair of two queries once where both ways are the same.
//
//   PairMatrix matrix(points, queries, true);
//   Tensor rows = matrix.filled(most, floats_of, compute, progress);     // [queries, trips]
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tsmini/progress.h"

#include "rivals/core/ragged.h"

namespace tsmini::rivals {

class PairMatrix {
 public:
  // Gives the distances of trips a[i] and b[i], [pairs], on any device.
  using Compute =
      std::function<Tensor(std::span<const std::int64_t> a, std::span<const std::int64_t> b)>;

  PairMatrix(const Ragged& points, std::span<const std::int64_t> queries, bool symmetric);

  // The matrix, on the CPU. `floats_of` tells what a pair of such lengths takes, of which `most`
  // are computed together; progress counts pairs.
  Tensor filled(std::int64_t most,
                const std::function<std::int64_t(std::int64_t a, std::int64_t b)>& floats_of,
                const Compute& compute, const Progress& progress);

 private:
  std::int64_t row_of(std::int64_t id) const { return rows_[static_cast<std::size_t>(id)]; }
  bool comes_the_other_way(std::int64_t query, std::int64_t trip) const {
    return symmetric_ && row_of(trip) >= 0 && row_of(trip) < row_of(query);
  }
  // The pairs that wait.
  void flush(const Compute& compute, const Progress& progress);

  const Ragged& points_;
  bool symmetric_;
  std::vector<std::int64_t> queries_;      // as they were asked for
  std::vector<std::int64_t> asked_, all_;  // each once, by length
  std::vector<std::int64_t> rows_;         // of the matrix; -1 for a trip that is no query
  Tensor matrix_;                          // rows as in asked_
  std::vector<std::int64_t> a_, b_;        // waiting
  std::uint64_t done_ = 0;
};

}  // namespace tsmini::rivals
