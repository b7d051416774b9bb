// The operations of the network that LibTorch has no fitting one for, each with its gradient.
//
// All work on packed rows, on the CPU in single or double precision (parallel, and the same for any
// number of threads) and on CUDA in single.
#pragma once

#include <cstdint>

#include <ATen/ATen.h>

#include "tsmini/embedding.h"

#include "learn/loss_settings.h"
#include "learn/ops/packing.h"

namespace tsmini::learn {

// Three neighbouring rows side by side, [rows - 2 a trajectory, 3·channels].
at::Tensor windows(const at::Tensor& x, const Packing& packing);

// Batch norm over the real rows (with their own mean and variance, which `running` [2, channels]
// follows), then a leaky ReLU of 0.01.
at::Tensor batch_norm(const at::Tensor& x, const at::Tensor& gain, const at::Tensor& shift,
                      const at::Tensor& running, const Packing& packing);

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& gain);

// silu(h[:, :half]) · h[:, half:].
at::Tensor gate(const at::Tensor& h);

// Chances that a part is left out while training; drawn from `key`, one int64 on the device.
struct Dropout {
  double rate = 0;
  at::Tensor key;
  std::uint32_t salt = 0;
};

// x + dropout(relu(branch)).
at::Tensor residual_relu(const at::Tensor& x, const at::Tensor& branch, const Dropout& dropout);

// Self-attention within each trajectory, heads of 32. qkv: [rows, (heads + 2·key_heads)·32];
// `rotary` [positions, 16, 2], or undefined for none.
at::Tensor attention(const at::Tensor& qkv, const at::Tensor& rotary, std::int64_t heads,
                     std::int64_t key_heads, const Packing& packing, const Dropout& dropout);

// Products and what stands around them, as one operation: windows(x) · weightᵀ,
at::Tensor convolve(const at::Tensor& x, const at::Tensor& weight, const Packing& packing);
// residual_relu(x, x · weightᵀ + bias), weight square,
at::Tensor residual_product(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                            const Dropout& dropout);
// rms_norm(x, gain) · weightᵀ,
at::Tensor norm_product(const at::Tensor& x, const at::Tensor& gain, const at::Tensor& weight);
// x + a · weightᵀ,
at::Tensor add_product(const at::Tensor& x, const at::Tensor& a, const at::Tensor& weight);
// x + gate(rms_norm(x, gain) · inᵀ) · outᵀ.
at::Tensor feed_forward(const at::Tensor& x, const at::Tensor& gain, const at::Tensor& in,
                        const at::Tensor& out);

// One row a trajectory: the kinds of pooling in `bits` (learn/pools.h) side by side.
at::Tensor pool(const at::Tensor& x, unsigned bits, const Packing& packing);

// [count, count] distances among embeddings.
at::Tensor pair_distances(const at::Tensor& embeddings, const EmbeddingMetric& metric);

// λ·100·L_mse + (1 - λ)·L_knn of a batch. `labels`: true distances; `largest`: what they are
// divided by, one number on the device.
at::Tensor similarity_loss(const at::Tensor& predicted, const at::Tensor& labels,
                           const at::Tensor& largest, const LossSettings& settings);

}  // namespace tsmini::learn
