#include "model/architecture.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tsmini/error.h"

#include "base/utf8.h"
#include "model/net_features.h"

namespace tsmini {
namespace {

using Shape = std::vector<std::size_t>;

class Lister {
 public:
  // A matrix [out, in] that rows are multiplied with.
  void weight(const std::string& name, std::size_t out, std::size_t in, std::string_view sizes,
              std::string_view meaning) {
    add(name, {out, in}, sizes, meaning, Start::uniform, in);
  }
  void bias(const std::string& name, std::size_t out, std::size_t fan_in, std::string_view sizes) {
    add(name, {out}, sizes, "added to that", Start::uniform, fan_in);
  }
  void add(const std::string& name, Shape shape, std::string_view sizes, std::string_view meaning,
           Start start, std::size_t fan_in = 1) {
    all_.push_back({name, std::move(shape), sizes, meaning, start, fan_in});
  }

  std::vector<TensorSpec> take() { return std::move(all_); }

 private:
  std::vector<TensorSpec> all_;
};

void list_sub_views(const NetSettings& settings, Lister& list) {
  constexpr std::array<std::string_view, convolution_count> weights = {"[32, 3·16]", "[64, 3·32]",
                                                                       "[D, 3·64]"};
  constexpr std::array<std::string_view, convolution_count> outs = {"[32]", "[64]", "[D]"};
  constexpr std::array<std::string_view, convolution_count> both = {"[2, 32]", "[2, 64]", "[2, D]"};
  const std::size_t width = settings.dimension;
  list.weight("sub_views.input.weight", input_width, feature_columns(settings), "[16, 7 + 4·F]",
              "features of a point to channels");
  const auto widths = convolution_widths(settings);
  for (std::size_t i = 0; i < convolution_count; ++i) {
    const std::size_t wider = widths[i + 1];
    const std::string name = fmt::format("sub_views.convolution{}.", i + 1);
    list.weight(name + "weight", wider, window_rows * widths[i], weights[i],
                "the row before, the row, the row after, each with all channels");
    list.add(name + "norm.gain", {wider}, outs[i], "of batch norm", Start::one);
    list.add(name + "norm.shift", {wider}, outs[i], "of batch norm", Start::zero);
    list.add(name + "norm.running", {2, wider}, both[i],
             "running means, then running variances; not trained", Start::statistics);
  }
  list.weight("sub_views.residual.weight", width, width, "[D, D]",
              "x + ReLU(x · weightᵀ + bias) is a sub-view");
  list.bias("sub_views.residual.bias", width, width, "[D]");
}

void list_cells(const NetSettings& settings, std::size_t known, Lister& list) {
  list.add("cells.table", {known + 1, settings.dimension}, "[C + 1, D]",
           "the vector of all unknown cells, then one a known cell", Start::normal);
  list.add(
      "cells.known", {known, 2}, "[C, 2]",
      "column and row of the known cells, in rising order of row · columns + column; not trained",
      Start::given);
}

void list_layer(const NetSettings& settings, std::size_t number, Lister& list) {
  const bool vanilla = settings.block == BlockKind::vanilla;
  const std::string name = fmt::format("layers.{}.", number);
  const std::size_t width = settings.dimension, hidden = settings.hidden;
  const std::size_t attended = settings.heads * head_size;
  for (const std::string_view part : {"attention", "feed"}) {
    const std::string norm = fmt::format("{}{}.norm.", name, part);
    list.add(norm + "gain", {width}, "[D]", vanilla ? "of layer norm" : "of RMS norm", Start::one);
    if (vanilla) list.add(norm + "shift", {width}, "[D]", "of layer norm", Start::zero);
  }
  list.weight(name + "attention.in.weight", attended + 2 * settings.key_heads * head_size, width,
              "[32·(H + 2·K), D]", "queries of all heads, then keys, then values");
  list.weight(name + "attention.out.weight", width, attended, "[D, 32·H]", "what heads gathered");
  const std::size_t wide = vanilla ? hidden : 2 * hidden;
  list.weight(name + "feed.in.weight", wide, width, vanilla ? "[N, D]" : "[2·N, D]",
              vanilla ? "what ReLU takes" : "what SiLU takes, then what it gates");
  list.weight(name + "feed.out.weight", width, hidden, "[D, N]", "back to the dimension");
  if (vanilla) {
    list.bias(name + "feed.in.bias", wide, width, "[N]");
    list.bias(name + "feed.out.bias", width, hidden, "[D]");
  }
}

[[noreturn]] void refuse(const std::string& what) {
  throw Error(
      ErrorCode::bad_input, what,
      "it does not fit the model's settings: the file is altered, or its writer was another "
      "program or a newer tsmini");
}

// How many known cells the tensors list. 0 without a list, whose absence check_tensors() finds.
std::size_t cells_listed(const std::map<std::string, Tensor, std::less<>>& tensors) {
  const auto known = tensors.find("cells.known");
  return known == tensors.end() || known->second.shape.empty() ? 0 : known->second.shape[0];
}

}  // namespace

std::array<std::size_t, convolution_count + 1> convolution_widths(const NetSettings& settings) {
  return {input_width, 2 * input_width, 4 * input_width, settings.dimension};
}

std::size_t TensorSpec::size() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::vector<TensorSpec> network_tensors(const NetSettings& settings, std::size_t known_cells) {
  Lister list;
  const std::size_t width = settings.dimension, pooled = settings.pooling.size() * width;
  if (settings.sub_views) {
    list_sub_views(settings, list);
  } else {
    list_cells(settings, known_cells, list);
  }
  for (std::size_t i = 0; i < settings.layers; ++i) list_layer(settings, i, list);
  list.weight("head.weight", width, pooled, "[D, P·D]",
              "the pools side by side, in the order mean, max, sum, first, last, to the embedding");
  if (settings.unit_norm) list.bias("head.bias", width, pooled, "[D]");
  return list.take();
}

void check_tensors(const NetSettings& settings,
                   const std::map<std::string, Tensor, std::less<>>& tensors) {
  const std::vector<TensorSpec> specs = network_tensors(settings, cells_listed(tensors));
  for (const TensorSpec& spec : specs) {
    if (!tensors.contains(spec.name))
      refuse(fmt::format("the model has no tensor '{}'", spec.name));
  }
  for (const TensorSpec& spec : specs) {
    const Tensor& tensor = tensors.find(spec.name)->second;
    if (tensor.shape != spec.shape || tensor.values.size() != spec.size())
      refuse(fmt::format("tensor '{}' has the shape [{}], not [{}]", spec.name,
                         fmt::join(tensor.shape, ", "), fmt::join(spec.shape, ", ")));
  }
  if (tensors.size() == specs.size()) return;
  for (const auto& [name, tensor] : tensors) {
    const bool known = std::any_of(specs.begin(), specs.end(),
                                   [&name = name](const auto& spec) { return spec.name == name; });
    if (!known)
      refuse(fmt::format("the model has a tensor '{}' that its settings do not know",
                         printable(name, 80)));
  }
}

}  // namespace tsmini
