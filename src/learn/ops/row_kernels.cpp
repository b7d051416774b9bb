#include "simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learn/ops/row_kernels.cpp"
#include <algorithm>
#include <cmath>
#include <cstdint>

// clang-format off
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "hwy/contrib/math/math-inl.h"
// clang-format on

#include "learn/ops/row_kernels.h"
#include "model/architecture.h"
#include "simd/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::learn::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Calls `visit` with a vector type and a place, for all of `size`: whole vectors, then single
// lanes.
template <typename T, typename Visit>
HWY_INLINE void each_place(std::size_t size, const Visit& visit) {
  const hn::ScalableTag<T> d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= size; i += hn::Lanes(d)) visit(d, i);
  const hn::CappedTag<T, 1> single;
  for (; i < size; ++i) visit(single, i);
}

template <typename T>
void norm(std::size_t rows, std::size_t channels, const T* x, const T* scale, const T* offset,
          T* y) {
  for (std::size_t r = 0; r < rows; ++r, x += channels, y += channels) {
    each_place<T>(channels, [&](auto d, std::size_t c) {
      const auto z =
          hn::MulAdd(hn::LoadU(d, x + c), hn::LoadU(d, scale + c), hn::LoadU(d, offset + c));
      hn::StoreU(hn::Max(z, hn::Mul(z, hn::Set(d, static_cast<T>(leak)))), d, y + c);
    });
  }
}

template <class D, typename T>
HWY_INLINE auto through_leak(D d, const NormChannels<T>& norm, std::size_t c, hn::VFromD<D> hat,
                             hn::VFromD<D> g) {
  const auto z = hn::MulAdd(hn::LoadU(d, norm.gain + c), hat, hn::LoadU(d, norm.shift + c));
  return hn::IfThenElse(hn::Gt(z, hn::Zero(d)), g, hn::Mul(g, hn::Set(d, static_cast<T>(leak))));
}

template <class D, typename T>
HWY_INLINE auto hat_of(D d, const NormChannels<T>& norm, std::size_t c, const T* x) {
  return hn::Mul(hn::Sub(hn::LoadU(d, x + c), hn::LoadU(d, norm.mean + c)),
                 hn::LoadU(d, norm.inverse + c));
}

template <typename T>
void deviation_sums(std::size_t rows, std::size_t channels, const T* x, const T* mean, T* sums,
                    T* squares) {
  each_place<T>(channels, [&](auto d, std::size_t c) {
    const auto middle = hn::LoadU(d, mean + c);
    auto sum = hn::Zero(d), square = hn::Zero(d);
    for (std::size_t r = 0; r < rows; ++r) {
      const auto deviation = hn::Sub(hn::LoadU(d, x + r * channels + c), middle);
      sum = hn::Add(sum, deviation);
      square = hn::MulAdd(deviation, deviation, square);
    }
    hn::StoreU(sum, d, sums + c);
    hn::StoreU(square, d, squares + c);
  });
}

template <typename T>
void gradient_sums(std::size_t rows, std::size_t channels, const NormChannels<T>& norm, const T* x,
                   const T* grad, T* sums, T* dots) {
  each_place<T>(channels, [&](auto d, std::size_t c) {
    auto sum = hn::Zero(d), dot = hn::Zero(d);
    for (std::size_t r = 0; r < rows; ++r) {
      const auto hat = hat_of(d, norm, c, x + r * channels);
      const auto g = through_leak(d, norm, c, hat, hn::LoadU(d, grad + r * channels + c));
      sum = hn::Add(sum, g);
      dot = hn::MulAdd(g, hat, dot);
    }
    hn::StoreU(sum, d, sums + c);
    hn::StoreU(dot, d, dots + c);
  });
}

