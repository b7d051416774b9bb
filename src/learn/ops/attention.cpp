#include <ATen/Parallel.h>

#include <vector>

#include "learn/ops/ops.h"
#include "learn/place_uniform.h"

namespace tsmini::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr std::int64_t head = 32;
constexpr double scale = 0.17677669529663687;  // 1 / sqrt(32)

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

// Turns pairs of neighbouring numbers by the angles of their row's position; back with sign -1.
template <typename T>
void rotate(const at::Tensor& rows, const at::Tensor& rotary, T sign) {
  if (!rotary.defined()) return;
  T* values = rows.data_ptr<T>();
  const T* angles = rotary.data_ptr<T>();
  for (std::int64_t i = 0; i < rows.size(0) * head / 2; ++i) {
    const T c = angles[2 * i], s = sign * angles[2 * i + 1];
    const T a = values[2 * i], b = values[2 * i + 1];
    values[2 * i] = a * c - b * s;
    values[2 * i + 1] = a * s + b * c;
  }
}

// One head of one trajectory: what both directions need.
template <typename T>
struct HeadOfOne {
  at::Tensor q, k, v, weights;

  HeadOfOne(const at::Tensor& rows, const at::Tensor& rotary, const Shape& shape, std::int64_t h)
      : q(rows.narrow(1, shape.query_at(h), head) * scale),
        k(rows.narrow(1, shape.key_at(h), head).contiguous().clone()),
        v(rows.narrow(1, shape.value_at(h), head)) {
    rotate<T>(q, rotary, 1);
    rotate<T>(k, rotary, 1);
    weights = at::softmax(at::mm(q, k.t()), 1);
  }
};

template <typename T>
void drop(const at::Tensor& weights, const Shape& shape, const at::Tensor& key, std::int64_t h,
          std::int64_t first) {
  if (shape.dropout == 0) return;
  T* values = weights.data_ptr<T>();
  const std::int64_t length = weights.size(1), bits = *key.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < weights.size(0); ++i) {
    for (std::int64_t j = 0; j < length; ++j)
      values[i * length + j] *= static_cast<T>(
          dropout_factor(static_cast<float>(shape.dropout), bits,
                         static_cast<std::uint32_t>(shape.salt), attention_place(h, first + i, j)));
  }
}

template <typename T>
void forward_cpu(const at::Tensor& qkv, const at::Tensor& rotary, const Shape& shape,
                 const at::Tensor& key, const Packing& packing, const at::Tensor& out) {
  at::parallel_for(0, packing.count, 1, [&](std::int64_t from, std::int64_t to) {
    const at::NoGradGuard no_grad;
    for (std::int64_t b = from; b < to; ++b) {
      const std::int64_t first = packing.first(b), length = packing.first(b + 1) - first;
      const at::Tensor rows = qkv.narrow(0, first, length);
      for (std::int64_t h = 0; h < shape.heads; ++h) {
        const HeadOfOne<T> one(rows, rotary, shape, h);
        drop<T>(one.weights, shape, key, h, first);
        out.narrow(0, first, length).narrow(1, h * head, head).copy_(at::mm(one.weights, one.v));
      }
    }
  });
}

template <typename T>
void backward_cpu(const at::Tensor& qkv, const at::Tensor& rotary, const Shape& shape,
                  const at::Tensor& key, const Packing& packing, const at::Tensor& out,
                  const at::Tensor& grad, const at::Tensor& dqkv) {
  at::parallel_for(0, packing.count, 1, [&](std::int64_t from, std::int64_t to) {
    const at::NoGradGuard no_grad;
    for (std::int64_t b = from; b < to; ++b) {
      const std::int64_t first = packing.first(b), length = packing.first(b + 1) - first;
      const at::Tensor rows = qkv.narrow(0, first, length), drows = dqkv.narrow(0, first, length);
      drows.zero_();
      for (std::int64_t h = 0; h < shape.heads; ++h) {
        const HeadOfOne<T> one(rows, rotary, shape, h);
        const at::Tensor g = grad.narrow(0, first, length).narrow(1, h * head, head).contiguous();
        const at::Tensor o = out.narrow(0, first, length).narrow(1, h * head, head);
        at::Tensor dweights = at::mm(g, one.v.t());
        at::Tensor kept = one.weights;
        if (shape.dropout > 0) {
          kept = one.weights.clone();
          drop<T>(kept, shape, key, h, first);
          drop<T>(dweights, shape, key, h, first);
        }
        drows.narrow(1, shape.value_at(h), head).add_(at::mm(kept.t(), g));
        dweights.sub_((g * o).sum(1, true)).mul_(one.weights);
        const at::Tensor dq = at::mm(dweights, one.k).mul_(scale), dk = at::mm(dweights.t(), one.q);
        rotate<T>(dq, rotary, -1);
        rotate<T>(dk, rotary, -1);
        drows.narrow(1, shape.query_at(h), head).copy_(dq);
        drows.narrow(1, shape.key_at(h), head).add_(dk);
      }
    }
  });
}

struct Attention : torch::autograd::Function<Attention> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            const Extras& extras, const Shape& shape, const Packing& packing) {
    const at::Tensor qkv = input.contiguous();
    const auto& [rotary, key] = extras;
    const std::int64_t rows = qkv.size(0);
    const at::Tensor out = at::empty({rows, shape.heads * head}, qkv.options());
    at::Tensor log_sums;
    if (qkv.is_cuda()) {
      log_sums = at::empty({rows, shape.heads}, qkv.options());
      if constexpr (with_cuda)
        gpu::attention(current_stream(), packing.on_gpu(), shape.on_gpu(), qkv.data_ptr<float>(),
                       rotary.defined() ? rotary.data_ptr<float>() : nullptr,
                       key.defined() ? key.data_ptr<std::int64_t>() : nullptr,
                       out.data_ptr<float>(), log_sums.data_ptr<float>());
    } else {
      AT_DISPATCH_FLOATING_TYPES(qkv.scalar_type(), "attention", [&] {
        forward_cpu<scalar_t>(qkv, extras.rotary, shape, extras.key, packing, out);
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
    const at::Tensor rotary = data["rotary"].toTensor(), key = data["key"].toTensor();
    const Shape shape{data["heads"].toInt(), data["key_heads"].toInt(), data["dropout"].toDouble(),
                      data["salt"].toInt()};
    const at::Tensor grad = grads[0].contiguous(), dqkv = at::empty_like(qkv);
    if (qkv.is_cuda()) {
      if constexpr (with_cuda)
        gpu::attention_backward(current_stream(), packing.on_gpu(), shape.on_gpu(),
                                qkv.data_ptr<float>(),
                                rotary.defined() ? rotary.data_ptr<float>() : nullptr,
                                key.defined() ? key.data_ptr<std::int64_t>() : nullptr,
                                out.data_ptr<float>(), log_sums.data_ptr<float>(),
                                grad.data_ptr<float>(), dqkv.data_ptr<float>());
    } else {
      AT_DISPATCH_FLOATING_TYPES(qkv.scalar_type(), "attention_backward", [&] {
        backward_cpu<scalar_t>(qkv, rotary, shape, key, packing, out, grad, dqkv);
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
