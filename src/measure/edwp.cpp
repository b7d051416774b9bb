// edwp: the recurrence of naive_edwp.cpp, a pair in each lane.
//
// Infinite values on the borders stand for the rules i > 1 and j > 1. A value is the least of its
// three candidates whatever the ties; the ties decide which cuts are kept. The group may be P or Q:
// the recurrence is the same with rows and columns exchanged, but for who wins a tie between them,
// which column_wins says.
#include "measure/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/edwp.cpp"
#include <limits>

#include "hwy/foreach_target.h"  // IWYU pragma: keep
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

// On recent processors the blend of AVX2 is three operations, like this, and g++ adds a fourth.
template <class M, class V>
HWY_INLINE V choose(M mask, V yes, V no) {
#if HWY_TARGET == HWY_AVX2
  const V bits = hn::VecFromMask(hn::DFromV<V>(), mask);
  return hn::Or(hn::And(bits, yes), hn::AndNot(bits, no));
#else
  return hn::IfThenElse(mask, yes, no);
#endif
}

template <class M, class V>
HWY_INLINE Point<V> choose(M mask, const Point<V>& yes, const Point<V>& no) {
  return {choose(mask, yes.x, no.x), choose(mask, yes.y, no.y)};
}

// Where a point falls on a segment: see project() in naive_edwp.cpp.
template <class V>
struct Cut {
  Point<V> at;
  V first, second;
  V off;
};
template <class V>
struct Projection {
  Point<V> start, end;
  V length;    // of the segment
  Point<V> x;  // what falls on it
  V to_end;    // distance from x to the end
};

