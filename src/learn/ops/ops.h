// The operations that the network is made of, each with its gradient: on the CPU in single or
// double precision (the files beside this one), on a GPU in single precision (cuda/gpu_ops.h).
//
// Each makes its result in the tape's memory and records how to go back. All work on packed rows,
// in parallel, and give the same for any number of threads. What stands around a product is done
// while the product's rows are in the cache: so a convolution, a norm before a product, a gate
// behind it are one operation each.
//
// Tensors of the network, and the inputs of attention, pools, unit norm, distances and loss, are
// each used once a pass: their gradient is written, not added to. Inputs of the others may be used
// again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tsmini/embedding.h"
#include "tsmini/recipe.h"

#include "learn/array.h"
#include "learn/ops/dropout.h"
#include "learn/ops/packing.h"
#include "learn/tape.h"
#include "model/cell_grid.h"

namespace tsmini::learn {

// x · weightᵀ, with a bias and something of the same shape added to it, where there are.
template <typename T>
struct Added {
  Array<T> bias;
  Array<T> residual;
};
template <typename T>
Array<T> product(Tape<T>& tape, const Array<T>& x, const Array<T>& weight,
                 const Added<T>& added = {});

// Three neighbouring rows of a trajectory side by side, · weightᵀ: each loses two rows.
template <typename T>
Array<T> convolve(Tape<T>& tape, const Array<T>& x, const Array<T>& weight, const Packing& packing);

// Batch norm, then a leaky ReLU. While training: by the mean and variance of these rows, which
// `running` [2, channels] follows. Else: by the running ones.
template <typename T>
Array<T> batch_norm(Tape<T>& tape, const Array<T>& x, const Array<T>& gain, const Array<T>& shift,
                    const Array<T>& running, const Packing& packing);

// x + dropout(relu(x · weightᵀ + bias)).
template <typename T>
Array<T> residual_product(Tape<T>& tape, const Array<T>& x, const Array<T>& weight,
                          const Array<T>& bias, const Dropout& dropout);

// rms_norm(x) · gain, · weightᵀ.
template <typename T>
Array<T> norm_product(Tape<T>& tape, const Array<T>& x, const Array<T>& gain,
                      const Array<T>& weight);

template <typename T>
Array<T> layer_norm(Tape<T>& tape, const Array<T>& x, const Array<T>& gain, const Array<T>& shift);

template <typename T>
Array<T> relu(Tape<T>& tape, const Array<T>& x);

// Self-attention within each trajectory. qkv: [rows, (heads + 2·key_heads)·head_size]; `rotary`: a
// cosine and a sine of head_size / 2 angles a position, or null.
struct Heads {
  std::size_t queries = 0;
  std::size_t keys = 0;
};
template <typename T>
Array<T> attention(Tape<T>& tape, const Array<T>& qkv, const T* rotary, const Heads& heads,
                   const Packing& packing, const Dropout& dropout);

// x + (silu(a) · b) · outᵀ, where a and b side by side are rms_norm(x) · gain, · inᵀ.
template <typename T>
Array<T> feed_forward(Tape<T>& tape, const Array<T>& x, const Array<T>& gain, const Array<T>& in,
                      const Array<T>& out);

// The row of the table for the cell that each point lies in; `known` rises (model/cell_grid.h).
template <typename T>
Array<T> look_up(Tape<T>& tape, const Array<T>& points, const Array<T>& table, const CellGrid& grid,
                 std::span<const std::int64_t> known, const Packing& packing);

// Adds sine and cosine of the rows' positions in their trajectories, in place: x must be the result
// of an operation that does not read it on the way back (look_up, residual_product), since the
// gradient passes.
template <typename T>
void add_positions(Tape<T>& tape, const Array<T>& x, const Packing& packing);

// One row a trajectory: the kinds of pooling in `bits` (learn/pools.h) side by side.
template <typename T>
Array<T> pool(Tape<T>& tape, const Array<T>& x, unsigned bits, const Packing& packing);

// Rows of Euclidean length 1.
template <typename T>
Array<T> unit_norm(Tape<T>& tape, const Array<T>& x);

// [count, count] distances among embeddings.
template <typename T>
Array<T> pair_distances(Tape<T>& tape, const Array<T>& embeddings, const EmbeddingMetric& metric);

// Adds λ·100·L_mse + (1 - λ)·L_knn of a batch to *sum, which is where the arrays are, and sets its
// gradient by the predicted distances. `labels`: true distances; `largest`: what they are divided
// by.
template <typename T>
void similarity_loss(Tape<T>& tape, const Array<T>& predicted, const T* labels, double largest,
                     const LossSettings& settings, double* sum);

}  // namespace tsmini::learn
