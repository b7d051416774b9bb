// How well predicted distances stand in for true ones, as the literature counts it.
//
// Every item of a base is a query against all others: itself excluded, ties broken by index.
//
//   hr@k    share of the true k nearest that are among the predicted k nearest
//   r10@50  share of the true 10 nearest that are among the predicted 50 nearest
//   rerank  hr@10 after the 50 nearest predicted are put in the order of their true distance
//           (the same number as r10@50: what is among the 50 is found)
//
// Hit ratios fall as the base grows: always name its size.
//
//   RetrievalMeter meter;
//   for (std::size_t q = 0; q < n; ++q) meter.add(q, predicted_row(q), true_row(q));
//   std::cout << meter.score().hr10;
#pragma once

#include <cstddef>
#include <span>

namespace tsmini {

struct RetrievalScore {
  std::size_t queries = 0;
  std::size_t base = 0;  // candidates per query
  double hr1 = 0;
  double hr5 = 0;
  double hr10 = 0;
  double hr50 = 0;
  double r10at50 = 0;
  double rerank50 = 0;
};

class RetrievalMeter {
 public:
  // Rows over the whole base; entry `self` is ignored. Where fewer than k candidates exist, k is
  // their number; without any, the query does not count. Linear in the row. NaN counts as farthest.
  void add(std::size_t self, std::span<const float> predicted, std::span<const float> truth);
  // Adds the queries first, first + 1, …, with a row of `base` numbers each, on all cores of the
  // caller's arena.
  void add_rows(std::size_t first, std::size_t base, std::span<const float> predicted,
                std::span<const float> truth);
  RetrievalScore score() const;  // means over the queries so far

 private:
  void add(const RetrievalScore& query);

  RetrievalScore sum_;
};

}  // namespace tsmini
