// hausdorff-segment, sspd and a lower bound of frechet-continuous: distances of vertices to
// segments, in both directions.
//
// Point i stands for itself and for the segment to point i + 1; at the last point that segment is a
// point, so that a polyline of one point needs no rule of its own and padding changes nothing. With
// the reciprocals of the squared lengths at hand (PackedSet), a projection needs no division.
#include "simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/segment.cpp"
#include <limits>

#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "measure/kernels.h"
#include "measure/vector-inl.h"
#include "simd/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

// A point and the segment that begins there.
template <class V>
struct Vertex {
  V x, y;
  V ex, ey;
  V inverse;
};

template <class D>
HWY_INLINE Vertex<hn::VFromD<D>> column_vertex(D d, const PackedGroup<hn::TFromD<D>>& group,
                                               std::size_t j) {
  return {hn::Load(d, group.channel(0) + j), hn::Load(d, group.channel(1) + j),
          hn::Load(d, group.channel(2) + j), hn::Load(d, group.channel(3) + j),
          hn::Load(d, group.channel(4) + j)};
}

// The direction is negated: that turns the projection of a column's point into the same expression
// of the difference as that of the query's point.
template <class D>
HWY_INLINE Vertex<hn::VFromD<D>> row_vertex(D d, const PackedQuery<hn::TFromD<D>>& query,
                                            std::size_t i) {
  return {hn::Set(d, query.channel(0)[i]), hn::Set(d, query.channel(1)[i]),
          hn::Set(d, -query.channel(2)[i]), hn::Set(d, -query.channel(3)[i]),
          hn::Set(d, query.channel(4)[i])};
}

// The squared distance of the end of f, which begins where the segment does, to the segment.
template <class V>
HWY_INLINE V squared_to_segment(V fx, V fy, const Vertex<V>& segment) {
  const hn::DFromV<V> d;
  const V along = hn::Mul(dot(fx, fy, segment.ex, segment.ey), segment.inverse);
  const V t = hn::Min(hn::Max(along, hn::Zero(d)), hn::Set(d, hn::TFromV<V>{1}));
  const V rx = multiply_subtract(t, segment.ex, fx);
  const V ry = multiply_subtract(t, segment.ey, fy);
  return dot(rx, ry, rx, ry);
}

template <class V>
struct BothWays {
  V row_to_column, column_to_row;  // vertex to segment, squared
};

template <class V>
HWY_INLINE BothWays<V> both_ways(const Vertex<V>& row, const Vertex<V>& column) {
  const V fx = hn::Sub(row.x, column.x), fy = hn::Sub(row.y, column.y);
  return {squared_to_segment(fx, fy, column), squared_to_segment(fx, fy, row)};
}

// Gives the squared distances of `rows` query points from the polylines, and lowers those of the
// columns from the query in the scratch.
template <std::size_t rows, class D>
HWY_INLINE void nearest_of_rows(D d, const KernelCall<hn::TFromD<D>>& call, std::size_t first,
                                hn::VFromD<D> (&nearest)[rows]) {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  const std::size_t lanes = hn::Lanes(d);
  Vertex<V> row[rows];
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows; ++r) {
    row[r] = row_vertex(d, call.query, first + r);
    nearest[r] = hn::Set(d, std::numeric_limits<T>::infinity());
  }
  for (std::size_t j = 0; j < call.group.length * lanes; j += lanes) {
    const Vertex<V> column = column_vertex(d, call.group, j);
    V nearest_to_column = hn::Load(d, call.scratch + j);
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) {
      const BothWays<V> squared = both_ways(row[r], column);
      nearest[r] = hn::Min(nearest[r], squared.row_to_column);
      nearest_to_column = hn::Min(nearest_to_column, squared.column_to_row);
    }
    hn::Store(nearest_to_column, d, call.scratch + j);
  }
}

// join(what is joined so far, squared distance of one vertex) takes up the query's vertices; the
// squared distances of the columns are left in the scratch.
template <class D, class Join>
HWY_INLINE hn::VFromD<D> join_rows(D d, const KernelCall<hn::TFromD<D>>& call, const Join& join) {
  using V = hn::VFromD<D>;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t j = 0; j < call.group.length * lanes; j += lanes) {
    hn::Store(hn::Set(d, std::numeric_limits<hn::TFromD<D>>::infinity()), d, call.scratch + j);
  }
  V joined = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 2 <= call.query.length; i += 2) {
    V nearest[2];
    nearest_of_rows<2>(d, call, i, nearest);
    joined = join(join(joined, nearest[0]), nearest[1]);
    call.pulse->work(2 * call.group.length);
  }
  if (i < call.query.length) {
    V nearest[1];
    nearest_of_rows<1>(d, call, i, nearest);
    joined = join(joined, nearest[0]);
  }
  return joined;
}

