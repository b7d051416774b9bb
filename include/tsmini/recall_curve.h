// How many of the true nearest are among the first by embedding, the more of these are looked at:
// what tells how many candidates a promised recall takes.
//
//   const std::size_t candidates = curve.candidates_for(10, 0.99);
//   const double expected = curve.at(10, candidates);  // may be less, where the curve ends before
//
// Measured for the 1, 10 and 50 nearest. Another k lies between two of these, and what holds for it
// is the better of two careful guesses: the share of the larger one at as many candidates, as
// farther neighbours are harder to find; and the worse of both at as many candidates a neighbour.
// For a k above 50 it is the share of 50 at as many candidates a neighbour, as that falls with k.
#pragma once

#include <array>
#include <cstddef>

namespace tsmini {

class RecallCurve {
 public:
  static constexpr std::array<std::size_t, 3> depths{1, 10, 50};
  static constexpr std::array<std::size_t, 20> counts{
      1, 2, 5, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000};
  // Shares of the depths[i] nearest that are among the counts[j] first, at [i][j].
  using Shares = std::array<std::array<double, counts.size()>, depths.size()>;

  RecallCurve() : shares_{} {}  // nothing is ever found
  // Throws Error(bad_input) where a share is not from 0 to 1, or falls with more candidates.
  explicit RecallCurve(const Shares& shares);

  const Shares& shares() const { return shares_; }

  // The share of the k nearest, k > 0, that so many candidates hold, or more: between two counts
  // that of the lower one.
  double at(std::size_t k, std::size_t candidates) const;
  // The fewest candidates that hold that share of the k nearest, at least k. Where no count does:
  // the most that were measured, 5,000, and in proportion for a k above 50.
  std::size_t candidates_for(std::size_t k, double recall) const;

  friend bool operator==(const RecallCurve&, const RecallCurve&) = default;

 private:
  Shares shares_;
};

}  // namespace tsmini
