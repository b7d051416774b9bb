#include "simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/code_kernels.cpp"
#include <algorithm>
#include <bit>

#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "search/code_kernels.h"
#include "search/fold-inl.h"
#include "simd/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

// Measures lane by lane, where there are no vectors.
void measure_codes(const LaneLayout& layout, const CodeCall& call) {
  const bool squares = layout.metric().kind == MetricKind::l2;
  for (std::size_t i = 0; i < call.count; ++i) {
    const std::uint8_t* row = call.rows + i * layout.width();
    std::uint32_t sum = 0;
    for (std::size_t b = 0; b < layout.blocks(); ++b) {
      const std::size_t first = b * layout.steps() * code_lanes;
      for (std::size_t g = 0; g < layout.groups(); ++g) {
        int largest = 0;
        for (std::size_t k = g; k < layout.steps() * code_lanes; k += layout.groups()) {
          const int difference = call.query[first + k] - row[first + k];
          largest = std::max({largest, difference, -difference});
        }
        sum += static_cast<std::uint32_t>(squares ? largest * largest : largest);
      }
    }
    call.distances[i] = sum;
  }
}

CodeKernel code_kernel_of(const LaneLayout&) {
  return &measure_codes;
}

#else

using Bytes = hn::CappedTag<std::uint8_t, code_lanes>;
using Words = hn::Repartition<std::uint32_t, Bytes>;
constexpr std::size_t parts = code_lanes / hn::MaxLanes(Bytes());
using ByteVector = hn::VFromD<Bytes>;
using WordVector = hn::VFromD<Words>;

HWY_INLINE ByteVector difference(const std::uint8_t* a, const std::uint8_t* b) {
  const Bytes d;
  const ByteVector x = hn::LoadU(d, a), y = hn::LoadU(d, b);
  return hn::Or(hn::SaturatedSub(x, y), hn::SaturatedSub(y, x));
}

// Puts into every lane the largest of all lanes that hold the same group.
template <std::size_t groups>
HWY_INLINE void spread_largest(ByteVector (&lanes)[parts]) {
  const Bytes d;
  if constexpr (groups <= 32) {
    if constexpr (parts == 1) {
      lanes[0] = hn::Max(lanes[0], hn::ConcatLowerUpper(d, lanes[0], lanes[0]));
    } else {
      for (std::size_t p = 0; p < parts / 2; ++p) {
        lanes[p] = lanes[p + parts / 2] = hn::Max(lanes[p], lanes[p + parts / 2]);
      }
    }
  }
  if constexpr (groups <= 16) {
    if constexpr (parts == 4) {
      lanes[0] = lanes[1] = lanes[2] = lanes[3] = hn::Max(lanes[0], lanes[1]);
    } else {
      for (ByteVector& v : lanes) v = hn::Max(v, hn::SwapAdjacentBlocks(v));
    }
  }
  for (ByteVector& v : lanes) {
    if constexpr (groups <= 8) v = hn::Max(v, hn::CombineShiftRightBytes<8>(d, v, v));
    if constexpr (groups <= 4) v = hn::Max(v, hn::CombineShiftRightBytes<4>(d, v, v));
    if constexpr (groups <= 2) v = hn::Max(v, hn::CombineShiftRightBytes<2>(d, v, v));
    if constexpr (groups <= 1) v = hn::Max(v, hn::CombineShiftRightBytes<1>(d, v, v));
  }
}

constexpr std::size_t fetch_ahead = 4096;  // bytes

struct Sums {
  WordVector part[parts];
};

HWY_INLINE WordVector sums_of(ByteVector v) {
  return hn::BitCast(Words(), hn::SumsOf8(v));
}

HWY_INLINE WordVector squares_of(ByteVector v) {
  const Bytes d;
  const hn::Repartition<std::int16_t, Bytes> shorts;
  const hn::RebindToSigned<Words> words;
  const auto zero = hn::Zero(d);
  const auto low = hn::BitCast(shorts, hn::InterleaveLower(d, v, zero));
  const auto high = hn::BitCast(shorts, hn::InterleaveUpper(d, v, zero));
  auto other = hn::Zero(words);
  auto sum = hn::ReorderWidenMulAccumulate(words, low, low, hn::Zero(words), other);
  sum = hn::ReorderWidenMulAccumulate(words, high, high, sum, other);
  return hn::BitCast(Words(), hn::Add(sum, other));
}

