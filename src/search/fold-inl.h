// The ends of the distance kernels: from a row's lanes to one number, four rows at a time.
#include <cstddef>

#if defined(TSMINI_SEARCH_FOLD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TSMINI_SEARCH_FOLD_INL_H_
#undef TSMINI_SEARCH_FOLD_INL_H_
#else
#define TSMINI_SEARCH_FOLD_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::size_t rows_at_once = 4;

// Joins two halves of `width` lanes: those of the same groups by their maximum, others by addition.
template <std::size_t groups, std::size_t width, class V>
HWY_INLINE V join(V a, V b) {
  if constexpr (groups < width) {
    return hn::Max(a, b);
  } else {
    return hn::Add(a, b);
  }
}

#if HWY_TARGET == HWY_SCALAR

// A row's lanes, one to a vector, to a single one.
template <std::size_t groups, std::size_t width, class V>
HWY_INLINE V fold(const V (&lanes)[width]) {
  V half[width / 2];
  for (std::size_t i = 0; i < width / 2; ++i) {
    half[i] = join<groups, width>(lanes[i], lanes[i + width / 2]);
  }
  if constexpr (width == 2) {
    return half[0];
  } else {
    return fold<groups>(half);
  }
}

#else

// A row's lanes, in as many vectors as the target needs for them, to a quarter of them: the size of
// the smallest vector.
template <std::size_t groups, std::size_t width, std::size_t parts, class V>
HWY_INLINE auto quarter(const V (&lanes)[parts]) {
  const hn::DFromV<V> d;
  if constexpr (parts == 4) {
    return join<groups, width / 2>(join<groups, width>(lanes[0], lanes[2]),
                                   join<groups, width>(lanes[1], lanes[3]));
  } else {
    const hn::Half<decltype(d)> half;
    if constexpr (parts == 2) {
      const V joined = join<groups, width>(lanes[0], lanes[1]);
      return join<groups, width / 2>(hn::LowerHalf(half, joined), hn::UpperHalf(half, joined));
    } else {
      const auto joined =
          join<groups, width>(hn::LowerHalf(half, lanes[0]), hn::UpperHalf(half, lanes[0]));
      const hn::Half<decltype(half)> fourth;
      return join<groups, width / 2>(hn::LowerHalf(fourth, joined), hn::UpperHalf(fourth, joined));
    }
  }
}

// The four lanes of each of four rows to a vector with a number for each row.
template <std::size_t groups, class V>
HWY_INLINE V one_a_row(V a, V b, V c, V e) {
  const hn::DFromV<V> d;
  const V ab = join<groups, 4>(hn::ConcatLowerLower(d, b, a), hn::ConcatUpperUpper(d, b, a));
  const V ce = join<groups, 4>(hn::ConcatLowerLower(d, e, c), hn::ConcatUpperUpper(d, e, c));
  return join<groups, 2>(hn::ConcatEven(d, ce, ab), hn::ConcatOdd(d, ce, ab));
}

#endif

}  // namespace tsmini::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
