#include <algorithm>
#include <utility>
#include <vector>

#include "learn/ops/ops.h"
#include "learn/parallel.h"

namespace tsmini::learn {
namespace {

// Each part of the table gathers what its rows get, in the order of the points: the same for any
// number of threads, and no two add to one place.
template <typename T>
void look_up_gradients(Tape<T>& tape, const Array<T>& table, const std::vector<std::size_t>& rows,
                       const Array<T>& y) {
  constexpr std::size_t parts = 16;
  const T* grad = tape.gradient(y);
  T* dtable = tape.sole_target(table);
  const std::size_t each = (table.rows + parts - 1) / parts;
  each_part(parts, [&](std::size_t part) {
    const std::size_t first = std::min(part * each, table.rows);
    const std::size_t end = std::min(first + each, table.rows);
    std::fill(dtable + first * table.columns, dtable + end * table.columns, T{0});
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (rows[r] < first || rows[r] >= end) continue;
      const T* from = grad + r * table.columns;
      T* to = dtable + rows[r] * table.columns;
      for (std::size_t c = 0; c < table.columns; ++c) to[c] += from[c];
    }
  });
}

}  // namespace

template <typename T>
Array<T> look_up(Tape<T>& tape, const Array<T>& points, const Array<T>& table, const CellGrid& grid,
                 std::span<const std::int64_t> known, const Packing&) {
  const Array<T> y = tape.array(points.rows, table.columns);
  std::vector<std::size_t> rows(points.rows);
  each_block(points.rows, [&](std::size_t first, std::size_t count) {
    for (std::size_t r = first; r < first + count; ++r) {
      const T* point = points.row(r);
      rows[r] = row_of_cell(
          known, grid.number_at(static_cast<float>(point[0]), static_cast<float>(point[1])));
      std::copy_n(table.row(rows[r]), table.columns, y.row(r));
    }
  });
  tape.record([=, &tape, rows = std::move(rows)] { look_up_gradients(tape, table, rows, y); });
  return y;
}

template Array<float> look_up(Tape<float>&, const Array<float>&, const Array<float>&,
                              const CellGrid&, std::span<const std::int64_t>, const Packing&);
template Array<double> look_up(Tape<double>&, const Array<double>&, const Array<double>&,
                               const CellGrid&, std::span<const std::int64_t>, const Packing&);

}  // namespace tsmini::learn
