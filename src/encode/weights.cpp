#include "encode/weights.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "model/architecture.h"
#include "model/cell_grid.h"

namespace tsmini::encode {
namespace {

// A linear layer in double precision, while it is folded.
struct Exact {
  std::size_t in = 0, out = 0;
  std::vector<double> weight, bias;

  double& at(std::size_t o, std::size_t i) { return weight[o * in + i]; }
  double at(std::size_t o, std::size_t i) const { return weight[o * in + i]; }

  void scale_output(std::size_t o, double factor) {
    for (std::size_t i = 0; i < in; ++i) at(o, i) *= factor;
    bias[o] *= factor;
  }

  Linear rounded() const {
    return {in, out, {weight.begin(), weight.end()}, {bias.begin(), bias.end()}};
  }
};

class TensorReader {
 public:
  explicit TensorReader(const Model& model) : model_(model) {
    check_tensors(model.net, model.tensors);
  }

  std::vector<double> read(const std::string& name) const {
    const Tensor& tensor = model_.tensors.find(name)->second;
    if (!std::all_of(tensor.values.begin(), tensor.values.end(),
                     [](float v) { return std::isfinite(v); })) {
      throw Error(ErrorCode::bad_input, fmt::format("tensor '{}' is not finite", name),
                  "the training failed; train again");
    }
    return {tensor.values.begin(), tensor.values.end()};
  }

  Exact linear(const std::string& name) const {
    const std::vector<std::size_t>& shape = model_.tensors.find(name)->second.shape;
    return {shape[1], shape[0], read(name), std::vector<double>(shape[0])};
  }

 private:
  const Model& model_;
};

// One convolution that does to rows what `before`, which has no bias and sees each row by itself,
// and then `convolution` do.
Exact convolution_after(const Exact& before, const Exact& convolution) {
  Exact both{window_rows * before.in, convolution.out,
             std::vector<double>(window_rows * before.in * convolution.out), convolution.bias};
  for (std::size_t o = 0; o < both.out; ++o) {
    for (std::size_t place = 0; place < window_rows; ++place) {
      for (std::size_t c = 0; c < before.out; ++c) {
        const double factor = convolution.at(o, place * before.out + c);
        for (std::size_t i = 0; i < before.in; ++i)
          both.at(o, place * before.in + i) += factor * before.at(c, i);
      }
    }
  }
  return both;
}

void read_sub_views(const TensorReader& reader, NetWeights& weights) {
  const std::string name = "sub_views.";
  const Exact input = reader.linear(name + "input.weight");
  for (std::size_t number = 0; number < weights.convolutions.size(); ++number) {
    const std::string part = fmt::format("{}convolution{}.", name, number + 1);
    Exact convolution = reader.linear(part + "weight");
    if (number == 0) convolution = convolution_after(input, convolution);
    const std::vector<double> gain = reader.read(part + "norm.gain");
    const std::vector<double> shift = reader.read(part + "norm.shift");
    const std::vector<double> running = reader.read(part + "norm.running");
    for (std::size_t o = 0; o < convolution.out; ++o) {
      const double variance = running[convolution.out + o];
      if (variance < 0) {
        throw Error(ErrorCode::bad_input,
                    fmt::format("tensor '{}norm.running' has the variance {}", part, variance),
                    "the file is altered");
      }
      const double factor = gain[o] / std::sqrt(variance + norm_epsilon);
      convolution.scale_output(o, factor);
      convolution.bias[o] += shift[o] - running[o] * factor;
    }
    weights.convolutions[number] = convolution.rounded();
  }
  Exact residual = reader.linear(name + "residual.weight");
  residual.bias = reader.read(name + "residual.bias");
  weights.residual = residual.rounded();
}

void read_cells(const TensorReader& reader, const Model& model, NetWeights& weights) {
  weights.known = known_cells(model);
  const std::vector<double> table = reader.read("cells.table");
  weights.cells.assign(table.begin(), table.end());
}

// `linear` takes gain · x + shift where it took x.
void fold_norm(const TensorReader& reader, const NetSettings& settings, const std::string& name,
               Exact& linear) {
  const std::vector<double> gain = reader.read(name + "gain");
  std::vector<double> shift(linear.in);
  if (settings.block == BlockKind::vanilla) shift = reader.read(name + "shift");
  for (std::size_t o = 0; o < linear.out; ++o) {
    for (std::size_t i = 0; i < linear.in; ++i) {
      linear.bias[o] += linear.at(o, i) * shift[i];
      linear.at(o, i) *= gain[i];
    }
  }
}

LayerWeights read_layer(const TensorReader& reader, const NetSettings& settings,
                        std::size_t number) {
  const std::string name = fmt::format("layers.{}.", number);
  const bool vanilla = settings.block == BlockKind::vanilla;
  LayerWeights layer;
  Exact in = reader.linear(name + "attention.in.weight");
  fold_norm(reader, settings, name + "attention.norm.", in);
  const double scale = std::numbers::log2e / std::sqrt(static_cast<double>(head_size));
  for (std::size_t o = 0; o < settings.heads * head_size; ++o) in.scale_output(o, scale);
  layer.attention_in = in.rounded();
  layer.attention_out = reader.linear(name + "attention.out.weight").rounded();
  Exact feed_in = reader.linear(name + "feed.in.weight");
  if (vanilla) feed_in.bias = reader.read(name + "feed.in.bias");
  fold_norm(reader, settings, name + "feed.norm.", feed_in);
  layer.feed_in = feed_in.rounded();
  Exact feed_out = reader.linear(name + "feed.out.weight");
  if (vanilla) feed_out.bias = reader.read(name + "feed.out.bias");
  layer.feed_out = feed_out.rounded();
  return layer;
}

}  // namespace

NetWeights folded_weights(const Model& model) {
  const NetSettings& settings = model.net;
  const TensorReader reader(model);
  NetWeights weights;
  if (settings.sub_views) {
    read_sub_views(reader, weights);
  } else {
    read_cells(reader, model, weights);
  }
  for (std::size_t i = 0; i < settings.layers; ++i)
    weights.layers.push_back(read_layer(reader, settings, i));
  Exact head = reader.linear("head.weight");
  if (settings.unit_norm) head.bias = reader.read("head.bias");
  weights.head = head.rounded();
  return weights;
}

}  // namespace tsmini::encode
