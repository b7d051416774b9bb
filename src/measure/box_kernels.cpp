#include "simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/box_kernels.cpp"
#include <limits>

#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "measure/box_kernels.h"
#include "measure/box_vectors-inl.h"
#include "simd/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

// An alignment pairs each inner point of the query with some point of the trajectory, which is in
// one of its boxes, and so no nearer than the nearest of them. The pairs of different inner points
// differ, and neither the pair of the first points nor that of the last has an inner point: so all
// these terms belong to different pairs of the alignment, and their sum is not above its cost. The
// same holds from the trajectory's side, which is why the larger of the two counts, and not both. A
// hull has boxes that hold those of its trajectories, and the least number of inner points: each
// term is below theirs. A block has bound_lanes values of everything, a multiple of the lanes of a
// Tag: no load goes past them, and for_each_lane() drops the lanes of no trajectory.
void sum_boxes_in_lanes(const BoxBlock& block, const BoxQuery& query, float* HWY_RESTRICT bounds) {
  const Tag d;
  for (std::size_t lane = 0; lane < bound_lanes; lane += hn::Lanes(d)) {
    const Integers far = hn::Set(IntegerTag(), std::numeric_limits<std::int32_t>::max());
    Integers nearest_mine[stretches];
    for (Integers& nearest : nearest_mine) nearest = far;
    Vector mine = hn::Zero(d), theirs = hn::Zero(d);
    HWY_UNROLL(8)
    for (std::size_t s = 0; s < stretches; ++s) {
      const BoxVectors box = repeat_box(query.stretch[s]);
      Integers nearest = far;
      HWY_UNROLL(8)
      for (std::size_t t = 0; t < stretches; ++t) {
        const Integers gap = squared_gap(box, load_boxes(block.stretch[t], lane));
        nearest = hn::Min(nearest, gap);
        nearest_mine[t] = hn::Min(nearest_mine[t], gap);
      }
      mine = hn::MulAdd(root_of(nearest), hn::Set(d, query.inner[s]), mine);
    }
    HWY_UNROLL(8)
    for (std::size_t t = 0; t < stretches; ++t) {
      theirs = hn::MulAdd(root_of(nearest_mine[t]), hn::Load(d, block.inner[t] + lane), theirs);
    }
    const Vector first =
        root_of(squared_gap(repeat_box(query.first), load_boxes(block.first, lane)));
    const Vector last = root_of(squared_gap(repeat_box(query.last), load_boxes(block.last, lane)));
    const Vector ends = hn::MulAdd(last, hn::Set(d, query.last_counts), first);
    const Vector bound = hn::Mul(hn::Add(ends, hn::Max(mine, theirs)), hn::Set(d, query.scale));
    hn::StoreU(bound, d, bounds + lane);
  }
}

// state[s] is the least cost of an alignment of the points so far with the boxes up to s, in which
// the last point is paired with box s. It bounds dtw: put in place of each point of the trajectory
// its box, and drop pairs of the same point with the same box but for one. What is left of dtw's
// best alignment is one of those that are looked at, since boxes follow each other as the points
// do, and no pair of it costs more than before.
void align_in_lanes(BoxAlignment& call) {
  const Tag d;
  const Vector infinity = hn::Set(d, std::numeric_limits<float>::infinity());
  for (std::size_t lane = 0; lane < bound_lanes; lane += hn::Lanes(d)) {
    FloatBoxes boxes[stretches];
    Vector state[stretches];
    for (std::size_t s = 0; s < stretches; ++s) {
      boxes[s] = as_floats(load_boxes(call.stretch[s], lane));
      state[s] = infinity;
    }
    Vector corner = hn::Zero(d);
    for (std::size_t i = 0; i < call.count; ++i) {
      const Vector x = hn::Set(d, call.x[i]), y = hn::Set(d, call.y[i]);
      Vector diagonal = corner, left = infinity;
      corner = infinity;
      HWY_UNROLL(8)
      for (std::size_t s = 0; s < stretches; ++s) {
        const Vector dx = hn::Sub(x, hn::Min(hn::Max(x, boxes[s].low_x), boxes[s].high_x));
        const Vector dy = hn::Sub(y, hn::Min(hn::Max(y, boxes[s].low_y), boxes[s].high_y));
        const Vector before = hn::Min(hn::Min(diagonal, state[s]), left);
        diagonal = state[s];
        left = hn::Add(rough_root(hn::MulAdd(dx, dx, hn::Mul(dy, dy))), before);
        state[s] = left;
      }
    }
    for (std::size_t s = 0; s < stretches; ++s) hn::StoreU(state[s], d, call.sums[s] + lane);
  }
}

}  // namespace tsmini::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini {

HWY_EXPORT(sum_boxes_in_lanes);
HWY_EXPORT(align_in_lanes);

void sum_boxes(const BoxBlock& block, const BoxQuery& query, float* bounds) {
  TSMINI_DISPATCH(sum_boxes_in_lanes)(block, query, bounds);
}

void align_with_boxes(BoxAlignment& alignment) {
  TSMINI_DISPATCH(align_in_lanes)(alignment);
}

}  // namespace tsmini
#endif
