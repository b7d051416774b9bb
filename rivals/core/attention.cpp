#include "rivals/core/attention.h"

#include <cmath>
#include <limits>

namespace tsmini::rivals {

using torch::indexing::Slice;

AttentionImpl::AttentionImpl(std::int64_t width, std::int64_t heads, double dropout)
    : heads_(heads), dropout_(dropout) {
  input_ = register_module("input", torch::nn::Linear(width, 3 * width));
  output_ = register_module("output", torch::nn::Linear(width, width));
  torch::nn::init::xavier_uniform_(input_->weight);
  torch::nn::init::zeros_(input_->bias);
  torch::nn::init::zeros_(output_->bias);
}

Attended AttentionImpl::forward(const Tensor& x, const Tensor& mask, const Tensor& bias) {
  const auto [values, weights] = mix(input_(x), mask, bias);
  return {output_(values), weights};
}

Attended AttentionImpl::packed(const Tensor& x, const Packing& packing, const Tensor& bias) {
  const auto [values, weights] = mix(packing.spread(input_(x)), packing.mask(), bias);
  return {output_(packing.pack(values)), weights};
}

Attended AttentionImpl::mix(const Tensor& parts, const Tensor& mask, const Tensor& bias) const {
  const std::int64_t batch = parts.size(0), length = parts.size(1), width = parts.size(2) / 3;
  const Tensor all =
      parts.reshape({batch, length, 3, heads_, width / heads_}).permute({2, 0, 3, 1, 4});
  const Tensor query = all[0] / std::sqrt(static_cast<double>(width / heads_));
  Tensor logits = query.matmul(all[1].transpose(2, 3));
  if (bias.defined()) logits = logits + (bias.dim() == 3 ? bias.unsqueeze(1) : bias);
  const Tensor hidden = mask.logical_not().unsqueeze(1).unsqueeze(1);
  // Not minus infinity: a row without any key would become NaN, and its gradient too.
  constexpr float lowest = std::numeric_limits<float>::lowest();
  const Tensor weights = logits.masked_fill(hidden, lowest).softmax(-1).masked_fill(hidden, 0);
  const Tensor mixed = torch::dropout(weights, dropout_, is_training()).matmul(all[2]);
  return {mixed.transpose(1, 2).reshape({batch, length, width}), weights};
}

EncoderLayerImpl::EncoderLayerImpl(std::int64_t width, std::int64_t heads, std::int64_t hidden,
                                   double dropout)
    : dropout_(dropout) {
  attention_ = register_module("attention", Attention(width, heads, dropout));
  widen_ = register_module("widen", torch::nn::Linear(width, hidden));
  narrow_ = register_module("narrow", torch::nn::Linear(hidden, width));
  const torch::nn::LayerNormOptions norm({width});
  first_norm_ = register_module("first_norm", torch::nn::LayerNorm(norm));
  second_norm_ = register_module("second_norm", torch::nn::LayerNorm(norm));
}

Attended EncoderLayerImpl::forward(const Tensor& x, const Tensor& mask, const Tensor& bias) {
  const Attended attended = attention_(x, mask, bias);
  return {after(x, attended.values), attended.weights};
}

Attended EncoderLayerImpl::packed(const Tensor& x, const Packing& packing, const Tensor& bias) {
  const Attended attended = attention_->packed(x, packing, bias);
  return {after(x, attended.values), attended.weights};
}

Tensor EncoderLayerImpl::after(const Tensor& x, const Tensor& attended) {
  const auto dropped = [this](const Tensor& t) {
    return torch::dropout(t, dropout_, is_training());
  };
  const Tensor middle = first_norm_(x + dropped(attended));
  const Tensor wide = dropped(torch::relu(widen_(middle)));
  return second_norm_(middle + dropped(narrow_(wide)));
}

Tensor sinusoidal_positions(std::int64_t length, std::int64_t width, const torch::Device& device) {
  const auto options = torch::TensorOptions().dtype(torch::kFloat).device(device);
  const Tensor place = torch::arange(length, options).unsqueeze(1);
  const Tensor pair = torch::arange(0, width, 2, options);
  const Tensor angle = place * (pair * (-std::log(10000.0) / static_cast<double>(width))).exp();
  return torch::stack({angle.sin(), angle.cos()}, 2)
      .reshape({length, -1})
      .index({Slice(), Slice(0, width)});
}

}  // namespace tsmini::rivals
