#include "learn/ops/positions.h"

#include <cmath>

#include "learn/ops/ops.h"
#include "learn/parallel.h"
#include "model/architecture.h"

namespace tsmini::learn {
namespace {

// By what angle a position turns each pair of `numbers` numbers.
std::vector<double> turns_of(std::size_t numbers) {
  std::vector<double> turns;
  for (std::size_t i = 0; i < numbers; i += 2)
    turns.push_back(std::pow(slowest_turn, -static_cast<double>(i) / static_cast<double>(numbers)));
  return turns;
}

}  // namespace

template <typename T>
std::vector<T> rotary_table(std::size_t positions) {
  std::vector<T> table;
  table.reserve(positions * head_size);
  const std::vector<double> turns = turns_of(head_size);
  for (std::size_t position = 0; position < positions; ++position) {
    for (const double turn : turns) {
      const double angle = static_cast<double>(position) * turn;
      table.push_back(static_cast<T>(std::cos(angle)));
      table.push_back(static_cast<T>(std::sin(angle)));
    }
  }
  return table;
}

template std::vector<float> rotary_table(std::size_t);
template std::vector<double> rotary_table(std::size_t);

template <typename T>
void add_positions(Tape<T>&, const Array<T>& x, const Packing& packing) {
  const std::vector<double> turns = turns_of(x.columns);
  each_part(packing.count, [&](std::size_t b) {
    for (std::size_t position = 0; position < packing.length(b); ++position) {
      T* row = x.row(packing.first(b) + position);
      for (std::size_t pair = 0; pair < turns.size(); ++pair) {
        const double angle = static_cast<double>(position) * turns[pair];
        row[2 * pair] += static_cast<T>(std::sin(angle));
        row[2 * pair + 1] += static_cast<T>(std::cos(angle));
      }
    }
  });
}

template void add_positions(Tape<float>&, const Array<float>&, const Packing&);
template void add_positions(Tape<double>&, const Array<double>&, const Packing&);

}  // namespace tsmini::learn
