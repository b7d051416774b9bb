// edwp: the recurrence of naive_edwp.cpp, a pair in each lane.
//
// Infinite values on the borders stand for the rules i > 1 and j > 1. A value is the least of its
// three candidates whatever the ties; the ties decide which cuts are kept. The group may be P or Q:
// the recurrence is the same with rows and columns exchanged, but for who wins a tie between them,
// which column_wins says.
#include "simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/edwp.cpp"
#include <limits>

#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "measure/kernels.h"
#include "measure/vector-inl.h"
#include "simd/dispatch.h"
#include "simd/thread_memory.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

template <class V>
struct Point {
  V x, y;
};

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

// In each lane exactly one of three holds: is_first, is_second, or not is_not_third.
template <class M, class V>
HWY_INLINE V choose(M is_first, V first, M is_second, V second, M is_not_third, V third) {
#if HWY_TARGET == HWY_AVX2
  const hn::DFromV<V> d;
  return hn::Or(hn::Or(hn::And(hn::VecFromMask(d, is_first), first),
                       hn::And(hn::VecFromMask(d, is_second), second)),
                hn::AndNot(hn::VecFromMask(d, is_not_third), third));
#else
  static_cast<void>(is_first);
  return choose(is_not_third, choose(is_second, second, first), third);
#endif
}

template <class M, class V>
HWY_INLINE Point<V> choose(M mask, const Point<V>& yes, const Point<V>& no) {
  return {choose(mask, yes.x, no.x), choose(mask, yes.y, no.y)};
}

// The rest of a segment, as in naive_edwp.cpp. In single precision lengths are scaled, which saves
// multiplications: those along a segment by root_scale, those across, from P to Q, by its square,
// since their squares come from lengths along.
template <class V>
struct Rest {
  V length;
  Point<V> direction;  // of length root_scale
};
template <class M, class V>
HWY_INLINE Rest<V> choose(M mask, const Rest<V>& yes, const Rest<V>& no) {
  return {choose(mask, yes.length, no.length), choose(mask, yes.direction, no.direction)};
}
template <class V>
struct Cut {
  V first;
  Rest<V> second;
  V off;
};

// The way from a point of P to a point of Q. The length is scaled as one along; vector · inverse is
// the direction.
template <class V>
struct Way {
  Point<V> vector;
  V length, inverse;
};

template <class V>
HWY_INLINE Point<V> between(const Point<V>& from, const Point<V>& to) {
  return {hn::Sub(to.x, from.x), hn::Sub(to.y, from.y)};
}

// The way between two points. In double precision by the hardware's root: its unit is idle while
// scaled_root() works elsewhere.
template <class V>
HWY_INLINE Way<V> way(const Point<V>& from, const Point<V>& to) {
  using T = hn::TFromV<V>;
  const hn::DFromV<V> d;
  const Point<V> vector = between(from, to);
  const V square = dot(vector.x, vector.y, vector.x, vector.y);
  if constexpr (is_single<T> && !HWY_ARCH_ARM) {  // as in scaled_root()
    const V y = hn::Min(hn::ApproximateReciprocalSqrt(square), hn::Set(d, T{1e18f}));
    const V s = hn::Mul(square, y);
    const V factor = hn::NegMulAdd(s, y, hn::Set(d, T{3}));
    return {vector, hn::Mul(s, factor), hn::Mul(y, factor)};
  } else {
    const V root = hn::Sqrt(square), scale = hn::Set(d, root_scale<T>);
    const V most = hn::Set(d, std::numeric_limits<T>::max());
    return {vector, hn::Mul(root, scale), hn::Min(hn::Div(scale, root), most)};
  }
}

// What the cell below needs of one above it, and what the cell to the right needs of one before it.
template <class V>
struct Above {
  V value, before, ab, ap;
  Rest<V> bq;
  Way<V> here;
};
template <class V>
struct Before {
  V before, ab, bq;
  Rest<V> ap;  // backwards
  Way<V> here;
};

