// edwp: the recurrence of naive_edwp.cpp, a pair in each lane.
//
// Infinite values on the borders stand for the rules i > 1 and j > 1. A value is the least of its
// three candidates whatever the ties; the ties decide which cuts are kept. The group may be P or Q:
// the recurrence is the same with rows and columns exchanged, but for who wins a tie between them,
// which column_wins says.
#include "measure/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/edwp.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep

#include <limits>

#include "hwy/highway.h"

#include "measure/kernels.h"
#include "measure/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

template <class V>
struct Point {
  V x, y;
};

template <class V>
HWY_INLINE V scaled_distance(const Point<V>& a, const Point<V>& b) {
  const V dx = hn::Sub(a.x, b.x), dy = hn::Sub(a.y, b.y);
  return scaled_root(dot(dx, dy, dx, dy));
}

template <class M, class V>
HWY_INLINE Point<V> choose(M mask, const Point<V>& yes, const Point<V>& no) {
  return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y)};
}

// Where a point falls on a segment: see project() in naive_edwp.cpp.
template <class V>
struct Cut {
  Point<V> at;
  V first, second;
  V off;
};

// `to_end` is the distance from x to e.
template <class V>
HWY_INLINE Cut<V> project(const Point<V>& s, const Point<V>& e, V length, const Point<V>& x,
                          V to_end) {
  const hn::DFromV<V> d;
  const V zero = hn::Zero(d), one = hn::Set(d, hn::TFromV<V>{1});
  const V ex = hn::Sub(e.x, s.x), ey = hn::Sub(e.y, s.y);
  const V fx = hn::Sub(x.x, s.x), fy = hn::Sub(x.y, s.y);
  const V along = dot(fx, fy, ex, ey);
  const V square = dot(ex, ey, ex, ey);
  const auto at_end = hn::Ge(along, square);
  const auto is_point = hn::Eq(square, zero);
  const V t = hn::Max(hn::Min(hn::Div(along, square), one), zero);
  Cut<V> cut;
  cut.at = {multiply_add(t, ex, s.x), multiply_add(t, ey, s.y)};
  cut.at = choose(is_point, x, choose(at_end, e, cut.at));
  cut.off = scaled_distance(x, cut.at);
  const V first = hn::Mul(t, length);
  cut.first = hn::IfThenElse(is_point, to_end, first);
  cut.second = hn::IfThenElse(is_point, to_end, hn::Sub(length, first));
  return cut;
}

// What the cell below needs of one above it, and what the cell to the right needs of one before it.
template <class V>
struct Above {
  V value, before, ab, ap, bq;
  Point<V> b;
  V here;  // distance of the cell's points
};
template <class V>
struct Before {
  V value, before, ab, ap, bq;
  Point<V> a;
  V here;
};

template <class D>
struct EdwpState {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  T* base;
  std::size_t stride;  // between the rows of the scratch

  HWY_INLINE T* row(std::size_t number, std::size_t j) const { return base + number * stride + j; }
  HWY_INLINE Above<V> load(D d, std::size_t j) const {
    return {hn::Load(d, row(0, j)),
            hn::Load(d, row(1, j)),
            hn::Load(d, row(2, j)),
            hn::Load(d, row(3, j)),
            hn::Load(d, row(4, j)),
            {hn::Load(d, row(5, j)), hn::Load(d, row(6, j))},
            hn::Load(d, row(7, j))};
  }
  HWY_INLINE void store(D d, const Above<V>& cell, std::size_t j) const {
    hn::Store(cell.value, d, row(0, j));
    hn::Store(cell.before, d, row(1, j));
    hn::Store(cell.ab, d, row(2, j));
    hn::Store(cell.ap, d, row(3, j));
    hn::Store(cell.bq, d, row(4, j));
    hn::Store(cell.b.x, d, row(5, j));
    hn::Store(cell.b.y, d, row(6, j));
    hn::Store(cell.here, d, row(7, j));
  }
};

