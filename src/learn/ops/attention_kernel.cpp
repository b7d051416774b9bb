#include "measure/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learn/ops/attention_kernel.cpp"
#include <algorithm>
#include <cmath>
#include <vector>

// clang-format off
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "hwy/contrib/math/math-inl.h"
// clang-format on

#include "learn/ops/attention_kernel.h"
#include "learn/place_uniform.h"

HWY_BEFORE_NAMESPACE();
namespace tsmini::learn::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr double scale = 0.17677669529663687;  // 1 / sqrt(32)

// Turns pairs of neighbouring numbers by the angles of a position; back with sign -1.
template <typename T>
void rotate(const T* rotary, std::size_t position, T sign, T* row) {
  if (rotary == nullptr) return;
  const T* angles = rotary + position * head_size;
  for (std::size_t c = 0; c < head_size; c += 2) {
    const T cosine = angles[c], sine = sign * angles[c + 1], a = row[c], b = row[c + 1];
    row[c] = a * cosine - b * sine;
    row[c + 1] = a * sine + b * cosine;
  }
}

// One head of one trajectory, laid out for the loops below.
template <typename T>
struct Workspace {
  using D = hn::ScalableTag<T>;
  static constexpr std::size_t block = 2;  // vectors of columns at a time

  D d;
  std::size_t lanes = hn::Lanes(d), length, columns;
  std::vector<T> keys, values;                // length × 32, keys turned
  std::vector<T> keys_across, values_across;  // 32 × columns
  std::vector<T> weights, pulls, factors;     // of one row

  explicit Workspace(const HeadCall<T>& call)
      : length(call.length),
        columns((call.length + block * lanes - 1) / (block * lanes) * (block * lanes)),
        keys(length * head_size),
        values(length * head_size),
        keys_across(columns * head_size),
        weights(columns),
        factors(columns, T{1}) {
    for (std::size_t j = 0; j < length; ++j) {
      T* key = keys.data() + j * head_size;
      T* value = values.data() + j * head_size;
      for (std::size_t c = 0; c < head_size; ++c) {
        key[c] = call.keys[j * call.stride + c];
        value[c] = call.values[j * call.stride + c];
      }
      rotate(call.rotary, j, T{1}, key);
    }
    set_across(keys, keys_across);
  }

  void set_across(const std::vector<T>& rows, std::vector<T>& across) const {
    across.assign(columns * head_size, T{0});
    for (std::size_t j = 0; j < length; ++j) {
      for (std::size_t c = 0; c < head_size; ++c) across[c * columns + j] = rows[j * head_size + c];
    }
  }

  void load_query(const HeadCall<T>& call, std::size_t i, T* query) const {
    for (std::size_t c = 0; c < head_size; ++c)
      query[c] = call.queries[i * call.stride + c] * static_cast<T>(scale);
    rotate(call.rotary, i, T{1}, query);
  }

  // products[j] = row · rows[j], for all columns.
  void multiply(const T* row, const std::vector<T>& across, std::vector<T>& products) const {
    for (std::size_t j = 0; j < columns; j += block * lanes) {
      auto a = hn::Zero(d), b = hn::Zero(d);
      for (std::size_t c = 0; c < head_size; ++c) {
        const auto x = hn::Set(d, row[c]);
        const T* line = across.data() + c * columns + j;
        a = hn::MulAdd(x, hn::LoadU(d, line), a);
        b = hn::MulAdd(x, hn::LoadU(d, line + lanes), b);
      }
      hn::StoreU(a, d, products.data() + j);
      hn::StoreU(b, d, products.data() + j + lanes);
    }
  }

  // sum += factor · row, 32 numbers.
  void add(T factor, const T* row, T* sum) const {
    const auto f = hn::Set(d, factor);
    for (std::size_t c = 0; c < head_size; c += lanes)
      hn::StoreU(hn::MulAdd(f, hn::LoadU(d, row + c), hn::LoadU(d, sum + c)), d, sum + c);
  }

  // out = Σ_j factors[j] · rows[j].
  void combine(const std::vector<T>& by, const std::vector<T>& rows, T* out) const {
    for (std::size_t c = 0; c < head_size; c += 2 * lanes) {
      auto a = hn::Zero(d), b = hn::Zero(d);
      const bool both = c + lanes < head_size;
      for (std::size_t j = 0; j < length; ++j) {
        const auto f = hn::Set(d, by[j]);
        const T* row = rows.data() + j * head_size + c;
        a = hn::MulAdd(f, hn::LoadU(d, row), a);
        if (both) b = hn::MulAdd(f, hn::LoadU(d, row + lanes), b);
      }
      hn::StoreU(a, d, out + c);
      if (both) hn::StoreU(b, d, out + c + lanes);
    }
  }

  // weights = exp(weights - shift), 0 past the end; gives their sum.
  T exponentiate(T shift) {
    const auto s = hn::Set(d, shift);
    for (std::size_t j = length; j < columns; ++j) weights[j] = shift - 700;
    auto sum = hn::Zero(d);
    for (std::size_t j = 0; j < columns; j += lanes) {
      const auto w = hn::Exp(d, hn::Sub(hn::LoadU(d, weights.data() + j), s));
      hn::StoreU(w, d, weights.data() + j);
      sum = hn::Add(sum, w);
    }
    for (std::size_t j = length; j < columns; ++j) weights[j] = 0;
    return hn::GetLane(hn::SumOfLanes(d, sum));
  }

