// Boxes of a block in vector lanes, and how far they are apart.
#include <cstddef>

#if defined(TSMINI_MEASURE_BOX_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TSMINI_MEASURE_BOX_VECTORS_INL_H_
#undef TSMINI_MEASURE_BOX_VECTORS_INL_H_
#else
#define TSMINI_MEASURE_BOX_VECTORS_INL_H_
#endif

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

// A root at a third of the exact one's cost: off by 1.5 * 2^-12 either way at most; in the
// emulation up to 1.76e-3 too small, never noticeably too large. safe_scale() makes up for it in
// lower bounds, StretchQuery::upper_scale in upper sums.
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

struct FloatBoxes {
  Vector low_x, low_y, high_x, high_y;
};

HWY_INLINE FloatBoxes as_floats(const BoxVectors& boxes) {
  const auto convert = [](Corners v) { return hn::ConvertTo(Tag(), hn::BitCast(IntegerTag(), v)); };
  return {convert(x_of(boxes.low)), convert(y_of(boxes.low)), convert(x_of(boxes.high)),
          convert(y_of(boxes.high))};
}

}  // namespace tsmini::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
