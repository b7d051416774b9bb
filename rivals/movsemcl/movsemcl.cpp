#include "rivals/movsemcl/movsemcl.h"

#include <algorithm>
#include <string>
#include <utility>

#include "rivals/core/attention.h"
#include "rivals/core/cell_vectors.h"
#include "rivals/core/movement.h"
#include "rivals/core/movement_bias.h"

namespace tsmini::rivals {
namespace {

constexpr std::int64_t patch = 4, most_places = 201;
constexpr std::int64_t layers = 2, heads = 4, hidden = 2048;
constexpr std::int64_t spatial_rounds = 3, spatial_hidden = 32;
constexpr double dropout = .1;
constexpr double dropped_share = .3;
constexpr double end_weight = .2, turn_weight = .5, straight_weight = .4;
constexpr const char* float_mask = "float-mask";

class PatchEncoder : public Encoder {
 public:
  struct Released {
    bool mixed_attention, float_mask;
  };

  PatchEncoder(const Tensor& vectors, const Released& released)
      : vectors_(vectors), float_mask_(released.float_mask) {
    constexpr std::int64_t narrow = ContrastiveRival::feature_count;
    spatial_patch_ = register_module("spatial_patch", EncoderLayer(narrow, heads, hidden, dropout));
    spatial_ = register_module("spatial", EncoderLayer(narrow, 1, spatial_hidden, dropout));
    patch_ = register_module("patch", EncoderLayer(dimension, heads, hidden, dropout));
    for (std::int64_t i = 0; i < layers; ++i)
      structural_.push_back(register_module("structural_" + std::to_string(i),
                                            EncoderLayer(dimension, heads, hidden, dropout)));
    spatial_places_ = register_parameter("spatial_places", torch::empty({most_places, narrow}));
    places_ = register_parameter("places", torch::empty({most_places, dimension}));
    torch::nn::init::xavier_uniform_(spatial_places_);
    torch::nn::init::xavier_uniform_(places_);
    bias_ = register_module("bias", MovementBias(heads, released.mixed_attention));
    to(vectors.device());
  }

  Tensor encode(const Padded& batch) override {
    const Tensor cells = patched(batch.values), cell_mask = patched(batch.mask);
    const std::int64_t most = cells.size(1);
    const torch::Device device = cells.device();
    std::vector<std::int64_t> counts;
    for (const std::int64_t length : batch.counted) counts.push_back((length + patch - 1) / patch);
    const Packing real(counts, most, device);  // patches that are not wholly padding
    const Tensor inside = real.pack(cell_mask);
    const auto [rows, features] = parts_of(real.pack(cells));
    const auto within = [&](EncoderLayer& layer, const Tensor& x) {
      return mean_of(layer(x, inside).values, inside);
    };
    // As released, padding is not hidden: its logits are larger by 1.
    Tensor padding;
    if (float_mask_)
      padding = real.mask().logical_not().to(torch::kFloat).reshape({-1, 1, 1, most});
    const Packing seen =
        float_mask_ ? Packing(std::vector(counts.size(), most), most, device) : real;

    const Tensor order = torch::arange(most, rows.options()).clamp_max(most_places - 1);
    Attended spatial{
        real.spread(within(spatial_patch_, features)) + spatial_places_.index_select(0, order), {}};
    for (std::int64_t i = 0; i < spatial_rounds; ++i)
      spatial = spatial_(spatial.values, seen.mask(), padding);
    Tensor bias = bias_(spatial.weights);
    if (padding.defined()) bias = bias + padding;
    const Tensor patches = real.spread(within(patch_, torch::embedding(vectors_, rows)));
    Tensor x = seen.pack(patches + places_.index_select(0, order));
    for (EncoderLayer& layer : structural_) x = layer->packed(x, seen, bias).values;
    return mean_of(seen.spread(x), real.mask());
  }

