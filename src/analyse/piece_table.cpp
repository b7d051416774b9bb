#include "analyse/piece_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/naive.h"

namespace tsmini {
namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

}  // namespace

PieceTable::PieceTable(Measure measure, std::span<const Planar> piece)
    : measure_(measure), piece_(piece), row_(piece.size(), Cell{unreached, 0}) {}

// The later start of two that are as good: the shorter match.
const PieceTable::Cell& PieceTable::better(const Cell& a, const Cell& b) {
  return a.value < b.value || (a.value == b.value && a.first >= b.first) ? a : b;
}

template <class Join>
void PieceTable::fill(const Planar& point, Cell corner, const Join& join) {
  Cell diagonal = corner, left{unreached, 0};
  for (std::size_t j = 0; j < piece_.size(); ++j) {
    const Cell up = row_[j];
    const Cell best = better(better(diagonal, up), left);
    left = row_[j] = {join(squared_distance(point, piece_[j]), best.value), best.first};
    diagonal = up;
  }
}

void PieceTable::add(const Planar& point, std::size_t number, bool may_begin) {
  const Cell corner{may_begin ? 0 : unreached, number};
  if (measure_ == Measure::dtw) {
    fill(point, corner, [](double squared, double best) { return std::sqrt(squared) + best; });
  } else {
    fill(point, corner, [](double squared, double best) { return std::max(squared, best); });
  }
}

double PieceTable::distance() const {
  const double value = row_.back().value;
  return measure_ == Measure::dtw ? value : std::sqrt(value);
}

}  // namespace tsmini
