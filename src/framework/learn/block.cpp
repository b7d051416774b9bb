#include <string>

#include "learn/layers.h"

namespace tsmini::learn {

Block::Block(Parameters& parameters, const NetSettings& settings, std::size_t number)
    : kind_(settings.block),
      heads_(static_cast<std::int64_t>(settings.heads)),
      key_heads_(static_cast<std::int64_t>(settings.key_heads)),
      dimension_(static_cast<std::int64_t>(settings.dimension)),
      dropout_(settings.dropout),
      number_(static_cast<std::uint32_t>(number)) {
  const std::string name = "layers." + std::to_string(number) + ".";
  const auto hidden = static_cast<std::int64_t>(settings.hidden);
  const std::int64_t head = 32, attended = heads_ * head;
  for (std::size_t i = 0; i < gains_.size(); ++i) {
    const std::string norm = name + (i == 0 ? "attention" : "feed") + ".norm.";
    gains_[i] = parameters.add_constant(norm + "gain", {dimension_}, 1);
    if (kind_ == BlockKind::vanilla)
      shifts_[i] = parameters.add_constant(norm + "shift", {dimension_}, 0);
  }
  attention_in_ = parameters.add_uniform(
      name + "attention.in.weight", {attended + 2 * key_heads_ * head, dimension_}, dimension_);
  attention_out_ =
      parameters.add_uniform(name + "attention.out.weight", {dimension_, attended}, attended);
  const std::int64_t wide = kind_ == BlockKind::modern ? 2 * hidden : hidden;
  feed_in_ = parameters.add_uniform(name + "feed.in.weight", {wide, dimension_}, dimension_);
  feed_out_ = parameters.add_uniform(name + "feed.out.weight", {dimension_, hidden}, hidden);
  if (kind_ == BlockKind::vanilla) {
    feed_in_bias_ = parameters.add_uniform(name + "feed.in.bias", {wide}, dimension_);
    feed_out_bias_ = parameters.add_uniform(name + "feed.out.bias", {dimension_}, hidden);
  }
}

at::Tensor Block::norm(const Parameters& parameters, const at::Tensor& x, std::size_t which) const {
  return at::layer_norm(x, {dimension_}, parameters[gains_[which]], parameters[shifts_[which]]);
}

at::Tensor Block::operator()(const Parameters& parameters, const Packed& views, const Pass& pass,
                             const at::Tensor& rotary) const {
  const bool modern = kind_ == BlockKind::modern;
  const at::Tensor qkv =
      modern ? norm_product(views.rows, parameters[gains_[0]], parameters[attention_in_])
             : at::mm(norm(parameters, views.rows, 0), parameters[attention_in_].t());
  const at::Tensor attended = attention(qkv, modern ? rotary : at::Tensor(), heads_, key_heads_,
                                        views.packing, pass.dropout(dropout_, number_ + 1));
  const at::Tensor x = add_product(views.rows, attended, parameters[attention_out_]);
  if (modern)
    return feed_forward(x, parameters[gains_[1]], parameters[feed_in_], parameters[feed_out_]);
  const at::Tensor inner = at::relu(
      at::addmm(parameters[feed_in_bias_], norm(parameters, x, 1), parameters[feed_in_].t()));
  return x + at::addmm(parameters[feed_out_bias_], inner, parameters[feed_out_].t());
}

}  // namespace tsmini::learn
