#include "simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learn/ops/attention_kernel.cpp"
#include <algorithm>
#include <cmath>

// clang-format off
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "hwy/contrib/math/math-inl.h"
#include "simd/tile-inl.h"
// clang-format on

#include "base/next_multiple.h"
#include "base/pulse.h"
#include "learn/ops/attention_kernel.h"
#include "simd/dispatch.h"
#include "simd/thread_memory.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::learn::HWY_NAMESPACE {

using namespace tsmini::simd::HWY_NAMESPACE;

constexpr std::size_t queries_at_once = 8 * tile_rows;

// Turns pairs of neighbouring numbers by the angles of a position; back with sign -1.
template <typename T>
HWY_INLINE void rotate(const T* rotary, std::size_t position, T sign, T* row) {
  if (rotary == nullptr) return;
  const T* angles = rotary + position * head_size;
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t c = 0; c < head_size; c += 2) {
    const T cosine = angles[c], sine = sign * angles[c + 1], a = row[c], b = row[c + 1];
    row[c] = a * cosine - b * sine;
    row[c + 1] = a * sine + b * cosine;
  }
#else
  const hn::ScalableTag<T> d;
  for (std::size_t c = 0; c < head_size; c += hn::Lanes(d)) {
    const auto pairs = hn::LoadU(d, row + c), angle = hn::LoadU(d, angles + c);
    const auto crossed =
        hn::Mul(hn::Reverse2(d, pairs), hn::Mul(hn::DupOdd(angle), hn::Set(d, sign)));
    hn::StoreU(hn::MulAdd(pairs, hn::DupEven(angle), hn::OddEven(crossed, hn::Neg(crossed))), d,
               row + c);
  }
#endif
}

// One head of one trajectory, worked on for a few queries at a time by the tiles of products.
template <typename T>
class Head {
 public:
  explicit Head(const HeadCall<T>& call)
      : call_(call),
        length_(call.length),
        padded_(next_multiple(length_, lanes)),
        values_{call.values, call.stride} {
    T* memory =
        thread_memory<Head, T>(3 * length_ * head_size + 2 * padded_ * head_size +
                               2 * queries_at_once * padded_ + 2 * queries_at_once * head_size);
    const auto take = [&](std::size_t rows, std::size_t columns) {
      T* part = memory;
      memory += rows * columns;
      return part;
    };
    keys_across_ = take(padded_, head_size);
    values_across_ = take(padded_, head_size);
    weights_ = take(queries_at_once, padded_);
    pulls_ = take(queries_at_once, padded_);
    queries_ = take(queries_at_once, head_size);
    dqueries_ = take(queries_at_once, head_size);
    keys_ = take(length_, head_size);
    dkeys_ = take(length_, head_size);
    dvalues_ = take(length_, head_size);
    for (std::size_t j = 0; j < length_; ++j) {
      T* key = keys_ + j * head_size;
      std::copy_n(call.keys + j * call.stride, head_size, key);
      rotate(call.rotary, j, T{1}, key);
    }
    set_across({keys_, head_size}, keys_across_);
  }

  void attend(T* out, T* log_sums) {
    Pulse pulse(*call_.heartbeat);
    each_run(length_, queries_at_once, [&](std::size_t first, std::size_t count) {
      load_queries(first, count);
      multiply(count, {queries_, head_size}, keys_across_, weights_);
      for (std::size_t r = 0; r < count; ++r) {
        T* weights = weights_ + r * padded_;
        std::fill(weights + length_, weights + padded_, lowest);
        const T most = largest(weights), sum = exponentiate(weights, most);
        const std::size_t row = first + r;
        log_sums[row * call_.log_stride] = most + std::log(sum);
        const auto share = hn::Set(d, 1 / sum);
        for (std::size_t j = 0; j < padded_; j += lanes)
          hn::StoreU(hn::Mul(hn::LoadU(d, weights + j), share), d, weights + j);
        if (call_.dropout.rate > 0) {
          for (std::size_t j = 0; j < length_; ++j) weights[j] *= factor(row, j);
        }
      }
      combine(count, weights_, values_, {out + first * call_.out_stride, call_.out_stride});
      pulse.work(count * length_);
    });
  }

