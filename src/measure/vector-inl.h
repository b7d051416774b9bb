// Arithmetic that single and double precision do differently.
//
// In double precision every operation is the one the scalar twin does, in its order, so that both
// give the same digits: correctly rounded roots, nothing fused. In single precision products are
// fused where the target can, and roots come from the approximate reciprocal root and one step of
// Newton's method, a third of the cost of the hardware's root (but on ARM, whose root is cheap).
#include <cstddef>

#if defined(TSMINI_MEASURE_VECTOR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TSMINI_MEASURE_VECTOR_INL_H_
#undef TSMINI_MEASURE_VECTOR_INL_H_
#else
#define TSMINI_MEASURE_VECTOR_INL_H_
#endif

#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
inline constexpr bool is_single = std::is_same_v<T, float>;

// a·b + c
template <class V>
HWY_INLINE V multiply_add(V a, V b, V c) {
  if constexpr (is_single<hn::TFromV<V>>) {
    return hn::MulAdd(a, b, c);
  } else {
    return hn::Add(hn::Mul(a, b), c);
  }
}

// c - a·b
template <class V>
HWY_INLINE V multiply_subtract(V a, V b, V c) {
  if constexpr (is_single<hn::TFromV<V>>) {
    return hn::NegMulAdd(a, b, c);
  } else {
    return hn::Sub(c, hn::Mul(a, b));
  }
}

// ax·bx + ay·by. The same shape for every argument: of equal vectors the products are equal.
template <class V>
HWY_INLINE V dot(V ax, V ay, V bx, V by) {
  return multiply_add(ax, bx, hn::Mul(ay, by));
}

// scaled_root() gives the root times this.
template <class T>
inline constexpr T root_scale = is_single<T> ? T{2} : T{1};

// The correctly rounded root, in double precision. Where the target has an approximate reciprocal
// root, three steps of Goldschmidt's method, the last with the exact remainder, are three times as
// fast as the hardware's root; the digits are the same. Zero gives zero.
template <class V>
HWY_INLINE V rounded_root(V x) {
#if HWY_TARGET == HWY_AVX3
  const hn::DFromV<V> d;
  const V half = hn::Set(d, 0.5);
  const V y = hn::Min(V{_mm512_rsqrt14_pd(x.raw)}, hn::Set(d, 1e150));
  V root = hn::Mul(x, y);
  V half_inverse = hn::Mul(y, half);
  V error = hn::NegMulAdd(root, half_inverse, half);
  root = hn::MulAdd(root, error, root);
  half_inverse = hn::MulAdd(half_inverse, error, half_inverse);
  error = hn::NegMulAdd(root, half_inverse, half);
  root = hn::MulAdd(root, error, root);
  half_inverse = hn::MulAdd(half_inverse, error, half_inverse);
  return hn::MulAdd(hn::NegMulAdd(root, root, x), half_inverse, root);
#else
  return hn::Sqrt(x);
#endif
}

// Zero gives exactly zero. In single precision s = x·y with y near 1/√x, and s (3 - s y) is twice
// the root to about 2^-23: keeping the factor saves a multiplication.
template <class V>
HWY_INLINE V scaled_root(V x) {
  using T = hn::TFromV<V>;
  if constexpr (is_single<T> && !HWY_ARCH_ARM) {
    const hn::DFromV<V> d;
    const V y = hn::Min(hn::ApproximateReciprocalSqrt(x), hn::Set(d, T{1e18f}));
    const V s = hn::Mul(x, y);
    return hn::Mul(s, hn::NegMulAdd(s, y, hn::Set(d, T{3})));
  } else if constexpr (is_single<T>) {
    const V root = hn::Sqrt(x);
    return hn::Add(root, root);
  } else {
    return rounded_root(x);
  }
}

}  // namespace tsmini::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