// Each group's largest difference is counted in every lane that holds it: code_lanes / groups
// times.
template <bool squares, std::size_t groups>
HWY_INLINE void add_block(const std::uint8_t* query, const std::uint8_t* row, std::size_t steps,
                          Sums& sums) {
  const Bytes d;
  ByteVector largest[parts];
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = p * hn::Lanes(d);
    largest[p] = difference(query + first, row + first);
    for (std::size_t s = 1; s < steps; ++s) {
      const std::size_t i = s * code_lanes + first;
      largest[p] = hn::Max(largest[p], difference(query + i, row + i));
    }
  }
  spread_largest<groups>(largest);
  for (std::size_t p = 0; p < parts; ++p) {
    sums.part[p] = hn::Add(sums.part[p], squares ? squares_of(largest[p]) : sums_of(largest[p]));
  }
}

// Four rows at once, whose lanes are folded together. Where fewer are left, the last one stands in
// for the missing: nothing behind the rows is read, and what is computed for it is not stored. What
// is fetched ahead may lie behind them, which is no read and cannot fail. A row's width is a
// multiple of steps · code_lanes (LaneLayout), so vectors end where it ends.
template <bool squares, std::size_t groups>
void measure_codes(const LaneLayout& layout, const CodeCall& call) {
  constexpr std::size_t word_lanes = code_lanes / sizeof(std::uint32_t);
  constexpr int counted = std::countr_zero(code_lanes / groups);
  const std::size_t width = layout.width();
  const std::size_t steps = layout.steps();
  for (std::size_t i = 0; i < call.count; i += rows_at_once) {
    // The processor fetches ahead by itself, but not across pages.
    for (std::size_t at = 0; at < rows_at_once * width; at += 64) {
      hwy::Prefetch(call.rows + i * width + at + fetch_ahead);
    }
    Sums sums[rows_at_once];
    HWY_UNROLL(4)
    for (std::size_t r = 0; r < rows_at_once; ++r) {
      for (WordVector& part : sums[r].part) part = hn::Zero(Words());
      const std::uint8_t* row = call.rows + std::min(i + r, call.count - 1) * width;
      for (std::size_t first = 0; first < width; first += steps * code_lanes) {
        add_block<squares, groups>(call.query + first, row + first, steps, sums[r]);
      }
    }
    const auto lanes_of = [&](std::size_t r) {
      return quarter<word_lanes, word_lanes>(sums[r].part);
    };
    const auto folded = hn::ShiftRight<counted>(
        one_a_row<word_lanes>(lanes_of(0), lanes_of(1), lanes_of(2), lanes_of(3)));
    const hn::DFromV<decltype(folded)> four;
    if (i + rows_at_once <= call.count) {
      hn::StoreU(folded, four, call.distances + i);
    } else {
      std::uint32_t last[rows_at_once];
      hn::StoreU(folded, four, last);
      std::copy(last, last + (call.count - i), call.distances + i);
    }
  }
}

CodeKernel code_kernel_of(const LaneLayout& layout) {
  if (layout.metric().kind == MetricKind::l2) return &measure_codes<true, code_lanes>;
  switch (layout.groups()) {
    case 1: return &measure_codes<false, 1>;
    case 2: return &measure_codes<false, 2>;
    case 4: return &measure_codes<false, 4>;
    case 8: return &measure_codes<false, 8>;
    case 16: return &measure_codes<false, 16>;
    case 32: return &measure_codes<false, 32>;
    default: return &measure_codes<false, 64>;
  }
}

#endif

}  // namespace tsmini::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini {

HWY_EXPORT(code_kernel_of);

CodeKernel code_kernel(const LaneLayout& layout) {
  return TSMINI_DISPATCH(code_kernel_of)(layout);
}

}  // namespace tsmini
#endif
