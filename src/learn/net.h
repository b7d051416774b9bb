// The network: points of many trajectories in, one embedding each out.
//
//   Net<float> net(settings, frame, {}, seed, longest);
//   Tape<float> tape(arena, Tape<float>::Purpose::training);
//   Array<float> embeddings = net.embed(tape, points, packing, key);
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tsmini/model.h"

#include "learn/ops/ops.h"
#include "learn/parameters.h"

namespace tsmini::learn {

template <typename T>
class Net {
 public:
  // `cells`: for a net without sub-views, those that it knows (model/cell_grid.h). `longest`: the
  // most points of a trajectory it will see. Throws Error(usage) for settings that cannot be built.
  Net(const NetSettings& settings, const FeatureFrame& frame, std::span<const std::int64_t> cells,
      std::uint64_t seed, std::size_t longest);

  // points: [rows, feature_columns(settings)]; the result is [count, dimension]. `key`: what
  // dropout draws from, while training; a pointer into the memory of the device that the net is on,
  // as packing.starts is.
  Array<T> embed(Tape<T>& tape, const Array<T>& points, const Packing& packing,
                 const std::int64_t* key = nullptr);

  const NetSettings& settings() const { return settings_; }
  Parameters<T>& parameters() { return parameters_; }
  const Parameters<T>& parameters() const { return parameters_; }

 private:
  struct Convolution {
    Array<T> weight, gain, shift, running;
  };
  struct Layer {
    Array<T> attention_gain, attention_shift, attention_in, attention_out;
    Array<T> feed_gain, feed_shift, feed_in, feed_in_bias, feed_out, feed_out_bias;
  };
  struct Pass {
    Tape<T>& tape;
    Packing packing;
    const std::int64_t* key;
  };

  void find_tensors();
  Dropout dropout(const Pass& pass, std::uint32_t salt) const;
  Array<T> sub_views(Pass& pass, Array<T> x) const;
  Array<T> cell_vectors(const Pass& pass, const Array<T>& points) const;
  Array<T> attended(const Pass& pass, const Array<T>& x, const Layer& layer,
                    std::size_t number) const;
  Array<T> block(const Pass& pass, const Array<T>& x, const Layer& layer, std::size_t number) const;
  Array<T> head(const Pass& pass, const Array<T>& x) const;

  NetSettings settings_;
  CellGrid grid_;
  typename Storage<T>::template Block<std::int64_t> known_;
  Parameters<T> parameters_;
  typename Storage<T>::template Block<T> rotary_;

  Array<T> input_, residual_, residual_bias_, table_, head_, head_bias_;
  std::array<Convolution, convolution_count> convolutions_;
  std::vector<Layer> layers_;
};

}  // namespace tsmini::learn
