#include <algorithm>

#include "learn/ops/attention_kernel.h"
#include "learn/ops/ops.h"
#include "learn/ops/row_parts.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr std::int64_t head = head_size;

struct Shape {
  std::int64_t heads;
  std::int64_t key_heads;
  double dropout;
  std::int64_t salt;

  std::int64_t key_head(std::int64_t h) const { return h / (heads / key_heads); }
  std::int64_t query_at(std::int64_t h) const { return h * head; }
  std::int64_t key_at(std::int64_t h) const { return (heads + key_head(h)) * head; }
  std::int64_t value_at(std::int64_t h) const { return (heads + key_heads + key_head(h)) * head; }

  gpu::AttentionShape on_gpu() const {
    return {static_cast<int>(heads), static_cast<int>(key_heads), static_cast<float>(dropout),
            static_cast<std::uint32_t>(salt)};
  }
};

// What a pass brings besides rows; either may be undefined, so autograd must not see them.
struct Extras {
  at::Tensor rotary;
  at::Tensor key;
};

// Calls `visit` for every trajectory and head, in parallel over trajectories.
template <typename T, typename Visit>
void each_head(const at::Tensor& qkv, const Extras& extras, const Shape& shape,
               const Packing& packing, const Visit& visit) {
  each_part(packing.count, [&](std::int64_t b) {
    const std::int64_t first = packing.first(b);
    const T* row = qkv.data_ptr<T>() + first * qkv.size(1);
    for (std::int64_t h = 0; h < shape.heads; ++h) {
      HeadCall<T> call;
      call.length = static_cast<std::size_t>(packing.first(b + 1) - first);
      call.stride = static_cast<std::size_t>(qkv.size(1));
      call.queries = row + shape.query_at(h);
      call.keys = row + shape.key_at(h);
      call.values = row + shape.value_at(h);
      call.rotary = extras.rotary.defined() ? extras.rotary.data_ptr<T>() : nullptr;
      call.out_stride = static_cast<std::size_t>(shape.heads * head);
      call.log_stride = static_cast<std::size_t>(shape.heads);
      call.dropout = static_cast<float>(shape.dropout);
      call.key = shape.dropout > 0 ? *extras.key.data_ptr<std::int64_t>() : 0;
      call.salt = static_cast<std::uint32_t>(shape.salt);
      call.head = h;
      call.first_row = first;
      visit(call, first, h);
    }
  });
}

template <typename T>
void forward_cpu(const at::Tensor& qkv, const Extras& extras, const Shape& shape,
                 const Packing& packing, const at::Tensor& out, const at::Tensor& log_sums) {
  each_head<T>(qkv, extras, shape, packing,
               [&](const HeadCall<T>& call, std::int64_t first, std::int64_t h) {
                 attend<T>(call, out.data_ptr<T>() + first * shape.heads * head + h * head,
                           log_sums.data_ptr<T>() + first * shape.heads + h);
               });
}

template <typename T>
void backward_cpu(const at::Tensor& qkv, const Extras& extras, const Shape& shape,
                  const Packing& packing, const at::Tensor& out, const at::Tensor& log_sums,
                  const at::Tensor& grad, const at::Tensor& dqkv) {
  each_head<T>(qkv, extras, shape, packing,
               [&](const HeadCall<T>& call, std::int64_t first, std::int64_t h) {
                 const std::int64_t at = first * shape.heads * head + h * head;
                 T* row = dqkv.data_ptr<T>() + first * qkv.size(1);
                 if (h == 0) std::fill_n(row, call.length * call.stride, T{0});
                 attend_backward<T>(call, out.data_ptr<T>() + at,
                                    log_sums.data_ptr<T>() + first * shape.heads + h,
                                    grad.data_ptr<T>() + at, row + shape.query_at(h),
                                    row + shape.key_at(h), row + shape.value_at(h));
               });
  std::fill(dqkv.data_ptr<T>() + packing.first(packing.count) * qkv.size(1),
            dqkv.data_ptr<T>() + dqkv.numel(), T{0});
}

struct Attention : torch::autograd::Function<Attention> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input, const Extras& extras,
                            const Shape& shape, const Packing& packing) {
    const at::Tensor qkv = input.contiguous();
    const auto& [rotary, key] = extras;
    const std::int64_t rows = qkv.size(0);
    const at::Tensor out = at::empty({rows, shape.heads * head}, qkv.options());
    const at::Tensor log_sums = at::empty({rows, shape.heads}, qkv.options());
    if (qkv.is_cuda()) {
      if constexpr (with_cuda)
        gpu::attention(current_stream(), packing.on_gpu(), shape.on_gpu(), qkv.data_ptr<float>(),
                       rotary.defined() ? rotary.data_ptr<float>() : nullptr,
                       key.defined() ? key.data_ptr<std::int64_t>() : nullptr,
                       out.data_ptr<float>(), log_sums.data_ptr<float>());
    } else {
      AT_DISPATCH_FLOATING_TYPES(qkv.scalar_type(), "attention", [&] {
        forward_cpu<scalar_t>(qkv, extras, shape, packing, out, log_sums);
      });
    }
    context->save_for_backward({qkv, out, log_sums});
    context->saved_data["rotary"] = rotary;
    context->saved_data["key"] = key;
    context->saved_data["heads"] = shape.heads;
    context->saved_data["key_heads"] = shape.key_heads;
    context->saved_data["dropout"] = shape.dropout;
    context->saved_data["salt"] = shape.salt;
    packing.save(context);
    return out;
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& grads) {
    const Packing packing = Packing::restore(context);
    const auto saved = context->get_saved_variables();
    const at::Tensor &qkv = saved[0], &out = saved[1], &log_sums = saved[2];
    auto& data = context->saved_data;
    const Extras extras{data["rotary"].toTensor(), data["key"].toTensor()};
    const auto& [rotary, key] = extras;
    const Shape shape{data["heads"].toInt(), data["key_heads"].toInt(), data["dropout"].toDouble(),
                      data["salt"].toInt()};
    const at::Tensor grad = grads[0].contiguous();
    const at::Tensor dqkv = at::empty_like(qkv);
    if (qkv.is_cuda()) {
      if constexpr (with_cuda)
        gpu::attention_backward(
            current_stream(), packing.on_gpu(), shape.on_gpu(), qkv.data_ptr<float>(),
            rotary.defined() ? rotary.data_ptr<float>() : nullptr,
            key.defined() ? key.data_ptr<std::int64_t>() : nullptr, out.data_ptr<float>(),
            log_sums.data_ptr<float>(), grad.data_ptr<float>(), dqkv.data_ptr<float>());
    } else {
      AT_DISPATCH_FLOATING_TYPES(qkv.scalar_type(), "attention_backward", [&] {
        backward_cpu<scalar_t>(qkv, extras, shape, packing, out, log_sums, grad, dqkv);
      });
    }
    return {dqkv, {}, {}, {}};
  }
};

}  // namespace

at::Tensor attention(const at::Tensor& qkv, const at::Tensor& rotary, std::int64_t heads,
                     std::int64_t key_heads, const Packing& packing, const Dropout& dropout) {
  return Attention::apply(qkv, Extras{rotary, dropout.key},
                          Shape{heads, key_heads, dropout.rate, std::int64_t{dropout.salt}},
                          packing);
}

}  // namespace tsmini::learn