// A length along, scaled as one across.
template <class V>
HWY_INLINE V across(V along) {
  return is_single<hn::TFromV<V>> ? hn::Add(along, along) : along;
}
// The direction, of length root_scale, of a vector whose length, scaled as one along, is given; 0
// where that is 0.
template <class V>
HWY_INLINE Point<V> direction_of(const Point<V>& vector, V length) {
  using T = hn::TFromV<V>;
  const hn::DFromV<V> d;
  const auto is_some = hn::Gt(length, hn::Zero(d));
  const V scale = hn::Set(d, root_scale<T> * root_scale<T>);
  return {hn::IfThenElseZero(is_some, hn::Div(hn::Mul(vector.x, scale), length)),
          hn::IfThenElseZero(is_some, hn::Div(hn::Mul(vector.y, scale), length))};
}

// Where the point that is `to_end` away from the end of `rest` falls on it.
template <class V>
HWY_INLINE Cut<V> project(const Rest<V>& rest, const Way<V>& to_end) {
  using T = hn::TFromV<V>;
  const hn::DFromV<V> d;
  const V zero = hn::Zero(d);
  const auto& [length, u] = rest;
  const auto& [f, distance, inverse] = to_end;
  const V along = dot(f.x, f.y, u.x, u.y);
  const V aside = multiply_subtract(f.y, u.x, hn::Mul(f.x, u.y));
  const V second = hn::Min(hn::Max(along, zero), length);
  const V over = hn::Sub(along, second);
  const auto is_point = hn::Eq(length, zero);
  V off;
  if constexpr (is_single<T> && !HWY_ARCH_ARM) {  // as in scaled_root(); 0 gives 2e-18
    const V square = hn::MulAdd(over, over, hn::MulAdd(aside, aside, hn::Set(d, T{1e-36f})));
    const V y = hn::ApproximateReciprocalSqrt(square);
    const V s = hn::Mul(square, y);
    off = hn::Mul(s, hn::NegMulAdd(s, y, hn::Set(d, T{3})));
  } else {
    off = scaled_root(dot(over, aside, over, aside));
  }
  off = hn::IfThenZeroElse(is_point, off);
#if HWY_TARGET == HWY_AVX2
  const V other = hn::IfThenElseZero(is_point, distance);
  const V turn = hn::IfThenElseZero(is_point, inverse);
  const Point<V> kept{hn::IfThenZeroElse(is_point, u.x), hn::IfThenZeroElse(is_point, u.y)};
  return {
      hn::Or(hn::Sub(length, second), other),
      {hn::Or(second, other), {multiply_add(f.x, turn, kept.x), multiply_add(f.y, turn, kept.y)}},
      off};
#else
  return {choose(is_point, distance, hn::Sub(length, second)),
          {choose(is_point, distance, second),
           choose(is_point, Point<V>{hn::Mul(f.x, inverse), hn::Mul(f.y, inverse)}, u)},
          off};
#endif
}

// The columns: a point of each trajectory of the group, the segment that ends there, and `inverse`
// of the row above.
template <class D>
struct Columns {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  static constexpr std::size_t values = 6;
  static constexpr std::ptrdiff_t margin = 3;  // at either end, for rows not begun or at an end
  T* base;

  HWY_INLINE T* at(D d, std::ptrdiff_t j, std::size_t number) const {
    return base + (j * static_cast<std::ptrdiff_t>(values) + static_cast<std::ptrdiff_t>(number)) *
                      static_cast<std::ptrdiff_t>(hn::Lanes(d));
  }
  HWY_INLINE Point<V> point(D d, std::ptrdiff_t j) const {
    return {hn::Load(d, at(d, j, 0)), hn::Load(d, at(d, j, 1))};
  }
  HWY_INLINE Rest<V> segment(D d, std::ptrdiff_t j) const {
    return {hn::Load(d, at(d, j, 2)), {hn::Load(d, at(d, j, 3)), hn::Load(d, at(d, j, 4))}};
  }
  HWY_INLINE void store(D d, std::ptrdiff_t j, const Point<V>& point,
                        const Rest<V>& segment) const {
    hn::Store(point.x, d, at(d, j, 0));
    hn::Store(point.y, d, at(d, j, 1));
    hn::Store(segment.length, d, at(d, j, 2));
    hn::Store(segment.direction.x, d, at(d, j, 3));
    hn::Store(segment.direction.y, d, at(d, j, 4));
    hn::Store(hn::Zero(d), d, at(d, j, 5));
  }
};