struct Greater {
  template <class V>
  HWY_INLINE V operator()(V joined, V squared) const {
    return hn::Max(joined, squared);
  }
};
struct SumOfRoots {
  template <class V>
  HWY_INLINE V operator()(V joined, V squared) const {
    return hn::Add(joined, hn::Sqrt(squared));
  }
};

template <class T>
void hausdorff_segment(const KernelCall<T>& call) {
  const hn::ScalableTag<T> d;
  auto farthest = join_rows(d, call, Greater());
  for (std::size_t j = 0; j < call.group.length * hn::Lanes(d); j += hn::Lanes(d)) {
    farthest = hn::Max(farthest, hn::Load(d, call.scratch + j));
  }
  hn::Store(hn::Sqrt(farthest), d, call.out);
}

template <class T>
void sspd(const KernelCall<T>& call) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto rows = join_rows(d, call, SumOfRoots());
  HWY_ALIGN T lengths[hn::MaxLanes(d)];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    lengths[lane] = static_cast<T>(call.group.lengths[lane]);
  }
  const auto length = hn::Load(d, lengths);
  auto columns = hn::Zero(d);
  for (std::size_t j = 0; j < call.group.length; ++j) {
    const auto is_padding = hn::Ge(hn::Set(d, static_cast<T>(j)), length);
    const auto squared = hn::Load(d, call.scratch + j * lanes);
    columns = hn::Add(columns, hn::IfThenZeroElse(is_padding, hn::Sqrt(squared)));
  }
  const auto sum = hn::Add(hn::Div(rows, hn::Set(d, static_cast<T>(call.query.length))),
                           hn::Div(columns, length));
  hn::Store(hn::Mul(sum, hn::Set(d, T{0.5})), d, call.out);
}

// The least leash of a path through the free-space diagram that may enter each boundary of a cell
// anywhere: what monotonicity asks within a row or column of cells is left out. `in` of a cell is
// the least leash to get into it, over the segment of the column (from the row before) or of the
// row.
template <std::size_t rows, class D>
HWY_INLINE void pass_rows(D d, const KernelCall<hn::TFromD<D>>& call, std::size_t first) {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  const std::size_t lanes = hn::Lanes(d);
  Vertex<V> row[rows];
  V left[rows];
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows; ++r) {
    row[r] = row_vertex(d, call.query, first + r);
    left[r] = hn::Set(d, first + r == 0 ? T{0} : std::numeric_limits<T>::infinity());
  }
  for (std::size_t j = 0; j < call.group.length * lanes; j += lanes) {
    const Vertex<V> column = column_vertex(d, call.group, j);
    V in = hn::Load(d, call.scratch + j);
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) {
      const BothWays<V> squared = both_ways(row[r], column);
      in = hn::Min(hn::Max(squared.row_to_column, in), hn::Max(squared.column_to_row, left[r]));
      left[r] = in;
    }
    hn::Store(in, d, call.scratch + j);
  }
}

template <class T>
void frechet_bound(const KernelCall<T>& call) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t j = 0; j < call.group.length * lanes; j += lanes) {
    hn::Store(hn::Set(d, std::numeric_limits<T>::infinity()), d, call.scratch + j);
  }
  std::size_t i = 0;
  for (; i + 2 <= call.query.length; i += 2) {
    pass_rows<2>(d, call, i);
    call.pulse->work(2 * call.group.length);
  }
  if (i < call.query.length) pass_rows<1>(d, call, i);
  HWY_ALIGN T last[hn::MaxLanes(d)];
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    last[lane] = call.scratch[(call.group.lengths[lane] - 1) * lanes + lane];
  }
  const auto dx = hn::Sub(hn::Load(d, call.group.channel(0)), hn::Set(d, call.query.channel(0)[0]));
  const auto dy = hn::Sub(hn::Load(d, call.group.channel(1)), hn::Set(d, call.query.channel(1)[0]));
  hn::Store(hn::Sqrt(hn::Max(hn::Load(d, last), dot(dx, dy, dx, dy))), d, call.out);
}

template <class T>
Kernel<T> segment_of(Measure measure) {
  switch (measure) {
    case Measure::hausdorff_segment: return &hausdorff_segment<T>;
    case Measure::sspd: return &sspd<T>;
    case Measure::frechet_continuous: return &frechet_bound<T>;
    default: return nullptr;
  }
}

Kernel<float> single_segment(Measure measure) {
  return segment_of<float>(measure);
}
Kernel<double> double_segment(Measure measure) {
  return segment_of<double>(measure);
}

}  // namespace tsmini::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini {

TSMINI_DISPATCH_PRECISIONS(Kernel, segment_kernel, segment, Measure)

}  // namespace tsmini
#endif
