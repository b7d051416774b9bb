// dtw, frechet, erp, edr and lcss: one table, five ways to fill a cell. And how near the query
// comes to any piece of a trajectory: the table of dtw or frechet, with paths that begin and end at
// any column.
//
// A block of rows goes over the columns together: the state row is loaded and stored once for the
// block, and the chain from a cell to its right neighbour runs in as many places at once as there
// are rows, which hides its latency.
#include "simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/warping.cpp"
#include <limits>

#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "measure/kernels.h"
#include "measure/vector-inl.h"
#include "simd/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

// What a cell sees: the squared distance of its points, the three cells before it, and what its row
// and its column bring along (erp: the distances to the gap point).
template <class V>
struct CellInput {
  V squared;
  V diagonal, up, left;
  V row_gap, column_gap;
};

// A cell's rule and the borders of its table. next_border() gives the next value of a border from
// the one before it and the gap of its point: of scalars for the column left of the table, of
// vectors for the row above it. The corner where both begin is 0.
template <class D>
struct WarpingCell {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  static constexpr bool has_gaps = false;
  static constexpr bool ends_anywhere = false;

  explicit WarpingCell(const KernelCall<T>&) {}
  static T next_border(T, T) { return std::numeric_limits<T>::infinity(); }
  static V next_border(V, V) { return hn::Set(D(), std::numeric_limits<T>::infinity()); }
};

template <class D>
struct DtwCell : WarpingCell<D> {
  using typename WarpingCell<D>::T;
  using typename WarpingCell<D>::V;
  using WarpingCell<D>::WarpingCell;

  HWY_INLINE V operator()(const CellInput<V>& in) const {
    return hn::Add(scaled_root(in.squared), hn::Min(hn::Min(in.diagonal, in.up), in.left));
  }
  static V finish(V value, V, V) { return hn::Mul(value, hn::Set(D(), 1 / root_scale<T>)); }
};

template <class D>
struct FrechetCell : WarpingCell<D> {
  using typename WarpingCell<D>::V;
  using WarpingCell<D>::WarpingCell;

  HWY_INLINE V operator()(const CellInput<V>& in) const {
    return hn::Max(in.squared, hn::Min(hn::Min(in.diagonal, in.up), in.left));
  }
  static V finish(V value, V, V) { return hn::Sqrt(value); }
};

// A match may begin at any column: the row before the first is 0 everywhere.
template <class Cell>
struct PieceCell : Cell {
  using Cell::Cell;
  using Cell::next_border;
  using typename Cell::V;
  static constexpr bool ends_anywhere = true;

  static V next_border(V, V) { return hn::Zero(hn::DFromV<V>()); }
};
template <class D>
using DtwPieceCell = PieceCell<DtwCell<D>>;
template <class D>
using FrechetPieceCell = PieceCell<FrechetCell<D>>;

template <class D>
struct ErpCell : WarpingCell<D> {
  using typename WarpingCell<D>::T;
  using typename WarpingCell<D>::V;
  using WarpingCell<D>::WarpingCell;
  static constexpr bool has_gaps = true;

  static T next_border(T before, T gap) { return before + gap; }
  static V next_border(V before, V gap) { return hn::Add(before, gap); }
  HWY_INLINE V operator()(const CellInput<V>& in) const {
    const V both = hn::Add(in.diagonal, scaled_root(in.squared));
    return hn::Min(hn::Min(both, hn::Add(in.up, in.row_gap)), hn::Add(in.left, in.column_gap));
  }
  static V finish(V value, V, V) { return hn::Mul(value, hn::Set(D(), 1 / root_scale<T>)); }
};

template <class D>
struct EdrCell {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  static constexpr bool has_gaps = false;
  static constexpr bool ends_anywhere = false;
  V squared_epsilon;

  explicit EdrCell(const KernelCall<T>& call)
      : squared_epsilon(hn::Set(D(), call.squared_epsilon)) {}
  static T next_border(T before, T) { return before + 1; }
  static V next_border(V before, V) { return hn::Add(before, hn::Set(D(), T{1})); }
  HWY_INLINE V operator()(const CellInput<V>& in) const {
    const V one = hn::Set(D(), T{1});
    const V change = hn::IfThenElseZero(hn::Gt(in.squared, squared_epsilon), one);
    return hn::Min(hn::Add(in.diagonal, change), hn::Add(hn::Min(in.up, in.left), one));
  }
  static V finish(V value, V m, V n) { return hn::Div(value, hn::Max(m, n)); }
};

template <class D>
struct LcssCell {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  static constexpr bool has_gaps = false;
  static constexpr bool ends_anywhere = false;
  V squared_epsilon;

  explicit LcssCell(const KernelCall<T>& call)
      : squared_epsilon(hn::Set(D(), call.squared_epsilon)) {}
  static T next_border(T, T) { return 0; }
  static V next_border(V, V) { return hn::Zero(D()); }
  HWY_INLINE V operator()(const CellInput<V>& in) const {
    const V match = hn::IfThenElseZero(hn::Le(in.squared, squared_epsilon), hn::Set(D(), T{1}));
    return hn::Max(hn::Add(in.diagonal, match), hn::Max(in.up, in.left));
  }
  static V finish(V value, V m, V n) {
    return hn::Sub(hn::Set(D(), T{1}), hn::Div(value, hn::Min(m, n)));
  }
};