template <class D>
struct EdwpState {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  T* base;

  HWY_INLINE T* at(D d, std::size_t j, std::size_t number) const {
    return base + (j * scratch_rows + number) * hn::Lanes(d);
  }
  HWY_INLINE Above<V> load(D d, std::size_t j, const Point<V>& there, V inverse) const {
    const T* from = at(d, j, 0);
    const std::size_t n = hn::Lanes(d);
    return {hn::Load(d, from),
            hn::Load(d, from + n),
            hn::Load(d, from + 2 * n),
            hn::Load(d, from + 3 * n),
            {hn::Load(d, from + 4 * n), {hn::Load(d, from + 5 * n), hn::Load(d, from + 6 * n)}},
            {there, hn::Load(d, from + 7 * n), inverse}};
  }
  HWY_INLINE void store(D d, const Above<V>& cell, std::size_t j) const {
    T* to = at(d, j, 0);
    const std::size_t n = hn::Lanes(d);
    hn::Store(cell.value, d, to);
    hn::Store(cell.before, d, to + n);
    hn::Store(cell.ab, d, to + 2 * n);
    hn::Store(cell.ap, d, to + 3 * n);
    hn::Store(cell.bq.length, d, to + 4 * n);
    hn::Store(cell.bq.direction.x, d, to + 5 * n);
    hn::Store(cell.bq.direction.y, d, to + 6 * n);
    hn::Store(cell.here.length, d, to + 7 * n);
  }
};

// The rows that are filled together, at the columns they have come to. Row r runs r columns behind
// row 0: when row 0 is at column k, row r is at k - r, whose cell above, of row r - 1, was filled
// one column earlier. So the cells worked on together do not need each other. Rows are worked on
// from the last to the first, as the choice of row r leaves its cell in up[r + 1], where row r + 1
// must have taken the one before.
template <std::size_t rows, class D>
struct RowsTogether {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  Point<V> p[rows + 1];  // p[r + 1] is the point of row r
  Rest<V> p_step[rows];  // the segment to it, backwards
  Above<V> up[rows + 1];
  Before<V> left[rows];
  V corner_value[rows], corner_here[rows];  // of the cell on the diagonal; scaled as across

