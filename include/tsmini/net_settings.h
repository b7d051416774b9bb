// The shape of a network.
//
//   NetSettings net;  // the released model
//   net.pooling = {Pool::mean, Pool::max};
//   check_settings(net);
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/embedding.h"

namespace tsmini {

// What the vectors of a trajectory's sub-views are condensed to; several are set side by side.
enum class Pool {
  mean,
  max,
  sum,    // divided by 50, to stay near the size of the mean
  first,  // the first sub-view
  last,   // the last
};
inline constexpr std::array<std::string_view, 5> pool_names{"mean", "max", "sum", "first", "last"};
std::string_view name_of(Pool pool);
Pool pool_from(std::string_view name);  // throws Error(usage) that lists the names

enum class BlockKind {
  modern,   // RMSNorm, rotary positions, SwiGLU
  vanilla,  // LayerNorm, sinusoidal positions, ReLU feed-forward
};
inline constexpr std::array<std::string_view, 2> block_kind_names{"modern", "vanilla"};
std::string_view name_of(BlockKind kind);
BlockKind block_kind_from(std::string_view name);

// The defaults are the released model.
struct NetSettings {
  bool sub_views = true;            // false: a table of grid cells in their place
  double cell_metres = 100;         // side of a grid cell
  std::size_t fourier_octaves = 0;  // sine and cosine of x and y at 1, 2, 4, … periods of the box
  BlockKind block = BlockKind::modern;
  std::size_t layers = 1;
  std::size_t heads = 4;
  std::size_t key_heads = 4;  // fewer than heads: grouped queries
  std::size_t hidden = 512;   // of the feed-forward part
  double dropout = 0.1;       // on attention and in the sub-view encoder's residual branch
  std::vector<Pool> pooling{Pool::mean};
  std::size_t dimension = 128;  // of sub-views, blocks and embedding
  bool unit_norm = true;        // embeddings have Euclidean length 1
  EmbeddingMetric metric;

  friend bool operator==(const NetSettings&, const NetSettings&) = default;
};
// Throws Error(usage) naming the first setting that cannot be built, and what would do.
void check_settings(const NetSettings& settings);
// The settings as JSON, as they stand in a model file.
std::string to_json(const NetSettings& settings);

}  // namespace tsmini