template <typename T>
void gradient(std::size_t rows, std::size_t channels, const NormChannels<T>& norm,
              const T* mean_sum, const T* mean_dot, const T* x, const T* grad, T* dx) {
  for (std::size_t r = 0; r < rows; ++r, x += channels, grad += channels, dx += channels) {
    each_place<T>(channels, [&](auto d, std::size_t c) {
      const auto hat = hat_of(d, norm, c, x);
      const auto g = through_leak(d, norm, c, hat, hn::LoadU(d, grad + c));
      const auto centred =
          hn::Sub(hn::Sub(g, hn::LoadU(d, mean_sum + c)), hn::Mul(hat, hn::LoadU(d, mean_dot + c)));
      const auto scale = hn::Mul(hn::LoadU(d, norm.gain + c), hn::LoadU(d, norm.inverse + c));
      hn::StoreU(hn::Mul(scale, centred), d, dx + c);
    });
  }
}

// The sum over a row of what `term` gives for its places.
template <typename T, typename Term>
HWY_INLINE T row_sum(std::size_t size, const Term& term) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 1> single;
  auto sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= size; i += hn::Lanes(d)) sum = hn::Add(sum, term(d, i));
  T total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < size; ++i) total += hn::GetLane(term(single, i));
  return total;
}

template <typename T>
void rms_norm(std::size_t rows, std::size_t channels, const T* x, const T* gain, T* y, T* inverse) {
  for (std::size_t r = 0; r < rows; ++r, x += channels, y += channels) {
    const T squares = row_sum<T>(channels, [&](auto d, std::size_t c) {
      const auto value = hn::LoadU(d, x + c);
      return hn::Mul(value, value);
    });
    inverse[r] = 1 / std::sqrt(squares / static_cast<T>(channels) + static_cast<T>(norm_epsilon));
    each_place<T>(channels, [&](auto d, std::size_t c) {
      const auto scaled = hn::Mul(hn::LoadU(d, x + c), hn::Set(d, inverse[r]));
      hn::StoreU(hn::Mul(scaled, hn::LoadU(d, gain + c)), d, y + c);
    });
  }
}

template <typename T>
void rms_norm_backward(std::size_t rows, std::size_t channels, const T* x, const T* gain,
                       const T* inverse, const T* grad, T* dx, T* dgain) {
  for (std::size_t r = 0; r < rows; ++r, x += channels, grad += channels, dx += channels) {
    const T f = inverse[r];
    const T dot = row_sum<T>(channels, [&](auto d, std::size_t c) {
      return hn::Mul(hn::Mul(hn::LoadU(d, grad + c), hn::LoadU(d, gain + c)), hn::LoadU(d, x + c));
    });
    const T pull = dot * f * f * f / static_cast<T>(channels);
    each_place<T>(channels, [&](auto d, std::size_t c) {
      const auto scaled = hn::Mul(hn::LoadU(d, grad + c), hn::Set(d, f));
      const auto value = hn::LoadU(d, x + c);
      hn::StoreU(hn::MulAdd(scaled, value, hn::LoadU(d, dgain + c)), d, dgain + c);
      const auto through = hn::MulAdd(scaled, hn::LoadU(d, gain + c), hn::LoadU(d, dx + c));
      hn::StoreU(hn::NegMulAdd(value, hn::Set(d, pull), through), d, dx + c);
    });
  }
}

template <class D>
HWY_INLINE auto sigmoid(D d, hn::VFromD<D> x) {
  const auto one = hn::Set(d, hn::TFromD<D>{1});
  return hn::Div(one, hn::Add(one, hn::Exp(d, hn::Neg(x))));
}

template <typename T>
void gates(std::size_t rows, std::size_t half, const T* h, T* out) {
  for (std::size_t r = 0; r < rows; ++r, h += 2 * half, out += half) {
    each_place<T>(half, [&](auto d, std::size_t c) {
      const auto a = hn::LoadU(d, h + c);
      hn::StoreU(hn::Mul(hn::Mul(a, sigmoid(d, a)), hn::LoadU(d, h + half + c)), d, out + c);
    });
  }
}

