#include "learn/net.h"

#include <string>

#include <fmt/format.h>

#include "learn/ops/positions.h"
#include "learn/pools.h"
#ifdef TSMINI_CUDA
#include "learn/cuda/gpu_ops.h"
#endif

namespace tsmini::learn {
namespace {

const NetSettings& checked(const NetSettings& settings) {
  check_settings(settings);
  return settings;
}

}  // namespace

template <typename T>
Net<T>::Net(const NetSettings& settings, const FeatureFrame& frame,
            std::span<const std::int64_t> cells, std::uint64_t seed, std::size_t longest)
    : settings_(checked(settings)),
      grid_(settings, frame),
      known_(Storage<T>::block(cells)),
      parameters_(network_tensors(settings, cells.size()), places_of_cells(grid_, cells), seed) {
  if (settings.block == BlockKind::modern)
    rotary_ = block_of<T>(rotary_table<typename Storage<T>::Value>(longest));
  find_tensors();
}

template <typename T>
void Net<T>::find_tensors() {
  Parameters<T>& all = parameters_;
  if (settings_.sub_views) {
    input_ = all["sub_views.input.weight"];
    for (std::size_t i = 0; i < convolutions_.size(); ++i) {
      const std::string name = fmt::format("sub_views.convolution{}.", i + 1);
      convolutions_[i] = {all[name + "weight"], all[name + "norm.gain"], all[name + "norm.shift"],
                          all[name + "norm.running"]};
    }
    residual_ = all["sub_views.residual.weight"];
    residual_bias_ = all["sub_views.residual.bias"];
  } else {
    table_ = all["cells.table"];
  }
  for (std::size_t i = 0; i < settings_.layers; ++i) {
    const std::string name = fmt::format("layers.{}.", i);
    Layer& layer = layers_.emplace_back();
    layer.attention_gain = all[name + "attention.norm.gain"];
    layer.attention_in = all[name + "attention.in.weight"];
    layer.attention_out = all[name + "attention.out.weight"];
    layer.feed_gain = all[name + "feed.norm.gain"];
    layer.feed_in = all[name + "feed.in.weight"];
    layer.feed_out = all[name + "feed.out.weight"];
    if (settings_.block == BlockKind::modern) continue;
    layer.attention_shift = all[name + "attention.norm.shift"];
    layer.feed_shift = all[name + "feed.norm.shift"];
    layer.feed_in_bias = all[name + "feed.in.bias"];
    layer.feed_out_bias = all[name + "feed.out.bias"];
  }
  head_ = all["head.weight"];
  if (settings_.unit_norm) head_bias_ = all["head.bias"];
}

template <typename T>
Array<T> Net<T>::embed(Tape<T>& tape, const Array<T>& points, const Packing& packing,
                       const std::int64_t* key) {
  Pass pass{tape, packing, key};
  Array<T> x = settings_.sub_views ? sub_views(pass, points) : cell_vectors(pass, points);
  if (settings_.block == BlockKind::vanilla || !settings_.sub_views)
    add_positions(tape, x, pass.packing);
  for (std::size_t i = 0; i < layers_.size(); ++i) x = block(pass, x, layers_[i], i);
  return head(pass, x);
}

// n points give n - lost_rows sub-views.
template <typename T>
Array<T> Net<T>::sub_views(Pass& pass, Array<T> x) const {
  x = product(pass.tape, x, input_);
  for (const Convolution& layer : convolutions_) {
    x = convolve(pass.tape, x, layer.weight, pass.packing);
    pass.packing = pass.packing.after(window_rows - 1);
    x = batch_norm(pass.tape, x, layer.gain, layer.shift, layer.running, pass.packing);
  }
  return residual_product(pass.tape, x, residual_, residual_bias_, dropout(pass, residual_salt));
}

template <typename T>
Array<T> Net<T>::cell_vectors(const Pass& pass, const Array<T>& points) const {
  return look_up<T>(pass.tape, points, table_, grid_, {known_.data(), known_.size()}, pass.packing);
}

// One layer: norm, attention, residual; norm, feed-forward, residual.
template <typename T>
Array<T> Net<T>::block(const Pass& pass, const Array<T>& x, const Layer& layer,
                       std::size_t number) const {
  const Array<T> y = attended(pass, x, layer, number);
  if (settings_.block == BlockKind::modern)
    return feed_forward(pass.tape, y, layer.feed_gain, layer.feed_in, layer.feed_out);
  const Array<T> normal = layer_norm(pass.tape, y, layer.feed_gain, layer.feed_shift);
  const Array<T> inner =
      relu(pass.tape, product(pass.tape, normal, layer.feed_in, {layer.feed_in_bias, {}}));
  return product(pass.tape, inner, layer.feed_out, {layer.feed_out_bias, y});
}

template <typename T>
Array<T> Net<T>::attended(const Pass& pass, const Array<T>& x, const Layer& layer,
                          std::size_t number) const {
  const bool modern = settings_.block == BlockKind::modern;
  const Array<T> qkv =
      modern ? norm_product(pass.tape, x, layer.attention_gain, layer.attention_in)
             : product(pass.tape,
                       layer_norm(pass.tape, x, layer.attention_gain, layer.attention_shift),
                       layer.attention_in);
  const Array<T> gathered = attention<T>(pass.tape, qkv, modern ? rotary_.data() : nullptr,
                                         {settings_.heads, settings_.key_heads}, pass.packing,
                                         dropout(pass, static_cast<std::uint32_t>(number + 1)));
  return product(pass.tape, gathered, layer.attention_out, {{}, x});
}

template <typename T>
Array<T> Net<T>::head(const Pass& pass, const Array<T>& x) const {
  const Array<T> pooled = pool(pass.tape, x, pool_bits(settings_.pooling), pass.packing);
  const Array<T> embedding = product(pass.tape, pooled, head_, {head_bias_, {}});
  return settings_.unit_norm ? unit_norm(pass.tape, embedding) : embedding;
}

template <typename T>
Dropout Net<T>::dropout(const Pass& pass, std::uint32_t salt) const {
  return {pass.tape.training() ? static_cast<float>(settings_.dropout) : 0.0F, pass.key, salt};
}

template class Net<float>;
template class Net<double>;
#ifdef TSMINI_CUDA
template class Net<GpuFloat>;
#endif

}  // namespace tsmini::learn
