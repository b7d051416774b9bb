// What happens to rows between products.
#include <cstddef>

#if defined(TSMINI_ENCODE_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TSMINI_ENCODE_ROWS_INL_H_
#undef TSMINI_ENCODE_ROWS_INL_H_
#else
#define TSMINI_ENCODE_ROWS_INL_H_
#endif

#include <cmath>

#include "encode/product-inl.h"
#include "model/architecture.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::encode::HWY_NAMESPACE {

// 2^x to 2e-7, for x up to 127; below -126 it is 2^-126. Adding `shifter` leaves the nearest whole
// number in the last bits; the rest, at most 1/2, goes through the polynomial whose largest
// relative error is the smallest.
HWY_INLINE V power_of_two(V x) {
  const D d;
  const hn::RebindToSigned<D> whole;
  const V shifter = hn::Set(d, 12582912.0F);  // 3 · 2^22
  x = hn::Max(x, hn::Set(d, -126.0F));
  const V shifted = hn::Add(x, shifter);
  const V rest = hn::Sub(x, hn::Sub(shifted, shifter));
  V sum = hn::Set(d, 0.00132647285F);
  for (const float coefficient : {0.00967151392F, 0.0555073358F, 0.240222424F, 0.693147004F, 1.0F})
    sum = hn::MulAdd(sum, rest, hn::Set(d, coefficient));
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(whole, shifted));
  return hn::BitCast(d, hn::Add(hn::BitCast(whole, sum), exponent));
}

// 1 / x to 2e-7, for x from 1 to 2^126.
HWY_INLINE V inverse_of(V x) {
  const D d;
  if constexpr (HWY_ARCH_X86) {
    const V y = hn::ApproximateReciprocal(x);
    return hn::Mul(y, hn::NegMulAdd(x, y, hn::Set(d, 2.0F)));
  }
  return hn::Div(hn::Set(d, 1.0F), x);
}

// x / (1 + e^-x)
HWY_INLINE V silu(V x) {
  const D d;
  const V power = hn::Min(hn::Mul(x, hn::Set(d, -1.44269504F)), hn::Set(d, 125.0F));
  return hn::Mul(x, inverse_of(hn::Add(hn::Set(d, 1.0F), power_of_two(power))));
}

// The sum of values[0] to values[size - 1], each through `map`.
template <class Map>
HWY_INLINE float sum_of(const float* values, std::size_t size, const Map& map) {
  const D d;
  V sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) sum = hn::Add(sum, map(hn::LoadU(d, values + i)));
  float total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < size; ++i) total += hn::GetLane(map(hn::Set(d, values[i])));
  return total;
}

// Rows of `size` numbers divided by their root mean square; `centred`: less their mean before.
// Gains and shifts are part of what comes after.
inline void normalise(bool centred, Rows in, std::size_t rows, std::size_t size, float* out) {
  const D d;
  const auto count = static_cast<float>(size);
  for (std::size_t r = 0; r < rows; ++r) {
    const float* row = in.data + r * in.stride;
    float* to = out + r * in.stride;
    const float mean = centred ? sum_of(row, size, [](V x) { return x; }) / count : 0.0F;
    const V shift = hn::Set(d, mean);
    const float squares = sum_of(row, size, [&](V x) {
      const V difference = hn::Sub(x, shift);
      return hn::Mul(difference, difference);
    });
    const V factor = hn::Set(d, 1 / std::sqrt(squares / count + static_cast<float>(norm_epsilon)));
    for (std::size_t i = 0; i < size; i += lanes)
      hn::StoreU(hn::Mul(hn::Sub(hn::LoadU(d, row + i), shift), factor), d, to + i);
  }
}

}  // namespace tsmini::encode::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