  // What dropout multiplies the weights of row i with.
  void draw(const HeadCall<T>& call, std::size_t i) {
    if (call.dropout == 0) return;
    for (std::size_t j = 0; j < length; ++j)
      factors[j] = static_cast<T>(
          dropout_factor(call.dropout, call.key, call.salt,
                         attention_place(call.head, call.first_row + static_cast<std::int64_t>(i),
                                         static_cast<std::int64_t>(j))));
  }
};

template <typename T>
void attend_head(const HeadCall<T>& call, T* out, T* log_sums) {
  Workspace<T> work(call);
  T query[head_size];
  for (std::size_t i = 0; i < work.length; ++i) {
    work.load_query(call, i, query);
    work.multiply(query, work.keys_across, work.weights);
    T most = work.weights[0];
    for (std::size_t j = 1; j < work.length; ++j) most = std::max(most, work.weights[j]);
    const T sum = work.exponentiate(most);
    work.draw(call, i);
    for (std::size_t j = 0; j < work.length; ++j) work.weights[j] *= work.factors[j] / sum;
    work.combine(work.weights, work.values, out + i * call.out_stride);
    log_sums[i * call.log_stride] = most + std::log(sum);
  }
}

template <typename T>
void attend_head_backward(const HeadCall<T>& call, const T* out, const T* log_sums, const T* grad,
                          T* dqueries, T* dkeys, T* dvalues) {
  Workspace<T> work(call);
  work.set_across(work.values, work.values_across);
  work.pulls.resize(work.columns);
  std::vector<T> dk(work.length * head_size), dv(work.length * head_size);
  T query[head_size], dquery[head_size];
  for (std::size_t i = 0; i < work.length; ++i) {
    const T* g = grad + i * call.out_stride;
    const T* o = out + i * call.out_stride;
    T inner = 0;
    for (std::size_t c = 0; c < head_size; ++c) inner += g[c] * o[c];
    work.load_query(call, i, query);
    work.multiply(query, work.keys_across, work.weights);
    work.exponentiate(log_sums[i * call.log_stride]);
    work.multiply(g, work.values_across, work.pulls);
    work.draw(call, i);
    for (std::size_t j = 0; j < work.length; ++j) {
      const T weight = work.weights[j];
      work.add(weight * work.factors[j], g, dv.data() + j * head_size);
      work.pulls[j] = weight * (work.pulls[j] * work.factors[j] - inner);
      work.add(work.pulls[j], query, dk.data() + j * head_size);
    }
    work.combine(work.pulls, work.keys, dquery);
    rotate(call.rotary, i, T{-1}, dquery);
    for (std::size_t c = 0; c < head_size; ++c)
      dqueries[i * call.stride + c] = dquery[c] * static_cast<T>(scale);
  }
  for (std::size_t j = 0; j < work.length; ++j) {
    rotate(call.rotary, j, T{-1}, dk.data() + j * head_size);
    for (std::size_t c = 0; c < head_size; ++c) {
      dkeys[j * call.stride + c] += dk[j * head_size + c];
      dvalues[j * call.stride + c] += dv[j * head_size + c];
    }
  }
}

void attend_single(const HeadCall<float>& call, float* out, float* log_sums) {
  attend_head(call, out, log_sums);
}
void attend_double(const HeadCall<double>& call, double* out, double* log_sums) {
  attend_head(call, out, log_sums);
}
void attend_backward_single(const HeadCall<float>& call, const float* out, const float* log_sums,
                            const float* grad, float* dqueries, float* dkeys, float* dvalues) {
  attend_head_backward(call, out, log_sums, grad, dqueries, dkeys, dvalues);
}
void attend_backward_double(const HeadCall<double>& call, const double* out, const double* log_sums,
                            const double* grad, double* dqueries, double* dkeys, double* dvalues) {
  attend_head_backward(call, out, log_sums, grad, dqueries, dkeys, dvalues);
}

}  // namespace tsmini::learn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsmini::learn {

HWY_EXPORT(attend_single);
HWY_EXPORT(attend_double);
HWY_EXPORT(attend_backward_single);
HWY_EXPORT(attend_backward_double);

template <>
void attend(const HeadCall<float>& call, float* out, float* log_sums) {
  HWY_DYNAMIC_DISPATCH(attend_single)(call, out, log_sums);
}
template <>
void attend(const HeadCall<double>& call, double* out, double* log_sums) {
  HWY_DYNAMIC_DISPATCH(attend_double)(call, out, log_sums);
}
template <>
void attend_backward(const HeadCall<float>& call, const float* out, const float* log_sums,
                     const float* grad, float* dqueries, float* dkeys, float* dvalues) {
  HWY_DYNAMIC_DISPATCH(attend_backward_single)
  (call, out, log_sums, grad, dqueries, dkeys, dvalues);
}
template <>
void attend_backward(const HeadCall<double>& call, const double* out, const double* log_sums,
                     const double* grad, double* dqueries, double* dkeys, double* dvalues) {
  HWY_DYNAMIC_DISPATCH(attend_backward_double)
  (call, out, log_sums, grad, dqueries, dkeys, dvalues);
}

}  // namespace tsmini::learn
#endif
