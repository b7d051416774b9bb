// The operations of learn/ops/ops.h on a GPU: the same results and gradients within rounding, from
// kernels (cuda/kernels.h) and products by cuBLAS (gpu/blas.h), asynchronously.
//
// Rows past the real ones of a packing hold something finite, and a gradient of 0.
#pragma once

#include "learn/cuda/gpu_storage.h"
#include "learn/ops/ops.h"
#include "learn/tape.h"

namespace tsmini::learn {

using GpuArray = Array<GpuFloat>;
using GpuTape = Tape<GpuFloat>;

template <>
void deliver(GpuTape& tape, const GpuFloat* from, std::size_t count, GpuFloat* to, bool add);
template <>
GpuArray product(GpuTape& tape, const GpuArray& x, const GpuArray& weight,
                 const Added<GpuFloat>& added);
template <>
GpuArray convolve(GpuTape& tape, const GpuArray& x, const GpuArray& weight, const Packing& packing);
template <>
GpuArray batch_norm(GpuTape& tape, const GpuArray& x, const GpuArray& gain, const GpuArray& shift,
                    const GpuArray& running, const Packing& packing);
template <>
GpuArray residual_product(GpuTape& tape, const GpuArray& x, const GpuArray& weight,
                          const GpuArray& bias, const Dropout& dropout);
template <>
GpuArray norm_product(GpuTape& tape, const GpuArray& x, const GpuArray& gain,
                      const GpuArray& weight);
template <>
GpuArray layer_norm(GpuTape& tape, const GpuArray& x, const GpuArray& gain, const GpuArray& shift);
template <>
GpuArray relu(GpuTape& tape, const GpuArray& x);
template <>
GpuArray attention(GpuTape& tape, const GpuArray& qkv, const GpuFloat* rotary, const Heads& heads,
                   const Packing& packing, const Dropout& dropout);
template <>
GpuArray feed_forward(GpuTape& tape, const GpuArray& x, const GpuArray& gain, const GpuArray& in,
                      const GpuArray& out);
template <>
GpuArray look_up(GpuTape& tape, const GpuArray& points, const GpuArray& table, const CellGrid& grid,
                 std::span<const std::int64_t> known, const Packing& packing);
template <>
void add_positions(GpuTape& tape, const GpuArray& x, const Packing& packing);
template <>
GpuArray pool(GpuTape& tape, const GpuArray& x, unsigned bits, const Packing& packing);
template <>
GpuArray unit_norm(GpuTape& tape, const GpuArray& x);
template <>
GpuArray pair_distances(GpuTape& tape, const GpuArray& embeddings, const EmbeddingMetric& metric);
template <>
void similarity_loss(GpuTape& tape, const GpuArray& predicted, const GpuFloat* labels,
                     double largest, const LossSettings& settings, double* sum);

}  // namespace tsmini::learn
