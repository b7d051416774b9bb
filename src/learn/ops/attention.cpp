#include <algorithm>

#include "learn/ops/attention_kernel.h"
#include "learn/ops/ops.h"
#include "learn/parallel.h"

namespace tsmini::learn {
namespace {

template <typename T>
struct Call {
  Array<T> qkv;
  const T* rotary;
  Heads heads;
  Packing packing;
  Dropout dropout;
  Heartbeat heartbeat;

  std::size_t key_head(std::size_t h) const { return h / (heads.queries / heads.keys); }
  std::size_t query_at(std::size_t h) const { return h * head_size; }
  std::size_t key_at(std::size_t h) const { return (heads.queries + key_head(h)) * head_size; }
  std::size_t value_at(std::size_t h) const {
    return (heads.queries + heads.keys + key_head(h)) * head_size;
  }

  // Calls visit(call, first row, head) for every trajectory and head, in parallel over
  // trajectories.
  template <typename Visit>
  void each_head(const Visit& visit) const {
    each_part(packing.count, [&](std::size_t b) {
      const std::size_t first = packing.first(b);
      const T* row = qkv.row(first);
      for (std::size_t h = 0; h < heads.queries; ++h) {
        HeadCall<T> call;
        call.length = packing.length(b);
        call.stride = qkv.columns;
        call.queries = row + query_at(h);
        call.keys = row + key_at(h);
        call.values = row + value_at(h);
        call.rotary = rotary;
        call.out_stride = heads.queries * head_size;
        call.log_stride = heads.queries;
        call.dropout = dropout;
        call.head = h;
        call.first_row = first;
        call.heartbeat = &heartbeat;
        visit(call, first, h);
      }
    });
  }
};

template <typename T>
void attention_gradients(Tape<T>& tape, const Call<T>& attention, const T* log_sums,
                         const Array<T>& y) {
  const T* grad = tape.gradient(y);
  T* dqkv = tape.sole_target(attention.qkv);
  attention.each_head([&](const HeadCall<T>& call, std::size_t first, std::size_t h) {
    T* row = dqkv + first * call.stride;
    const std::size_t at = first * y.columns + h * head_size;
    if (h == 0) std::fill_n(row, call.length * call.stride, T{0});
    head_kernels<T>().attend_backward(call, y.data + at, log_sums + first * call.log_stride + h,
                                      grad + at, row + attention.query_at(h),
                                      row + attention.key_at(h), row + attention.value_at(h));
  });
}

}  // namespace

template <typename T>
Array<T> attention(Tape<T>& tape, const Array<T>& qkv, const T* rotary, const Heads& heads,
                   const Packing& packing, const Dropout& dropout) {
  const Call<T> attention{qkv, rotary, heads, packing, dropout, tape.heartbeat()};
  const Array<T> y = tape.array(qkv.rows, heads.queries * head_size);
  T* log_sums = tape.memory(qkv.rows * heads.queries);
  attention.each_head([&](const HeadCall<T>& call, std::size_t first, std::size_t h) {
    head_kernels<T>().attend(call, y.row(first) + h * head_size,
                             log_sums + first * call.log_stride + h);
  });
  tape.record([=, &tape] { attention_gradients(tape, attention, log_sums, y); });
  return y;
}

template Array<float> attention(Tape<float>&, const Array<float>&, const float*, const Heads&,
                                const Packing&, const Dropout&);
template Array<double> attention(Tape<double>&, const Array<double>&, const double*, const Heads&,
                                 const Packing&, const Dropout&);

}  // namespace tsmini::learn
