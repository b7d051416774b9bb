// The parts of the network. Each registers its numbers when it is made and computes from packed
// rows; none keeps anything of a batch.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "tsmini/model.h"

#include "learn/ops/ops.h"
#include "learn/parameters.h"
#include "model/cell_grid.h"

namespace tsmini::learn {

// How a forward pass is made. While training, batch norm uses the batch's own statistics and
// dropout draws from `key`.
struct Pass {
  bool training = false;
  at::Tensor key;  // one int64 on the device

  Dropout dropout(double rate, std::uint32_t salt) const {
    return {training ? rate : 0.0, key, salt};
  }
};

// Rows and how they are packed.
struct Packed {
  at::Tensor rows;
  Packing packing;
};

// Linear 7→16, three convolutions of width 3 (16→32→64→128) with batch norm and leaky ReLU, and a
// residual layer. n points give n - 6 sub-views.
class SubViewEncoder {
 public:
  SubViewEncoder(Parameters& parameters, const NetSettings& settings);
  Packed operator()(const Parameters& parameters, const Packed& points, const Pass& pass) const;

 private:
  struct Convolution {
    Parameters::Handle weight, gain, shift, running;
  };

  double dropout_;
  Parameters::Handle input_weight_;
  std::array<Convolution, 3> convolutions_;
  Parameters::Handle residual_weight_, residual_bias_;
};

// In place of sub-views: a trainable vector for the grid cell a point lies in, with sinusoidal
// positions. n points give n rows.
class CellEncoder {
 public:
  // `known`: numbers of the cells with a vector of their own, rising.
  CellEncoder(Parameters& parameters, const NetSettings& settings, const CellGrid& grid,
              std::span<const std::int64_t> known);
  Packed operator()(const Parameters& parameters, const Packed& points) const;

 private:
  CellGrid grid_;
  std::int64_t dimension_;
  Parameters::Handle table_, known_;
};

// One layer of the trajectory encoder: norm, attention, residual; norm, feed-forward, residual.
class Block {
 public:
  Block(Parameters& parameters, const NetSettings& settings, std::size_t number);
  at::Tensor operator()(const Parameters& parameters, const Packed& views, const Pass& pass,
                        const at::Tensor& rotary) const;

 private:
  // Of a vanilla block.
  at::Tensor norm(const Parameters& parameters, const at::Tensor& x, std::size_t which) const;

  BlockKind kind_;
  std::int64_t heads_, key_heads_, dimension_;
  double dropout_;
  std::uint32_t number_;
  std::array<Parameters::Handle, 2> gains_{}, shifts_{};  // shifts: vanilla only
  Parameters::Handle attention_in_, attention_out_, feed_in_, feed_out_;
  Parameters::Handle feed_in_bias_ = 0, feed_out_bias_ = 0;  // vanilla only
};

// Pooling over a trajectory's rows, then a linear layer; unit length where the settings say so.
class Head {
 public:
  Head(Parameters& parameters, const NetSettings& settings);
  at::Tensor operator()(const Parameters& parameters, const Packed& views) const;

 private:
  unsigned pools_;
  bool unit_norm_;
  Parameters::Handle weight_, bias_;
};

// Sine and cosine of `rows`' positions in their trajectories, [rows, dimension].
at::Tensor sinusoidal_positions(const Packing& packing, std::int64_t dimension,
                                const at::TensorOptions& options);
// Cosine and sine of 16 angles a position, [positions, 16, 2].
at::Tensor rotary_table(std::int64_t positions, const at::TensorOptions& options);

}  // namespace tsmini::learn
