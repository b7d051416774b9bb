// Self-attention and the Transformer layer around it, as PyTorch's modules have them (same
// parameters, same initial values), with something added to the logits.
//
//   EncoderLayer layer(128, 4, 2048, .1);
//   Tensor out = layer->forward(x, mask, bias).values;  // x [batch, length, 128]
#pragma once

#include <cstdint>

#include "rivals/core/packing.h"
#include "rivals/core/tensors.h"

namespace tsmini::rivals {

struct Attended {
  Tensor values;   // [batch, length, width]
  Tensor weights;  // [batch, heads, length, length], before dropout
};

class AttentionImpl : public torch::nn::Module {
 public:
  AttentionImpl(std::int64_t width, std::int64_t heads, double dropout);

  // `mask` [batch, length]: true where there is something to attend to; nothing else is attended
  // to, and what attends to nothing at all gets 0. `bias` is added to the logits; [batch, length,
  // length] for every head, or [batch, heads, length, length]; undefined: none.
  Attended forward(const Tensor& x, const Tensor& mask, const Tensor& bias = {});
  // The same for packed vectors, [sum of lengths, width]: so are the values.
  Attended packed(const Tensor& x, const Packing& packing, const Tensor& bias = {});

 private:
  // Mixes the values: `parts` are queries, keys and values, [batch, length, 3 · width].
  Attended mix(const Tensor& parts, const Tensor& mask, const Tensor& bias) const;

  std::int64_t heads_;
  double dropout_;
  torch::nn::Linear input_{nullptr}, output_{nullptr};
};
TORCH_MODULE(Attention);

// Attention, then a feed-forward part with ReLU, each with dropout, residual and layer norm after
// it.
class EncoderLayerImpl : public torch::nn::Module {
 public:
  EncoderLayerImpl(std::int64_t width, std::int64_t heads, std::int64_t hidden, double dropout);

  Attended forward(const Tensor& x, const Tensor& mask, const Tensor& bias = {});
  // The same for packed vectors: most of a layer's work is done on each by itself, and none on
  // padding.
  Attended packed(const Tensor& x, const Packing& packing, const Tensor& bias = {});

 private:
  Tensor after(const Tensor& x, const Tensor& attended);  // the rest of the layer

  Attention attention_{nullptr};
  torch::nn::Linear widen_{nullptr}, narrow_{nullptr};
  torch::nn::LayerNorm first_norm_{nullptr}, second_norm_{nullptr};
  double dropout_;
};
TORCH_MODULE(EncoderLayer);

// sin and cos of place / 10000^(2i / width), [length, width].
Tensor sinusoidal_positions(std::int64_t length, std::int64_t width, const torch::Device& device);

}  // namespace tsmini::rivals
