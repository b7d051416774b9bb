#include "encode/weights.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "model/cell_grid.h"
#include "model/net_features.h"

namespace tsmini::encode {
namespace {

constexpr std::size_t input_width = 16;
constexpr double batch_epsilon = 1e-5;

using Shape = std::vector<std::size_t>;

// Numbers while they are folded.
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

// Hands out the tensors of a model once each.
class TensorReader {
 public:
  explicit TensorReader(const Model& model) : model_(model) {
    for (const auto& [name, tensor] : model.tensors) unread_.insert(name);
  }

  std::vector<double> read(const std::string& name, const Shape& shape) {
    if (!model_.tensors.contains(name)) {
      throw Error(
          ErrorCode::bad_input, fmt::format("the model has no tensor '{}'", name),
          "its settings ask for one; the file is altered or its writer was another program");
    }
    const Tensor& tensor = model_.tensors.find(name)->second;
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    if (tensor.shape != shape || tensor.values.size() != count) {
      throw Error(ErrorCode::bad_input,
                  fmt::format("tensor '{}' has the shape [{}], not [{}]", name,
                              fmt::join(tensor.shape, ", "), fmt::join(shape, ", ")),
                  "it does not fit the model's settings; the file is altered");
    }
    if (!std::all_of(tensor.values.begin(), tensor.values.end(),
                     [](float v) { return std::isfinite(v); })) {
      throw Error(ErrorCode::bad_input, fmt::format("tensor '{}' is not finite", name),
                  "the training failed; train again");
    }
    unread_.erase(name);
    return {tensor.values.begin(), tensor.values.end()};
  }

  Exact linear(const std::string& name, std::size_t out, std::size_t in) {
    return {in, out, read(name, {out, in}), std::vector<double>(out)};
  }

  void expect_all_read() const {
    if (unread_.empty()) return;
    throw Error(ErrorCode::bad_input,
                fmt::format("the model has a tensor '{}' that its settings do not know",
                            printable(*unread_.begin(), 80)),
                "the file is altered, or was written by a newer tsmini");
  }