// Rows `first` to first + rows - 1. `corner` is the border value left of row first - 1, and becomes
// that left of the last row of the block.
template <std::size_t rows, class Cell, class D>
void fill_rows(D d, const Cell& cell, const KernelCall<hn::TFromD<D>>& call, std::size_t first,
               hn::TFromD<D>& corner) {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  const std::size_t lanes = hn::Lanes(d);
  const T* HWY_RESTRICT xs = call.group.channel(0);
  const T* HWY_RESTRICT ys = call.group.channel(1);
  const T* HWY_RESTRICT gaps = call.group.channel(Cell::has_gaps ? 2 : 0);
  T* HWY_RESTRICT state = call.scratch;
  const V scale = hn::Set(d, root_scale<T>);

  V x[rows], y[rows], gap[rows], left[rows];
  V corner_vector = hn::Set(d, corner);
  HWY_UNROLL(4)
  for (std::size_t r = 0; r < rows; ++r) {
    x[r] = hn::Set(d, call.query.channel(0)[first + r]);
    y[r] = hn::Set(d, call.query.channel(1)[first + r]);
    const T row_gap = Cell::has_gaps ? call.query.channel(2)[first + r] * root_scale<T> : T{0};
    gap[r] = hn::Set(d, row_gap);
    corner = Cell::next_border(corner, row_gap);
    left[r] = hn::Set(d, corner);
  }
  for (std::size_t j = 0; j < call.group.length * lanes; j += lanes) {
    const V column_x = hn::Load(d, xs + j);
    const V column_y = hn::Load(d, ys + j);
    const V column_gap = Cell::has_gaps ? hn::Mul(hn::Load(d, gaps + j), scale) : hn::Zero(d);
    V up = hn::Load(d, state + j);
    V diagonal = corner_vector;
    corner_vector = up;
    HWY_UNROLL(4)
    for (std::size_t r = 0; r < rows; ++r) {
      const V dx = hn::Sub(column_x, x[r]);
      const V dy = hn::Sub(column_y, y[r]);
      const V value = cell({dot(dx, dy, dx, dy), diagonal, up, left[r], gap[r], column_gap});
      diagonal = left[r];
      left[r] = value;
      up = value;
    }
    hn::Store(up, d, state + j);
  }
}

// Each lane's value at its own last column, or the least of all columns: those of padding repeat
// the last point, and a path through them is no shorter than without.
template <class Cell, class D>
hn::VFromD<D> last_values(D d, const KernelCall<hn::TFromD<D>>& call) {
  const std::size_t lanes = hn::Lanes(d);
  if constexpr (Cell::ends_anywhere) {
    auto least = hn::Load(d, call.scratch);
    for (std::size_t j = lanes; j < call.group.length * lanes; j += lanes) {
      least = hn::Min(least, hn::Load(d, call.scratch + j));
    }
    return least;
  } else {
    HWY_ALIGN hn::TFromD<D> last[hn::MaxLanes(d)];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      last[lane] = call.scratch[(call.group.lengths[lane] - 1) * lanes + lane];
    }
    return hn::Load(d, last);
  }
}

template <template <class> class CellOf, class T>
void warp(const KernelCall<T>& call) {
  const hn::ScalableTag<T> d;
  using D = decltype(d);
  using V = hn::VFromD<D>;
  using Cell = CellOf<hn::ScalableTag<T>>;
  const std::size_t lanes = hn::Lanes(d);
  const Cell cell(call);

  const T* gaps = call.group.channel(Cell::has_gaps ? 2 : 0);
  V border = hn::Zero(d);
  for (std::size_t j = 0; j < call.group.length * lanes; j += lanes) {
    border = Cell::next_border(border, hn::Mul(hn::Load(d, gaps + j), hn::Set(d, root_scale<T>)));
    hn::Store(border, d, call.scratch + j);
  }
  T corner = 0;
  std::size_t i = 0;
  for (; i + 4 <= call.query.length; i += 4) {
    fill_rows<4>(d, cell, call, i, corner);
    call.pulse->work(4 * call.group.length);
  }
  switch (call.query.length - i) {
    case 3: fill_rows<3>(d, cell, call, i, corner); break;
    case 2: fill_rows<2>(d, cell, call, i, corner); break;
    case 1: fill_rows<1>(d, cell, call, i, corner); break;
    default: break;
  }
  HWY_ALIGN T lengths[hn::MaxLanes(d)];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    lengths[lane] = static_cast<T>(call.group.lengths[lane]);
  }
  hn::Store(Cell::finish(last_values<Cell>(d, call), hn::Set(d, static_cast<T>(call.query.length)),
                         hn::Load(d, lengths)),
            d, call.out);
}

template <class T>
Kernel<T> warping_of(Measure measure) {
  switch (measure) {
    case Measure::dtw: return &warp<DtwCell, T>;
    case Measure::frechet: return &warp<FrechetCell, T>;
    case Measure::erp: return &warp<ErpCell, T>;
    case Measure::edr: return &warp<EdrCell, T>;
    case Measure::lcss: return &warp<LcssCell, T>;
    default: return nullptr;
  }
}

Kernel<float> single_warping(Measure measure) {
  return warping_of<float>(measure);
}
Kernel<double> double_warping(Measure measure) {
  return warping_of<double>(measure);
}

Kernel<float> piece_warping(Measure measure) {
  return measure == Measure::dtw ? &warp<DtwPieceCell, float> : &warp<FrechetPieceCell, float>;
}

}  // namespace tsmini::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini {

TSMINI_DISPATCH_PRECISIONS(Kernel, warping_kernel, warping, Measure)
HWY_EXPORT(piece_warping);

Kernel<float> piece_kernel(Measure measure) {
  return TSMINI_DISPATCH(piece_warping)(measure);
}

}  // namespace tsmini
#endif
