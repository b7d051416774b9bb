// A model's tensors as the encoder wants them: checked, and with everything linear folded into the
// layer beside it, where no nonlinearity stands between.
//
// - The input layer and the first convolution are one convolution of the features (21 numbers to 32
//   in place of 7 to 16 and 48 to 32); batch norm is the scale and bias of its convolution.
// - Gains and shifts of the norms are part of the layer behind them.
// - Queries come scaled by log2(e) / √32: the softmax is one of powers of 2.
//
// All of it is computed in double precision.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tsmini/model.h"

#include "model/architecture.h"

namespace tsmini::encode {

// y = weight · x + bias.
struct Linear {
  std::size_t in = 0, out = 0;
  std::vector<float> weight;  // [out, in], row-major
  std::vector<float> bias;    // [out]
};

struct LayerWeights {
  Linear attention_in;  // queries of all heads, then keys, then values
  Linear attention_out;
  Linear feed_in;  // modern: the gate, which SiLU is taken of, then what it multiplies
  Linear feed_out;
};

struct NetWeights {
  std::array<Linear, convolution_count> convolutions;  // of windows of three rows; sub-views only
  Linear residual;                                     // sub-views only
  std::vector<std::int64_t> known;                     // grid cells only: their numbers, rising
  std::vector<float> cells;                            // grid cells only: [known + 1, dimension]
  std::vector<LayerWeights> layers;
  Linear head;
};

// Throws Error(bad_input) naming a tensor that is missing, left over, of another shape than the
// settings ask for, or not finite.
NetWeights folded_weights(const Model& model);

}  // namespace tsmini::encode