 private:
  const Model& model_;
  std::set<std::string, std::less<>> unread_;
};

// The convolution of what `before`, which has no bias, gives of each row, as one of the rows
// themselves.
Exact convolution_after(const Exact& before, const Exact& convolution) {
  Exact both{3 * before.in, convolution.out, std::vector<double>(3 * before.in * convolution.out),
             convolution.bias};
  for (std::size_t o = 0; o < both.out; ++o) {
    for (std::size_t place = 0; place < 3; ++place) {
      for (std::size_t c = 0; c < before.out; ++c) {
        const double factor = convolution.at(o, place * before.out + c);
        for (std::size_t i = 0; i < before.in; ++i)
          both.at(o, place * before.in + i) += factor * before.at(c, i);
      }
    }
  }
  return both;
}

void read_sub_views(TensorReader& reader, const NetSettings& settings, NetWeights& weights) {
  const std::string name = "sub_views.";
  const Exact input = reader.linear(name + "input.weight", input_width, feature_columns(settings));
  std::size_t channels = input_width;
  for (std::size_t number = 0; number < weights.convolutions.size(); ++number) {
    const bool last = number + 1 == weights.convolutions.size();
    const std::size_t wider = last ? settings.dimension : 2 * channels;
    const std::string part = fmt::format("{}convolution{}.", name, number + 1);
    Exact convolution = reader.linear(part + "weight", wider, 3 * channels);
    if (number == 0) convolution = convolution_after(input, convolution);
    const std::vector<double> gain = reader.read(part + "norm.gain", {wider});
    const std::vector<double> shift = reader.read(part + "norm.shift", {wider});
    const std::vector<double> running = reader.read(part + "norm.running", {2, wider});
    for (std::size_t o = 0; o < wider; ++o) {
      const double variance = running[wider + o];
      if (variance < 0) {
        throw Error(ErrorCode::bad_input,
                    fmt::format("tensor '{}norm.running' has the variance {}", part, variance),
                    "the file is altered");
      }
      const double factor = gain[o] / std::sqrt(variance + batch_epsilon);
      convolution.scale_output(o, factor);
      convolution.bias[o] += shift[o] - running[o] * factor;
    }
    weights.convolutions[number] = convolution.rounded();
    channels = wider;
  }
  Exact residual = reader.linear(name + "residual.weight", channels, channels);
  residual.bias = reader.read(name + "residual.bias", {channels});
  weights.residual = residual.rounded();
}

void read_cells(TensorReader& reader, const Model& model, NetWeights& weights) {
  weights.known = known_cells(model);
  const std::size_t count = weights.known.size();
  reader.read("cells.known", {count, 2});
  const std::vector<double> table = reader.read("cells.table", {count + 1, model.net.dimension});
  weights.cells.assign(table.begin(), table.end());
}

// `linear` takes gain · x + shift where it took x.
void fold_norm(TensorReader& reader, const NetSettings& settings, const std::string& name,
               Exact& linear) {
  const std::vector<double> gain = reader.read(name + "gain", {linear.in});
  std::vector<double> shift(linear.in);
  if (settings.block == BlockKind::vanilla) shift = reader.read(name + "shift", {linear.in});
  for (std::size_t o = 0; o < linear.out; ++o) {
    for (std::size_t i = 0; i < linear.in; ++i) {
      linear.bias[o] += linear.at(o, i) * shift[i];
      linear.at(o, i) *= gain[i];
    }
  }
}

LayerWeights read_layer(TensorReader& reader, const NetSettings& settings, std::size_t number) {
  const std::string name = fmt::format("layers.{}.", number);
  const std::size_t queries = settings.heads * head_size;
  const std::size_t others = 2 * settings.key_heads * head_size;
  const bool vanilla = settings.block == BlockKind::vanilla;
  LayerWeights layer;
  Exact in = reader.linear(name + "attention.in.weight", queries + others, settings.dimension);
  fold_norm(reader, settings, name + "attention.norm.", in);
  const double scale = std::numbers::log2e / std::sqrt(static_cast<double>(head_size));
  for (std::size_t o = 0; o < queries; ++o) in.scale_output(o, scale);
  layer.attention_in = in.rounded();
  layer.attention_out =
      reader.linear(name + "attention.out.weight", settings.dimension, queries).rounded();
  const std::size_t wide = vanilla ? settings.hidden : 2 * settings.hidden;
  Exact feed_in = reader.linear(name + "feed.in.weight", wide, settings.dimension);
  if (vanilla) feed_in.bias = reader.read(name + "feed.in.bias", {wide});
  fold_norm(reader, settings, name + "feed.norm.", feed_in);
  layer.feed_in = feed_in.rounded();
  Exact feed_out = reader.linear(name + "feed.out.weight", settings.dimension, settings.hidden);
  if (vanilla) feed_out.bias = reader.read(name + "feed.out.bias", {settings.dimension});
  layer.feed_out = feed_out.rounded();
  return layer;
}

}  // namespace

NetWeights folded_weights(const Model& model) {
  const NetSettings& settings = model.net;
  TensorReader reader(model);
  NetWeights weights;
  if (settings.sub_views) {
    read_sub_views(reader, settings, weights);
  } else {
    read_cells(reader, model, weights);
  }
  for (std::size_t i = 0; i < settings.layers; ++i)
    weights.layers.push_back(read_layer(reader, settings, i));
  Exact head = reader.linear("head.weight", settings.dimension,
                             settings.pooling.size() * settings.dimension);
  if (settings.unit_norm) head.bias = reader.read("head.bias", {settings.dimension});
  weights.head = head.rounded();
  reader.expect_all_read();
  return weights;
}

}  // namespace tsmini::encode