template <typename T>
void gates_backward(std::size_t rows, std::size_t half, const T* h, const T* grad, T* dh, T* out) {
  for (std::size_t r = 0; r < rows; ++r, h += 2 * half, dh += 2 * half, grad += half) {
    each_place<T>(half, [&](auto d, std::size_t c) {
      const auto a = hn::LoadU(d, h + c), b = hn::LoadU(d, h + half + c);
      const auto g = hn::LoadU(d, grad + c), s = sigmoid(d, a), silu = hn::Mul(a, s);
      // The derivative of silu: s + silu · (1 - s).
      const auto slope = hn::Add(s, hn::Sub(silu, hn::Mul(silu, s)));
      hn::StoreU(hn::Mul(hn::Mul(g, b), slope), d, dh + c);
      hn::StoreU(hn::Mul(g, silu), d, dh + half + c);
      hn::StoreU(hn::Mul(silu, b), d, out + r * half + c);
    });
  }
}

template <typename T>
void add_relu(std::size_t size, const T* x, const T* branch, T* y) {
  each_place<T>(size, [&](auto d, std::size_t i) {
    hn::StoreU(hn::Add(hn::LoadU(d, x + i), hn::Max(hn::LoadU(d, branch + i), hn::Zero(d))), d,
               y + i);
  });
}

template <typename T>
void relu_backward(std::size_t rows, std::size_t channels, const T* branch, const T* grad,
                   T* dbranch, T* dbias) {
  for (std::size_t r = 0; r < rows; ++r) {
    each_place<T>(channels, [&](auto d, std::size_t c) {
      const auto open = hn::Gt(hn::LoadU(d, branch + c), hn::Zero(d));
      const auto g = hn::IfThenElseZero(open, hn::LoadU(d, grad + c));
      hn::StoreU(g, d, dbranch + c);
      hn::StoreU(hn::Add(hn::LoadU(d, dbias + c), g), d, dbias + c);
    });
    branch += channels;
    grad += channels;
    dbranch += channels;
  }
}

template <typename T>
void pool(std::size_t rows, std::size_t channels, const T* x, T* sum, T* most, T* place) {
  each_place<T>(channels, [&](auto d, std::size_t c) {
    auto total = hn::Zero(d), largest = hn::LoadU(d, x + c), at = hn::Zero(d);
    for (std::size_t r = 0; r < rows; ++r) {
      const auto value = hn::LoadU(d, x + r * channels + c);
      const auto above = hn::Gt(value, largest);
      total = hn::Add(total, value);
      largest = hn::IfThenElse(above, value, largest);
      at = hn::IfThenElse(above, hn::Set(d, static_cast<T>(r)), at);
    }
    hn::StoreU(total, d, sum + c);
    hn::StoreU(largest, d, most + c);
    hn::StoreU(at, d, place + c);
  });
}

template <typename T>
HWY_INLINE T largest_difference(std::size_t size, const T* a, const T* b) {
  const hn::ScalableTag<T> d;
  T most = 0;
  if (size % hn::Lanes(d) == 0) {
    auto wide = hn::Zero(d);
    for (std::size_t c = 0; c < size; c += hn::Lanes(d))
      wide = hn::Max(wide, hn::Abs(hn::Sub(hn::LoadU(d, a + c), hn::LoadU(d, b + c))));
    return hn::GetLane(hn::MaxOfLanes(d, wide));
  }
  for (std::size_t c = 0; c < size; ++c) most = std::max(most, std::abs(a[c] - b[c]));
  return most;
}

// The first place with that difference.
template <typename T>
HWY_INLINE std::size_t place_of_difference(std::size_t size, const T* a, const T* b, T most) {
  const hn::ScalableTag<T> d;
  std::size_t c = 0;
  if (size % hn::Lanes(d) == 0) {
    for (; c + hn::Lanes(d) < size; c += hn::Lanes(d)) {
      const auto diff = hn::Abs(hn::Sub(hn::LoadU(d, a + c), hn::LoadU(d, b + c)));
      if (!hn::AllFalse(d, hn::Eq(diff, hn::Set(d, most)))) break;
    }
    const auto diff = hn::Abs(hn::Sub(hn::LoadU(d, a + c), hn::LoadU(d, b + c)));
    const std::intptr_t lane = hn::FindFirstTrue(d, hn::Eq(diff, hn::Set(d, most)));
    return c + static_cast<std::size_t>(std::max<std::intptr_t>(lane, 0));
  }
  while (c + 1 < size && std::abs(a[c] - b[c]) != most) ++c;
  return c;
}