  // Sets all rows at column 0, where only the table's first row has a finite value. Where it is
  // infinite, the rest of its cell is of no consequence as long as it is finite: whatever
  // is added to the value, it stays infinite, and is never chosen over one that is not.
  HWY_INLINE void begin(D d, const KernelCall<T>& call, const EdwpState<D>& state,
                        std::size_t first) {
    const V zero = hn::Zero(d), infinity = hn::Set(d, std::numeric_limits<T>::infinity());
    HWY_UNROLL(8)
    for (std::size_t r = 0; r <= rows; ++r) {
      p[r] = {hn::Set(d, call.query.channel(0)[first + r - 1]),
              hn::Set(d, call.query.channel(1)[first + r - 1])};
    }
    corner_value[0] = hn::Load(d, state.at(d, 0, 0));
    corner_here[0] = across(hn::Load(d, state.at(d, 0, 7)));
    hn::Store(infinity, d, state.at(d, 0, 0));
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) {
      const V length = hn::Set(d, call.query.channel(2)[first + r] * root_scale<T>);
      p_step[r] = {length, direction_of(between(p[r + 1], p[r]), length)};
      const Rest<V> nothing{zero, {zero, zero}};
      const Way<V> nowhere{{zero, zero}, zero, zero};
      left[r] = {infinity, zero, zero, nothing, nowhere};
      up[r] = {infinity, infinity, zero, zero, nothing, nowhere};
      if (r > 0) corner_value[r] = infinity, corner_here[r] = zero;
    }
  }

  // The next cell of row r, from where the point above cuts the segment of Q (x), where the point
  // before cuts that of P (y), and the way between its own points: the least of its three
  // candidates, and what the winner keeps. Values are not negative, so that their bits compare like
  // them, and one less turns < into ≤ where the column wins a tie.
  HWY_INLINE void choose_step(D d, std::size_t r, const Cut<V>& x, const Cut<V>& y,
                              const Way<V>& way_here, const Rest<V>& q_step,
                              hn::VFromD<hn::RebindToSigned<D>> column_wins) {
    const hn::RebindToSigned<D> whole;
    const V here = across(way_here.length);
    const V diagonal = multiply_add(hn::Add(corner_here[r], here),
                                    hn::Add(p_step[r].length, q_step.length), corner_value[r]);
    const V row_before =
        multiply_add(hn::Add(up[r].ab, x.off), hn::Add(up[r].ap, x.first), up[r].before);
    const V row_value =
        multiply_add(hn::Add(x.off, here), hn::Add(p_step[r].length, x.second.length), row_before);
    const V column_before =
        multiply_add(hn::Add(left[r].ab, y.off), hn::Add(left[r].bq, y.first), left[r].before);
    const V column_value =
        multiply_add(hn::Add(y.off, here), hn::Add(q_step.length, y.second.length), column_before);

    const V step_value = hn::Min(column_value, row_value);
    const auto is_diagonal = hn::Le(diagonal, step_value);
    const auto column_is_less =
        hn::RebindMask(d, hn::Lt(hn::Sub(hn::BitCast(whole, column_value), column_wins),
                                 hn::BitCast(whole, row_value)));
    const auto is_column = hn::AndNot(is_diagonal, column_is_less);
    const auto is_not_row = hn::Or(is_diagonal, column_is_less);
    const V value = hn::Min(diagonal, step_value);
    const V before =
        choose(is_diagonal, corner_value[r], is_column, column_before, is_not_row, row_before);
    const V ab = choose(is_diagonal, corner_here[r], is_column, y.off, is_not_row, x.off);
    const Rest<V> ap = choose(is_column, y.second, p_step[r]);
    const Rest<V> bq = choose(is_not_row, q_step, x.second);
    corner_value[r] = up[r].value;
    corner_here[r] = across(up[r].here.length);
    left[r] = {before, ab, bq.length, ap, way_here};
    up[r + 1] = {value, before, ab, ap.length, bq, way_here};
  }

  // Row 0 has been at column k, and rows from k on at column 0 or before it: to them that is the
  // border still, whatever was computed there.
  HWY_INLINE void stay_at_border(D d, std::size_t k) {
    const V infinity = hn::Set(d, std::numeric_limits<T>::infinity());
    HWY_UNROLL(8)
    for (std::size_t r = 1; r < rows; ++r) {
      if (k > r) continue;
      left[r].before = infinity;
      corner_value[r] = infinity;
    }
  }
};

// Rows `first` to first + rows - 1, first > 0, of which the last is left in the state. Rows that
// have not begun, or are past the end, compute cells that nobody needs, from the margins of the
// group: k - r is between 2 - rows and columns + rows - 2. What is past the end goes down and to
// the right alone, never into a column that is stored.
template <std::size_t rows, class D>
HWY_INLINE void fill_edwp_rows(D d, const KernelCall<hn::TFromD<D>>& call, const Columns<D>& group,
                               std::size_t first) {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  static_assert(static_cast<std::ptrdiff_t>(rows) <= Columns<D>::margin + 1);
  // Projections run this many rows ahead of choices, so that one hides the latency of the other.
  constexpr int lag = is_single<T> ? 2 : HWY_TARGET == HWY_AVX3 ? 1 : 0;
  const std::size_t columns = call.group.length;
  const EdwpState<D> state{call.scratch};
  const auto column_wins = hn::ConvertTo(hn::RebindToSigned<D>(), hn::Load(d, call.column_wins));
  RowsTogether<rows, D> together;
  together.begin(d, call, state, first);

  for (std::size_t k = 1; k < columns + rows - 1; ++k) {
    const auto column = static_cast<std::ptrdiff_t>(k);
    together.up[0] =
        state.load(d, HWY_MIN(k, columns - 1), between(together.p[0], group.point(d, column)),
                   hn::Load(d, group.at(d, column, 5)));
    // As members of `together`, g++ would keep fewer of them in registers.
    Cut<V> row_cut[rows], column_cut[rows];
    Way<V> ways[rows];
    HWY_UNROLL(8)
    for (int s = 0; s < static_cast<int>(rows) + lag; ++s) {
      if (s < static_cast<int>(rows)) {
        const std::size_t r = rows - 1 - static_cast<std::size_t>(s);
        row_cut[r] = project(together.up[r].bq, together.up[r].here);
        column_cut[r] = project(together.left[r].ap, together.left[r].here);
        ways[r] = way(together.p[r + 1], group.point(d, column - static_cast<std::ptrdiff_t>(r)));
      }
      if (s < lag) continue;
      const std::size_t r = rows - 1 - static_cast<std::size_t>(s - lag);
      const Rest<V> q_step = group.segment(d, column - static_cast<std::ptrdiff_t>(r));
      together.choose_step(d, r, row_cut[r], column_cut[r], ways[r], q_step, column_wins);
    }
    if (HWY_LIKELY(k >= rows)) {
      state.store(d, together.up[rows], k - rows + 1);
      hn::Store(together.up[rows].here.inverse, d,
                group.at(d, column - static_cast<std::ptrdiff_t>(rows) + 1, 5));
    } else {
      together.stay_at_border(d, k);
    }
  }
}