  void attend_backward(const T* out, const T* log_sums, const T* grad, T* dqueries, T* dkeys,
                       T* dvalues) {
    set_across(values_, values_across_);
    std::fill_n(dkeys_, length_ * head_size, T{0});
    std::fill_n(dvalues_, length_ * head_size, T{0});
    Pulse pulse(*call_.heartbeat);
    each_run(length_, queries_at_once, [&](std::size_t first, std::size_t count) {
      const RowsOf<T> g{grad + first * call_.out_stride, call_.out_stride};
      load_queries(first, count);
      multiply(count, {queries_, head_size}, keys_across_, weights_);
      multiply(count, g, values_across_, pulls_);
      for (std::size_t r = 0; r < count; ++r)
        pull(first + r, weights_ + r * padded_, pulls_ + r * padded_,
             out + (first + r) * call_.out_stride, g.data + r * g.stride,
             log_sums[(first + r) * call_.log_stride]);
      combine(count, pulls_, {keys_, head_size}, {dqueries_, head_size});
      for (std::size_t r = 0; r < count; ++r) {
        T* dquery = dqueries_ + r * head_size;
        rotate(call_.rotary, first + r, T{-1}, dquery);
        for (std::size_t c = 0; c < head_size; ++c)
          dqueries[(first + r) * call_.stride + c] = dquery[c] * static_cast<T>(attention_scale);
      }
      add_across(count, pulls_, {queries_, head_size}, dkeys_);
      add_across(count, weights_, g, dvalues_);
      pulse.work(count * length_);
    });
    for (std::size_t j = 0; j < length_; ++j) {
      T* dkey = dkeys_ + j * head_size;
      rotate(call_.rotary, j, T{-1}, dkey);
      for (std::size_t c = 0; c < head_size; ++c) {
        dkeys[j * call_.stride + c] += dkey[c];
        dvalues[j * call_.stride + c] += dvalues_[j * head_size + c];
      }
    }
  }

 private:
  static constexpr std::size_t lanes = lanes_of<T>, tile_width = tile_width_of<T>;
  static constexpr std::size_t width = std::min(tile_width, head_size);  // of tiles of a head
  static constexpr T lowest = static_cast<T>(-1e30);
  static constexpr hn::ScalableTag<T> d{};

  // Rows as the right side of a product: panels of tile_width rows, number after number. The last
  // vector is filled up with zeros.
  void set_across(RowsOf<T> rows, T* across) const {
    for (std::size_t first = 0; first < padded_; first += tile_width) {
      const std::size_t columns = std::min(tile_width, padded_ - first);
      const std::size_t count = std::min(columns, length_ - first);
      for (std::size_t c = 0; c < head_size; ++c, across += columns) {
        for (std::size_t j = 0; j < count; ++j)
          across[j] = rows.data[(first + j) * rows.stride + c];
        std::fill(across + count, across + columns, T{0});
      }
    }
  }

  void load_queries(std::size_t first, std::size_t count) {
    for (std::size_t r = 0; r < count; ++r) {
      T* query = queries_ + r * head_size;
      const T* from = call_.queries + (first + r) * call_.stride;
      for (std::size_t c = 0; c < head_size; ++c)
        query[c] = from[c] * static_cast<T>(attention_scale);
      rotate(call_.rotary, first + r, T{1}, query);
    }
  }

  // products[r][j] = a[r] · rows[j], for all j.
  void multiply(std::size_t rows, RowsOf<T> a, const T* across, T* products) const {
    for (std::size_t first = 0; first < padded_; first += tile_width) {
      const std::size_t columns = std::min(tile_width, padded_ - first);
      each_run(rows, tile_rows, [&](std::size_t r, std::size_t count) {
        sum_tile_of<Tile::set, T>(count, columns / lanes)(
            a.from(r), {across + first * head_size, columns}, head_size,
            {products + r * padded_ + first, padded_});
      });
    }
  }

  // out[r] = Σ_j by[r][j] · rows[j].
  void combine(std::size_t rows, const T* by, RowsOf<T> b, SumsOf<T> out) const {
    for (std::size_t c = 0; c < head_size; c += width) {
      each_run(rows, tile_rows, [&](std::size_t r, std::size_t count) {
        sum_tile_of<Tile::set, T>(count, width / lanes)(
            {by + r * padded_, padded_}, {b.data + c, b.stride}, length_,
            {out.data + r * out.stride + c, out.stride});
      });
    }
  }

