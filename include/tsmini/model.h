// A trained model as a value and as a file: what training writes and everything else reads.
//
// The file is safetensors: float32 tensors under the names of the network's parameters, and in its
// metadata the key "tsmini" with all of the below as JSON, and a checksum. Any PyTorch user can
// open it.
//
//   Model model = Model::load("frechet.safetensors");
//   std::cout << name_of(model.measure) << " in " << model.space.to_json() << '\n';
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/embedding.h"
#include "tsmini/measure.h"
#include "tsmini/space.h"

namespace tsmini {

// What the vectors of a trajectory's sub-views are condensed to; several are set side by side.
enum class Pool {
  mean,
  max,
  sum,    // divided by 50, to stay near the size of the mean
  first,  // the first sub-view
  last,   // the last
};
std::string_view name_of(Pool pool);
Pool pool_from(std::string_view name);  // throws Error(usage) that lists the names

enum class BlockKind {
  modern,   // RMSNorm, rotary positions, SwiGLU
  vanilla,  // LayerNorm, sinusoidal positions, ReLU feed-forward
};
std::string_view name_of(BlockKind kind);
BlockKind block_kind_from(std::string_view name);

// The shape of a network. The defaults are the released model.
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

// Where features come from: a plane in metres and the box in it that is scaled to [0, 1]². Part of
// the model, so that an embedding never depends on the data it travels with.
struct FeatureFrame {
  Space space;  // mercator for degrees, planar for planar data
  Planar low;
  Planar high;

  // The box of the data (of its split, where it has one), 500 m wider on every side.
  // Throws Error(bad_input) for an empty data set.
  static FeatureFrame fit(const Dataset& data);

  bool contains(const Planar& point) const;
};

// Seven numbers a point: x and y scaled to the frame's box; lengths of the segments before and
// after in km; their headings as a share of the full turn, counted from east against the clock;
// the turning angle, the difference of these headings folded to a share of the half turn. What
// does not exist at the two ends is 0, and so is the heading of a segment without length.
inline constexpr std::size_t feature_count = 7;
// A trajectory of fewer points is extended to this many by repeating its ends, the last one first.
inline constexpr std::size_t shortest_input = 7;

// Points after extension: max(points, shortest_input).
std::size_t feature_rows(std::size_t points);
// Fills feature_rows(n) × feature_count values, row-major. `points` are in frame.space, one at
// least.
void point_features(const FeatureFrame& frame, std::span<const Planar> points,
                    std::span<float> features);

struct Tensor {
  std::vector<std::size_t> shape;
  std::vector<float> values;  // row-major
};

struct Model {
  NetSettings net;
  FeatureFrame frame;
  Measure measure = Measure::frechet;
  MeasureSettings measure_settings;
  Space space;              // in which the measure was taken: distances come in its unit
  Calibration calibration;  // from a distance of embeddings to one in that unit
  std::string provenance;   // JSON: preset, seed, steps, data, validation figures
  std::map<std::string, Tensor, std::less<>> tensors;

  // Throws Error(bad_input) naming the file and what is wrong with it: not safetensors, a header
  // that lies (overlaps, gaps, sizes beyond the file), no or a newer "tsmini" entry, NaN in a
  // tensor.
  static Model load(const std::filesystem::path& path);
  // Appears whole or not at all; the same model gives the same bytes. Throws Error(failure) for
  // what load() would refuse: NaN in a tensor, a calibration that is not above 0.
  void save(const std::filesystem::path& path) const;
};

}  // namespace tsmini
