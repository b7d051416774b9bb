#include "measure/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "measure/box_kernels.cpp"
#include <limits>

#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "measure/box_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, bound_lanes>;
using Vector = hn::VFromD<Tag>;
using IntegerTag = hn::RebindToSigned<Tag>;
using Integers = hn::VFromD<IntegerTag>;
using Corners = hn::VFromD<hn::RebindToUnsigned<Tag>>;  // x and y as in GridBox

// Too large by 2^-11 at most: a third of the exact root's cost. safe_scale() makes up for it.
HWY_INLINE Vector rough_root(Vector x) {
#if HWY_ARCH_ARM
  return hn::Sqrt(x);
#else
  return hn::Mul(x, hn::Min(hn::ApproximateReciprocalSqrt(x), hn::Set(Tag(), 1e18f)));
#endif
}

HWY_INLINE Corners x_of(Corners corners) {
  return hn::And(corners, hn::Set(hn::RebindToUnsigned<Tag>(), 0xffffu));
}
HWY_INLINE Corners y_of(Corners corners) {
  return hn::ShiftRight<16>(corners);
}

struct BoxVectors {
  Corners low, high;
};

HWY_INLINE BoxVectors load_boxes(const GridBoxes& boxes, std::size_t lane) {
  const hn::RebindToUnsigned<Tag> d;
  return {hn::Load(d, boxes.low + lane), hn::Load(d, boxes.high + lane)};
}

HWY_INLINE BoxVectors repeat_box(const GridBox& box) {
  const hn::RebindToUnsigned<Tag> d;
  return {hn::Set(d, box.low), hn::Set(d, box.high)};
}

// Gaps are below 2^15 and the sum of their squares is below 2^31.
HWY_INLINE Integers squared_gap(const BoxVectors& a, const BoxVectors& b) {
  const IntegerTag d;
#if HWY_TARGET == HWY_SCALAR
  const auto gap = [&](Corners low_a, Corners high_a, Corners low_b, Corners high_b) {
    const auto first = hn::Sub(hn::BitCast(d, low_a), hn::BitCast(d, high_b));
    const auto second = hn::Sub(hn::BitCast(d, low_b), hn::BitCast(d, high_a));
    return hn::Max(hn::Max(first, second), hn::Zero(d));
  };
  const auto x = gap(x_of(a.low), x_of(a.high), x_of(b.low), x_of(b.high));
  const auto y = gap(y_of(a.low), y_of(a.high), y_of(b.low), y_of(b.high));
  return hn::Add(hn::Mul(x, x), hn::Mul(y, y));
#else
  const hn::Repartition<std::uint16_t, Tag> halves;
  const hn::RebindToSigned<decltype(halves)> signed_halves;
  const auto gap = hn::BitCast(
      signed_halves,
      hn::Or(hn::SaturatedSub(hn::BitCast(halves, a.low), hn::BitCast(halves, b.high)),
             hn::SaturatedSub(hn::BitCast(halves, b.low), hn::BitCast(halves, a.high))));
  Integers rest = hn::Zero(d);
  const Integers sum = hn::ReorderWidenMulAccumulate(d, gap, gap, hn::Zero(d), rest);
  return hn::RearrangeToOddPlusEven(sum, rest);
#endif
}

HWY_INLINE Vector root_of(Integers square) {
  return rough_root(hn::ConvertTo(Tag(), square));
}

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

struct FloatBoxes {
  Vector low_x, low_y, high_x, high_y;
};

HWY_INLINE FloatBoxes as_floats(const BoxVectors& boxes) {
  const auto convert = [](Corners v) { return hn::ConvertTo(Tag(), hn::BitCast(IntegerTag(), v)); };
  return {convert(x_of(boxes.low)), convert(y_of(boxes.low)), convert(x_of(boxes.high)),
          convert(y_of(boxes.high))};
}

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
  HWY_DYNAMIC_DISPATCH(sum_boxes_in_lanes)(block, query, bounds);
}

void align_with_boxes(BoxAlignment& alignment) {
  HWY_DYNAMIC_DISPATCH(align_in_lanes)(alignment);
}

}  // namespace tsmini
#endif
