#include "rivals/trajcl/trajcl.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/sampling.h"
#include "rivals/core/attention.h"
#include "rivals/core/cell_vectors.h"
#include "rivals/core/movement.h"
#include "rivals/core/movement_bias.h"

namespace tsmini::rivals {
namespace {

constexpr std::int64_t spatial_layers = 3, spatial_hidden = 32;
constexpr std::int64_t layers = 2, heads = 4, hidden = 2048;
constexpr double dropout = .1;
constexpr double dropped_share = .3, piece_share = .7;

class DualEncoder : public Encoder {
 public:
  DualEncoder(const Tensor& vectors, bool mixed) : vectors_(vectors) {
    for (std::int64_t i = 0; i < spatial_layers; ++i)
      spatial_.push_back(register_module(
          "spatial_" + std::to_string(i),
          EncoderLayer(ContrastiveRival::feature_count, 1, spatial_hidden, dropout)));
    for (std::int64_t i = 0; i < layers; ++i)
      structural_.push_back(register_module("structural_" + std::to_string(i),
                                            EncoderLayer(dimension, heads, hidden, dropout)));
    bias_ = register_module("bias", MovementBias(heads, mixed));
    to(vectors.device());
  }

  Tensor encode(const Padded& batch) override {
    const auto [rows, features] = parts_of(batch.values);
    const torch::Device device = rows.device();
    const std::int64_t length = batch.longest();
    Attended spatial{dropped(features + sinusoidal_positions(length, features.size(2), device)),
                     {}};
    for (EncoderLayer& layer : spatial_) spatial = layer(spatial.values, batch.mask);
    const Tensor bias = bias_(spatial.weights);
    const Packing packing(batch.counted, length, device);
    const Tensor places = sinusoidal_positions(length, dimension, device);
    Tensor x = dropped(torch::embedding(vectors_, packing.pack(rows)) +
                       places.index_select(0, packing.places()));
    for (EncoderLayer& layer : structural_) x = layer->packed(x, packing, bias).values;
    return mean_of(packing.spread(x), batch.mask);
  }

 private:
  Tensor dropped(const Tensor& x) const { return torch::dropout(x, dropout, is_training()); }

  std::vector<EncoderLayer> spatial_, structural_;
  MovementBias bias_{nullptr};
  Tensor vectors_;  // of the known cells, frozen
};

// A trip without `count` of its points, in order. Not by sample_below(): other draws would give
// another model (rival_revision).
ContrastiveRival::Points without_some(std::span<const Planar> trip, std::size_t count,
                                      Random& random) {
  const std::vector<bool> goes = mark_sample(trip.size(), count, random);
  ContrastiveRival::Points kept;
  for (std::size_t i = 0; i < trip.size(); ++i) {
    if (!goes[i]) kept.push_back(trip[i]);
  }
  return kept;
}

}  // namespace

Trajcl::Trajcl(const Settings& settings, const Ground& ground)
    : ContrastiveRival(settings, ground,
                       [vectors = cell_vectors_of(ground, dimension).to(settings.device),
                        mixed = settings.keeps(mixed_attention.name)] {
                         return std::make_shared<DualEncoder>(vectors, mixed);
                       }) {}

ContrastiveRival::Features Trajcl::features_of(std::span<const CellRun> runs) const {
  const PlanarBox& box = ground().cells.box();
  const double unit = segment_unit * ground().cells.size();
  Features features(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Planar& at = runs[i].point;
    features[i] = {(at.x - box.low.x) / box.width(), (at.y - box.low.y) / box.height(), 0, 0};
    if (i == 0 || i + 1 == runs.size()) continue;
    features[i][2] = mean_segment(runs[i - 1].point, at, runs[i + 1].point) / unit;
    features[i][3] = turning_term(runs[i - 1].point, at, runs[i + 1].point);
  }
  return features;
}

ContrastiveRival::Views Trajcl::views_of(std::span<const Planar> trip, Random& random) const {
  const auto share = [&](double of) {
    return static_cast<std::size_t>(of * static_cast<double>(trip.size()));
  };
  const std::size_t length = std::max<std::size_t>(1, share(piece_share));
  const auto piece = trip.subspan(random.below(trip.size() - length + 1), length);
  return {without_some(trip, share(dropped_share), random), {piece.begin(), piece.end()}};
}

RivalKind trajcl_kind() {
  return {.name = "trajcl",
          .title = "TrajCL",
          .summary =
              "attention over cells, biased by attention over movement; learns without "
              "labels first",
          .mistakes = {mixed_attention, unscaled},
          .add_ground = add_cell_vectors,
          .make = [](const Settings& settings, const Ground& ground) -> std::shared_ptr<Rival> {
            return std::make_shared<Trajcl>(settings, ground);
          }};
}

}  // namespace tsmini::rivals