 private:
  // [count, longest, …] to [count, patches, 4, …], zeros at the end.
  static Tensor patched(const Tensor& x) {
    const std::int64_t most = (x.size(1) + patch - 1) / patch;
    std::vector<std::int64_t> sizes = x.sizes().vec();
    sizes[1] = most * patch - x.size(1);
    const Tensor whole = sizes[1] > 0 ? torch::cat({x, torch::zeros(sizes, x.options())}, 1) : x;
    return whole.unflatten(1, {most, patch});
  }

  EncoderLayer spatial_patch_{nullptr}, spatial_{nullptr}, patch_{nullptr};
  std::vector<EncoderLayer> structural_;
  MovementBias bias_{nullptr};
  Tensor spatial_places_, places_;
  Tensor vectors_;  // of the known cells, frozen
  bool float_mask_;
};

// The trip without three points of ten, drawn by weight.
ContrastiveRival::Points sparser(std::span<const Planar> trip, std::span<const double> weights,
                                 Random& random) {
  // The shortest waiting times with these rates are those of points drawn one after another.
  std::vector<std::pair<double, std::size_t>> times;
  for (std::size_t i = 0; i < trip.size(); ++i)
    times.emplace_back(random.exponential() / weights[i], i);
  const auto count = static_cast<std::ptrdiff_t>(dropped_share * static_cast<double>(trip.size()));
  std::nth_element(times.begin(), times.begin() + count, times.end());
  std::vector<bool> dropped(trip.size());
  for (std::ptrdiff_t i = 0; i < count; ++i)
    dropped[times[static_cast<std::size_t>(i)].second] = true;
  ContrastiveRival::Points kept;
  for (std::size_t i = 0; i < trip.size(); ++i)
    if (!dropped[i]) kept.push_back(trip[i]);
  return kept;
}

}  // namespace

Movsemcl::Movsemcl(const Settings& settings, const Ground& ground)
    : ContrastiveRival(settings, ground,
                       [vectors = cell_vectors_of(ground, dimension).to(settings.device),
                        released = PatchEncoder::Released{settings.keeps(mixed_attention.name),
                                                          settings.keeps(float_mask)}] {
                         return std::make_shared<PatchEncoder>(vectors, released);
                       }) {}

ContrastiveRival::Features Movsemcl::features_of(std::span<const CellRun> runs) const {
  const PlanarBox& box = ground().cells.box();
  const double unit = segment_unit * ground().cells.size();
  Features features(runs.size());  // zeros
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const Planar &before = runs[i - 1].point, &at = runs[i].point;
    features[i] = {(at.x - before.x) / box.width(), (at.y - before.y) / box.height(), 0, 0};
    if (i + 1 == runs.size()) continue;
    features[i][2] = mean_segment(before, at, runs[i + 1].point) / unit;
    features[i][3] = turning_term(before, at, runs[i + 1].point);
  }
  return features;
}

std::vector<double> Movsemcl::drop_weights(std::span<const Planar> trip) {
  std::vector<double> weights(trip.size(), end_weight);
  for (std::size_t i = 1; i + 1 < trip.size(); ++i)
    weights[i] = turn_weight + straight_weight * (1 - turn(trip[i - 1], trip[i], trip[i + 1]));
  return weights;
}

ContrastiveRival::Views Movsemcl::views_of(std::span<const Planar> trip, Random& random) const {
  const std::vector<double> weights = drop_weights(trip);
  Points first = sparser(trip, weights, random);
  return {std::move(first), sparser(trip, weights, random)};
}

RivalKind movsemcl_kind() {
  return {.name = "movsemcl",
          .title = "MovSemCL",
          .summary = "TrajCL over patches of four cells",
          .mistakes = {mixed_attention,
                       {float_mask, "padded patches are not hidden: their logits are larger by 1"},
                       unscaled},
          .add_ground = add_cell_vectors,
          .make = [](const Settings& settings, const Ground& ground) -> std::shared_ptr<Rival> {
            return std::make_shared<Movsemcl>(settings, ground);
          }};
}

}  // namespace tsmini::rivals