// Rows `first` to first + rows - 1, first > 0.
template <std::size_t rows, class D>
void fill_edwp_rows(D d, const KernelCall<hn::TFromD<D>>& call, std::size_t first) {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  const std::size_t lanes = hn::Lanes(d);
  const T* HWY_RESTRICT xs = call.group.channel(0);
  const T* HWY_RESTRICT ys = call.group.channel(1);
  const T* HWY_RESTRICT steps = call.group.channel(2);
  const EdwpState<D> state{call.scratch, call.group.length * lanes};
  const V scale = hn::Set(d, root_scale<T>);
  const V infinity = hn::Set(d, std::numeric_limits<T>::infinity());
  const auto column_wins = hn::Gt(hn::Load(d, call.column_wins), hn::Zero(d));

  Point<V> p[rows + 1];  // p[0] is that of the row before the block
  V p_step[rows];
  HWY_UNROLL(8)
  for (std::size_t r = 0; r <= rows; ++r) {
    p[r] = {hn::Set(d, call.query.channel(0)[first + r - 1]),
            hn::Set(d, call.query.channel(1)[first + r - 1])};
  }
  Point<V> q_before{hn::Load(d, xs), hn::Load(d, ys)};
  Before<V> left[rows];
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows; ++r) {
    p_step[r] = hn::Set(d, call.query.channel(2)[first + r] * root_scale<T>);
    const V zero = hn::Zero(d);
    left[r] = {infinity, infinity, zero, zero, zero, p[r], scaled_distance(p[r + 1], q_before)};
  }
  V corner_value = hn::Load(d, state.row(0, 0));
  V corner_here = hn::Load(d, state.row(7, 0));
  hn::Store(infinity, d, state.row(0, 0));
  hn::Store(left[rows - 1].here, d, state.row(7, 0));

  for (std::size_t j = lanes; j < call.group.length * lanes; j += lanes) {
    const Point<V> q{hn::Load(d, xs + j), hn::Load(d, ys + j)};
    const V q_step = hn::Mul(hn::Load(d, steps + j), scale);
    Above<V> up = state.load(d, j);
    V diagonal_value = corner_value, diagonal_here = corner_here;
    corner_value = up.value;
    corner_here = up.here;
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) {
      Before<V>& before = left[r];
      const V here = scaled_distance(p[r + 1], q);

      const V diagonal = multiply_add(hn::Add(diagonal_here, here), hn::Add(p_step[r], q_step),
                                      diagonal_value);

      const Cut<V> x = project(up.b, q, up.bq, p[r], up.here);
      const V row_before =
          multiply_add(hn::Add(up.ab, x.off), hn::Add(up.ap, x.first), up.before);
      const V row_value =
          multiply_add(hn::Add(x.off, here), hn::Add(p_step[r], x.second), row_before);

      const Cut<V> y = project(before.a, p[r + 1], before.ap, q_before, before.here);
      const V column_before =
          multiply_add(hn::Add(before.ab, y.off), hn::Add(before.bq, y.first), before.before);
      const V column_value =
          multiply_add(hn::Add(y.off, here), hn::Add(q_step, y.second), column_before);

      const V step_value = hn::Min(column_value, row_value);
      const auto is_diagonal = hn::Le(diagonal, step_value);
      const auto column_is_less =
          hn::Or(hn::Lt(column_value, row_value),
                 hn::And(hn::Eq(column_value, row_value), column_wins));
      const auto is_column = hn::AndNot(is_diagonal, column_is_less);
      const auto is_row = hn::Not(hn::Or(is_diagonal, column_is_less));

      const V value = hn::Min(diagonal, step_value);
      const V value_before = hn::IfThenElse(
          is_row, row_before, hn::IfThenElse(is_column, column_before, diagonal_value));
      const V ab = hn::IfThenElse(is_row, x.off, hn::IfThenElse(is_column, y.off, diagonal_here));
      const V ap = hn::IfThenElse(is_column, y.second, p_step[r]);
      const V bq = hn::IfThenElse(is_row, x.second, q_step);

      diagonal_value = before.value;
      diagonal_here = before.here;
      before = {value, value_before, ab, ap, bq, choose(is_column, y.at, p[r]), here};
      up = {value, value_before, ab, ap, bq, choose(is_row, x.at, q_before), here};
    }
    state.store(d, up, j);
    q_before = q;
  }
}

template <class T>
void edwp(const KernelCall<T>& call) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  using V = hn::VFromD<D>;
  const std::size_t lanes = hn::Lanes(d);
  const EdwpState<D> state{call.scratch, call.group.length * lanes};
  const V zero = hn::Zero(d), infinity = hn::Set(d, std::numeric_limits<T>::infinity());
  const Point<V> p{hn::Set(d, call.query.channel(0)[0]), hn::Set(d, call.query.channel(1)[0])};
  for (std::size_t j = 0; j < call.group.length * lanes; j += lanes) {
    const Point<V> q{hn::Load(d, call.group.channel(0) + j), hn::Load(d, call.group.channel(1) + j)};
    state.store(d, {j == 0 ? zero : infinity, infinity, zero, zero, zero, q, scaled_distance(p, q)},
                j);
  }
  std::size_t i = 1;
  for (; i + 2 <= call.query.length; i += 2) fill_edwp_rows<2>(d, call, i);
  if (i < call.query.length) fill_edwp_rows<1>(d, call, i);

  HWY_ALIGN T last[hn::MaxLanes(d)];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    last[lane] = *state.row(0, (call.group.lengths[lane] - 1) * lanes + lane);
  }
  const V value = hn::Mul(hn::Load(d, last), hn::Set(d, 1 / (root_scale<T> * root_scale<T>)));
  const V total = hn::Add(hn::Set(d, call.query.total), hn::LoadU(d, call.group.totals));
  hn::Store(hn::IfThenElseZero(hn::Gt(total, zero), hn::Div(value, total)), d, call.out);
}

Kernel<float> single_edwp() {
  return &edwp<float>;
}
Kernel<double> double_edwp() {
  return &edwp<double>;
}

}  // namespace tsmini::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini {

HWY_EXPORT(single_edwp);
HWY_EXPORT(double_edwp);

template <>
Kernel<float> edwp_kernel<float>() {
  return HWY_DYNAMIC_DISPATCH(single_edwp)();
}
template <>
Kernel<double> edwp_kernel<double>() {
  return HWY_DYNAMIC_DISPATCH(double_edwp)();
}

}  // namespace tsmini
#endif