// Several at once, each step for all of them before the next: the chain of one is long, and the
// processor does not look far enough ahead to find another by itself. `meanwhile` is work to do
// while the divisions run.
template <std::size_t count, class V, class Meanwhile>
HWY_INLINE void project(const Projection<V> (&in)[count], Cut<V> (&out)[count],
                        const Meanwhile& meanwhile) {
  const hn::DFromV<V> d;
  const V zero = hn::Zero(d), one = hn::Set(d, hn::TFromV<V>{1});
  V ex[count], ey[count], along[count], square[count], t[count];
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < count; ++k) {
    ex[k] = hn::Sub(in[k].end.x, in[k].start.x);
    ey[k] = hn::Sub(in[k].end.y, in[k].start.y);
    const V fx = hn::Sub(in[k].x.x, in[k].start.x), fy = hn::Sub(in[k].x.y, in[k].start.y);
    along[k] = dot(fx, fy, ex[k], ey[k]);
    square[k] = dot(ex[k], ey[k], ex[k], ey[k]);
  }
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < count; ++k) t[k] = hn::Div(along[k], square[k]);
  meanwhile();
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < count; ++k) {
    const auto is_inside = hn::Lt(along[k], square[k]);
    const auto is_segment = hn::Gt(square[k], zero);
    t[k] = hn::Max(hn::Min(t[k], one), zero);
    const Point<V> cut{multiply_add(t[k], ex[k], in[k].start.x),
                       multiply_add(t[k], ey[k], in[k].start.y)};
    out[k].at = choose(is_segment, choose(is_inside, cut, in[k].end), in[k].x);
#if HWY_TARGET == HWY_AVX2
    const V length = hn::IfThenElseZero(is_segment, in[k].length);
    const V other = hn::IfThenZeroElse(is_segment, in[k].to_end);
    const V first = hn::Mul(t[k], length);
    out[k].first = hn::Or(first, other);
    out[k].second = hn::Or(hn::Sub(length, first), other);
#else
    const V first = choose(is_segment, hn::Mul(t[k], in[k].length), in[k].to_end);
    out[k].first = first;
    out[k].second = choose(is_segment, hn::Sub(in[k].length, first), in[k].to_end);
#endif
  }
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < count; ++k) out[k].off = scaled_distance(in[k].x, out[k].at);
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
  V before, ab, ap, bq;
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
    return {hn::Load(d, row(0, j)), hn::Load(d, row(1, j)),
            hn::Load(d, row(2, j)), hn::Load(d, row(3, j)),
            hn::Load(d, row(4, j)), {hn::Load(d, row(5, j)), hn::Load(d, row(6, j))},
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

// Rows `first` to first + rows - 1, first > 0. Row r runs r columns behind row 0, so that the cells
// worked on together do not need each other.
template <std::size_t rows, class D>
HWY_INLINE void fill_edwp_rows(D d, const KernelCall<hn::TFromD<D>>& call, std::size_t first) {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  const std::size_t lanes = hn::Lanes(d);
  const T* HWY_RESTRICT xs = call.group.channel(0);
  const T* HWY_RESTRICT ys = call.group.channel(1);
  const T* HWY_RESTRICT steps = call.group.channel(2);
  const std::size_t columns = call.group.length;
  const EdwpState<D> state{call.scratch, columns * lanes};
  const V zero = hn::Zero(d), infinity = hn::Set(d, std::numeric_limits<T>::infinity());
  const hn::RebindToSigned<D> whole;
  // Values are not negative, so that their bits compare like them, and one less turns < into ≤.
  const auto column_wins = hn::ConvertTo(whole, hn::Load(d, call.column_wins));

  // For row r: q[r] is the point of its column, q[r + 1] the one before; p[r + 1] is its own point,
  // p[r] the one before.
  Point<V> p[rows + 1], q[rows + 1];
  V p_step[rows], q_step[rows];
  Above<V> up[rows];
  Before<V> left[rows];
  V corner_value[rows], corner_here[rows];  // of the cell on the diagonal
  HWY_UNROLL(8)
  for (std::size_t r = 0; r <= rows; ++r) {
    p[r] = {hn::Set(d, call.query.channel(0)[first + r - 1]),
            hn::Set(d, call.query.channel(1)[first + r - 1])};
    q[r] = {hn::Load(d, xs), hn::Load(d, ys)};
  }
  // Where the value is infinite, the rest of a cell is of no consequence.
  corner_value[0] = hn::Load(d, state.row(0, 0));
  corner_here[0] = hn::Load(d, state.row(7, 0));
  hn::Store(infinity, d, state.row(0, 0));
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows; ++r) {
    p_step[r] = hn::Set(d, call.query.channel(2)[first + r] * root_scale<T>);
    q_step[r] = zero;
    left[r] = {infinity, zero, zero, zero, p[r], zero};
    up[r] = {infinity, infinity, zero, zero, zero, q[0], zero};
    if (r > 0) corner_value[r] = infinity, corner_here[r] = zero;
  }

  for (std::size_t k = 1; k < columns + rows - 1; ++k) {
    const std::size_t j = HWY_MIN(k, columns - 1) * lanes;
    HWY_UNROLL(8)
    for (std::size_t r = rows; r > 0; --r) q[r] = q[r - 1];
    HWY_UNROLL(8)
    for (std::size_t r = rows - 1; r > 0; --r) q_step[r] = q_step[r - 1];
    q[0] = {hn::Load(d, xs + j), hn::Load(d, ys + j)};
    q_step[0] = hn::Mul(hn::Load(d, steps + j), hn::Set(d, root_scale<T>));
    up[0] = state.load(d, j);

    Projection<V> projections[2 * rows];
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) {
      projections[2 * r] = {up[r].b, q[r], up[r].bq, p[r], up[r].here};
      projections[2 * r + 1] = {left[r].a, p[r + 1], left[r].ap, q[r + 1], left[r].here};
    }
    Cut<V> cuts[2 * rows];
    V here[rows], diagonal[rows];
    project(projections, cuts, [&]() HWY_ATTR {
      HWY_UNROLL(8)
      for (std::size_t r = 0; r < rows; ++r) here[r] = scaled_distance(p[r + 1], q[r]);
      HWY_UNROLL(8)
      for (std::size_t r = 0; r < rows; ++r) {
        diagonal[r] = multiply_add(hn::Add(corner_here[r], here[r]), hn::Add(p_step[r], q_step[r]),
                                   corner_value[r]);
      }
    });

    Above<V> down[rows];
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) {
      const Cut<V>&x = cuts[2 * r], &y = cuts[2 * r + 1];
      const V row_before =
          multiply_add(hn::Add(up[r].ab, x.off), hn::Add(up[r].ap, x.first), up[r].before);
      const V row_value =
          multiply_add(hn::Add(x.off, here[r]), hn::Add(p_step[r], x.second), row_before);
      const V column_before =
          multiply_add(hn::Add(left[r].ab, y.off), hn::Add(left[r].bq, y.first), left[r].before);
      const V column_value =
          multiply_add(hn::Add(y.off, here[r]), hn::Add(q_step[r], y.second), column_before);

      const V step_value = hn::Min(column_value, row_value);
      const auto is_diagonal = hn::Le(diagonal[r], step_value);
      const auto column_is_less =
          hn::RebindMask(d, hn::Lt(hn::Sub(hn::BitCast(whole, column_value), column_wins),
                                   hn::BitCast(whole, row_value)));
      const auto is_column = hn::AndNot(is_diagonal, column_is_less);
      const auto is_not_row = hn::Or(is_diagonal, column_is_less);

      const V value = hn::Min(diagonal[r], step_value);
      const V before =
          choose(is_not_row, choose(is_column, column_before, corner_value[r]), row_before);
      const V ab = choose(is_not_row, choose(is_column, y.off, corner_here[r]), x.off);
      const V ap = choose(is_column, y.second, p_step[r]);
      const V bq = choose(is_not_row, q_step[r], x.second);
      corner_value[r] = up[r].value;
      corner_here[r] = up[r].here;
      left[r] = {before, ab, ap, bq, choose(is_column, y.at, p[r]), here[r]};
      down[r] = {value, before, ab, ap, bq, choose(is_not_row, q[r + 1], x.at), here[r]};
    }
    HWY_UNROLL(8)
    for (std::size_t r = 1; r < rows; ++r) up[r] = down[r - 1];
    if (HWY_LIKELY(k >= rows)) {
      state.store(d, down[rows - 1], (k - rows + 1) * lanes);
    } else {
      HWY_UNROLL(8)
      for (std::size_t r = 1; r < rows; ++r) {
        if (k > r) continue;  // still before its first column
        left[r].before = infinity;
        corner_value[r] = infinity;
      }
    }
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
    const Point<V> q{hn::Load(d, call.group.channel(0) + j),
                     hn::Load(d, call.group.channel(1) + j)};
    state.store(d, {j == 0 ? zero : infinity, infinity, zero, zero, zero, q, scaled_distance(p, q)},
                j);
  }
  std::size_t i = 1;
  for (; i + 3 <= call.query.length; i += 3) fill_edwp_rows<3>(d, call, i);
  if (i + 2 == call.query.length) fill_edwp_rows<2>(d, call, i);
  if (i + 1 == call.query.length) fill_edwp_rows<1>(d, call, i);

  HWY_ALIGN T last[hn::MaxLanes(d)];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    last[lane] = *state.row(0, (call.group.lengths[lane] - 1) * lanes + lane);
  }
  // Lengths are scaled, and a piece is a product of two.
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
