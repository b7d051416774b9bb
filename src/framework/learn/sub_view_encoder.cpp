#include <string>
#include <vector>

#include "learn/layers.h"

namespace tsmini::learn {
namespace {

constexpr std::int64_t input_width = 16;

}  // namespace

SubViewEncoder::SubViewEncoder(Parameters& parameters, const NetSettings& settings)
    : dropout_(settings.dropout) {
  const auto features = static_cast<std::int64_t>(feature_count + 4 * settings.fourier_octaves);
  const auto width = static_cast<std::int64_t>(settings.dimension);
  input_weight_ =
      parameters.add_uniform("sub_views.input.weight", {input_width, features}, features);
  std::int64_t channels = input_width;
  for (std::size_t i = 0; i < convolutions_.size(); ++i) {
    const std::int64_t wider = i + 1 == convolutions_.size() ? width : 2 * channels;
    const std::string name = "sub_views.convolution" + std::to_string(i + 1) + ".";
    // [out, 3·in]: the three places side by side, each with all channels.
    convolutions_[i].weight =
        parameters.add_uniform(name + "weight", {wider, 3 * channels}, 3 * channels);
    convolutions_[i].gain = parameters.add_constant(name + "norm.gain", {wider}, 1);
    convolutions_[i].shift = parameters.add_constant(name + "norm.shift", {wider}, 0);
    std::vector<float> running(static_cast<std::size_t>(2 * wider), 0.0F);
    std::fill(running.begin() + wider, running.end(), 1.0F);
    convolutions_[i].running = parameters.add_buffer(name + "norm.running", {2, wider}, running);
    channels = wider;
  }
  residual_weight_ = parameters.add_uniform("sub_views.residual.weight", {width, width}, width);
  residual_bias_ = parameters.add_uniform("sub_views.residual.bias", {width}, width);
}

Packed SubViewEncoder::operator()(const Parameters& parameters, const Packed& points,
                                  const Pass& pass) const {
  at::Tensor x = at::mm(points.rows, parameters[input_weight_].t());
  Packing packing = points.packing;
  for (const Convolution& convolution : convolutions_) {
    x = convolve(x, parameters[convolution.weight], packing);
    packing = packing.after(2);
    const at::Tensor &gain = parameters[convolution.gain], &shift = parameters[convolution.shift],
                     &running = parameters[convolution.running];
    if (pass.training) {
      x = batch_norm(x, gain, shift, running, packing);
    } else {
      const at::Tensor scale = gain * at::rsqrt(running[1] + 1e-5);
      x = at::leaky_relu(x * scale + (shift - running[0] * scale), 0.01);
    }
  }
  return {residual_product(x, parameters[residual_weight_], parameters[residual_bias_],
                           pass.dropout(dropout_, 0)),
          packing};
}

}  // namespace tsmini::learn