struct EdwpColumns;

template <class T>
void edwp(const KernelCall<T>& call) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  using V = hn::VFromD<D>;
  const std::size_t lanes = hn::Lanes(d);
  const EdwpState<D> state{call.scratch};
  const V zero = hn::Zero(d), infinity = hn::Set(d, std::numeric_limits<T>::infinity());
  const auto columns = static_cast<std::ptrdiff_t>(call.group.length);
  constexpr std::ptrdiff_t margin = Columns<D>::margin;
  const std::size_t room = call.group.length + 2 * Columns<D>::margin;
  Columns<D> group{thread_memory<EdwpColumns, T>(room * Columns<D>::values * lanes)};
  group.base = group.at(d, margin, 0);

  // The columns, with the first point and the last once more in the margins, and row 0, which is
  // infinite but for its first cell. What the margins hold is finite, and so harmless.
  const Point<V> p{hn::Set(d, call.query.channel(0)[0]), hn::Set(d, call.query.channel(1)[0])};
  Point<V> last_q{zero, zero};
  for (std::ptrdiff_t j = -margin; j < columns + margin; ++j) {
    const std::size_t from = static_cast<std::size_t>(HWY_MIN(HWY_MAX(j, 0), columns - 1)) * lanes;
    const Point<V> q{hn::Load(d, call.group.channel(0) + from),
                     hn::Load(d, call.group.channel(1) + from)};
    const V length = hn::Mul(hn::Load(d, call.group.channel(2) + from), hn::Set(d, root_scale<T>));
    group.store(d, j, q, {length, direction_of(between(last_q, q), length)});
    last_q = q;
    if (j < 0 || j >= columns) continue;
    const Rest<V> nothing{zero, {zero, zero}};
    state.store(d, {j == 0 ? zero : infinity, infinity, zero, zero, nothing, way(p, q)},
                static_cast<std::size_t>(j));
  }

  // The other rows, three at a time, and what is left one by one: the state has the row above
  // whole. With the address sanitizer it is one by one from the start, as clang takes a minute to
  // compile three. The numbers are the same.
  constexpr std::size_t rows = HWY_IS_ASAN ? 1 : 3;
  std::size_t i = 1;
  for (; i + rows <= call.query.length; i += rows) {
    fill_edwp_rows<rows>(d, call, group, i);
    call.pulse->work(rows * call.group.length);
  }
  for (; i < call.query.length; ++i) fill_edwp_rows<1>(d, call, group, i);

  // A lane's value stands in the column of its own last point: padding is to the right of it, and a
  // cell depends on cells to its left and above alone.
  HWY_ALIGN T last[hn::MaxLanes(d)];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    last[lane] = state.at(d, call.group.lengths[lane] - 1, 0)[lane];
  }
  // A piece is the product of a length across and one along.
  constexpr T scale = root_scale<T> * root_scale<T> * root_scale<T>;
  const V value = hn::Mul(hn::Load(d, last), hn::Set(d, 1 / scale));
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

TSMINI_DISPATCH_PRECISIONS(Kernel, edwp_kernel, edwp)

}  // namespace tsmini
#endif