  // sums[j] += Σ_r by[r][j] · b[r].
  void add_across(std::size_t rows, const T* by, RowsOf<T> b, T* sums) const {
    for (std::size_t c = 0; c < head_size; c += width) {
      each_run(length_, tile_rows, [&](std::size_t j, std::size_t count) {
        sum_tile_of<Tile::add_across, T>(count, width / lanes)(
            {by + j, padded_}, {b.data + c, b.stride}, rows, {sums + j * head_size + c, head_size});
      });
    }
  }

  T largest(const T* weights) const {
    auto most = hn::LoadU(d, weights);
    for (std::size_t j = lanes; j < padded_; j += lanes)
      most = hn::Max(most, hn::LoadU(d, weights + j));
    return hn::GetLane(hn::MaxOfLanes(d, most));
  }

  // weights = exp(weights - shift); gives their sum.
  T exponentiate(T* weights, T shift) const {
    auto sum = hn::Zero(d);
    for (std::size_t j = 0; j < padded_; j += lanes) {
      const auto w = hn::Exp(d, hn::Sub(hn::LoadU(d, weights + j), hn::Set(d, shift)));
      hn::StoreU(w, d, weights + j);
      sum = hn::Add(sum, w);
    }
    return hn::GetLane(hn::SumOfLanes(d, sum));
  }

  // Scores of a query, its products with all keys, to its weights; products of its gradient with
  // all values to the gradient by those scores.
  //
  // With P = softmax(S) and out = P V, the gradient by a score is P_ij (dP_ij - sum_k P_ik dP_ik),
  // where dP_ij = grad_i · v_j. The sum is grad_i · sum_k P_ik v_k = grad_i · out_i: so no second
  // pass over the keys. With dropout dP_ij and the weights of V carry its factor f_ij, and the
  // identity holds. P_ij = exp(S_ij - log_sum_i).
  void pull(std::size_t row, T* weights, T* pulls, const T* out, const T* grad, T log_sum) const {
    auto dots = hn::Zero(d);
    for (std::size_t c = 0; c < head_size; c += lanes)
      dots = hn::MulAdd(hn::LoadU(d, out + c), hn::LoadU(d, grad + c), dots);
    const T inner = hn::GetLane(hn::SumOfLanes(d, dots));
    std::fill(weights + length_, weights + padded_, lowest);
    exponentiate(weights, log_sum);
    if (call_.dropout.rate > 0) {
      for (std::size_t j = 0; j < length_; ++j) {
        const T f = factor(row, j);
        pulls[j] = weights[j] * (pulls[j] * f - inner);
        weights[j] *= f;
      }
      return;
    }
    for (std::size_t j = 0; j < padded_; j += lanes)
      hn::StoreU(
          hn::Mul(hn::LoadU(d, weights + j), hn::Sub(hn::LoadU(d, pulls + j), hn::Set(d, inner))),
          d, pulls + j);
  }

  // What dropout multiplies a weight with.
  T factor(std::size_t row, std::size_t other) const {
    return static_cast<T>(
        call_.dropout.factor(attention_place(call_.head, call_.first_row + row, other)));
  }

  const HeadCall<T>& call_;
  std::size_t length_, padded_;
  RowsOf<T> values_;
  T *keys_across_, *values_across_;  // panels
  T *weights_, *pulls_;              // of a few queries, for all keys
  T *queries_, *dqueries_;           // of a few queries, turned
  T *keys_, *dkeys_, *dvalues_;      // of all rows, turned
};

template <typename T>
void attend(const HeadCall<T>& call, T* out, T* log_sums) {
  Head<T>(call).attend(out, log_sums);
}
template <typename T>
void attend_backward(const HeadCall<T>& call, const T* out, const T* log_sums, const T* grad,
                     T* dqueries, T* dkeys, T* dvalues) {
  Head<T>(call).attend_backward(out, log_sums, grad, dqueries, dkeys, dvalues);
}

HeadKernels<float> single_attention() {
  return {attend<float>, attend_backward<float>};
}
HeadKernels<double> double_attention() {
  return {attend<double>, attend_backward<double>};
}

}  // namespace tsmini::learn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini::learn {

TSMINI_DISPATCH_PRECISIONS(HeadKernels, head_kernels, attention)

}  // namespace tsmini::learn
#endif