template <typename T>
void distances(std::size_t count, std::size_t dimension, std::size_t group, const T* one,
               const T* others, T* out) {
  for (std::size_t j = 0; j < count; ++j, others += dimension) {
    const hn::ScalableTag<T> d;
    if (group <= 1 && dimension % hn::Lanes(d) == 0) {
      auto sum = hn::Zero(d);
      for (std::size_t c = 0; c < dimension; c += hn::Lanes(d)) {
        const auto diff = hn::Sub(hn::LoadU(d, one + c), hn::LoadU(d, others + c));
        sum = group == 1 ? hn::Add(sum, hn::Abs(diff)) : hn::MulAdd(diff, diff, sum);
      }
      const T total = hn::GetLane(hn::SumOfLanes(d, sum));
      out[j] = group == 1 ? total : std::sqrt(total);
      continue;
    }
    T sum = 0;
    for (std::size_t from = 0; from < dimension; from += std::max<std::size_t>(group, 1)) {
      if (group == 0) sum += (one[from] - others[from]) * (one[from] - others[from]);
      if (group == 1) sum += std::abs(one[from] - others[from]);
      if (group > 1) sum += largest_difference(group, one + from, others + from);
    }
    out[j] = group == 0 ? std::sqrt(sum) : sum;
  }
}

template <typename T>
void distances_backward(std::size_t count, std::size_t dimension, std::size_t group, const T* one,
                        const T* others, const T* lengths, const T* pulls, T* done) {
  for (std::size_t j = 0; j < count; ++j, others += dimension) {
    const T pull = group > 0 ? pulls[j] : (lengths[j] > 0 ? pulls[j] / lengths[j] : T{0});
    if (pull == 0) continue;
    if (group <= 1) {
      each_place<T>(dimension, [&](auto d, std::size_t c) {
        const auto diff = hn::Sub(hn::LoadU(d, one + c), hn::LoadU(d, others + c));
        const auto p = hn::Set(d, pull), zero = hn::Zero(d);
        const auto step =
            group == 0 ? hn::Mul(p, diff)
                       : hn::IfThenElseZero(hn::Ne(diff, zero),
                                            hn::IfThenElse(hn::Gt(diff, zero), p, hn::Neg(p)));
        hn::StoreU(hn::Add(hn::LoadU(d, done + c), step), d, done + c);
      });
      continue;
    }
    for (std::size_t from = 0; from < dimension; from += group) {
      const T most = largest_difference(group, one + from, others + from);
      const std::size_t c = from + place_of_difference(group, one + from, others + from, most);
      const T diff = one[c] - others[c];
      done[c] += pull * static_cast<T>((diff > 0 ? 1 : 0) - (diff < 0 ? 1 : 0));
    }
  }
}

template <typename T>
RowKernels<T> all_kernels() {
  return {&norm<T>,
          &deviation_sums<T>,
          &gradient_sums<T>,
          &gradient<T>,
          &rms_norm<T>,
          &rms_norm_backward<T>,
          &gates<T>,
          &gates_backward<T>,
          &add_relu<T>,
          &relu_backward<T>,
          &pool<T>,
          &distances<T>,
          &distances_backward<T>};
}

RowKernels<float> single_kernels() {
  return all_kernels<float>();
}
RowKernels<double> double_kernels() {
  return all_kernels<double>();
}

}  // namespace tsmini::learn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini::learn {

TSMINI_DISPATCH_PRECISIONS(RowKernels, row_kernels, kernels)

}  // namespace tsmini::learn
#endif
