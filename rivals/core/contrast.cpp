#include "rivals/core/contrast.h"

#include <algorithm>
#include <utility>

#include "rivals/core/rival.h"

namespace tsmini::rivals {
namespace {

constexpr double momentum = .999, usual_temperature = .05, projector_gain = 1.414;
constexpr std::int64_t projected = dimension / 2;

torch::nn::Sequential make_projector(const torch::Device& device) {
  torch::nn::Linear first(dimension, dimension), second(dimension, projected);
  torch::nn::init::xavier_normal_(first->weight, projector_gain);
  torch::nn::init::xavier_normal_(second->weight, projector_gain);
  torch::nn::Sequential projector(first, torch::nn::ReLU(), second);
  projector->to(device);
  return projector;
}

Tensor unit(const Tensor& rows) {
  return torch::nn::functional::normalize(rows);
}

std::vector<Tensor> parameters_of(const Encoder& encoder, const torch::nn::Sequential& projector) {
  std::vector<Tensor> all = encoder.parameters();
  for (const Tensor& parameter : projector->parameters()) all.push_back(parameter);
  return all;
}

}  // namespace

Tensor info_nce(const Tensor& queries, const Tensor& keys, const Tensor& others,
                double temperature) {
  const Tensor match = (queries * keys).sum(1, true);
  const Tensor logits = torch::cat({match, queries.mm(others.t())}, 1) / temperature;
  return (logits.logsumexp(1) - logits.select(1, 0)).mean();
}

Moco::Moco(std::shared_ptr<Encoder> encoder, std::shared_ptr<Encoder> copy, std::int64_t queue)
    : encoder_(std::move(encoder)), copy_(std::move(copy)) {
  const torch::NoGradGuard no_grad;
  const torch::Device device = encoder_->parameters().front().device();
  projector_ = make_projector(device);
  projector_copy_ = make_projector(device);
  copies_ = parameters_of(*copy_, projector_copy_);
  const std::vector<Tensor> originals = parameters();
  for (std::size_t i = 0; i < copies_.size(); ++i) copies_[i].copy_(originals[i]);
  queue_ = unit(torch::randn({queue, projected})).to(device);
}

std::vector<Tensor> Moco::parameters() const {
  return parameters_of(*encoder_, projector_);
}

Tensor Moco::loss(const Padded& first_views, const Padded& second_views) {
  {
    const torch::NoGradGuard no_grad;
    keys_ = unit(projector_copy_->forward(copy_->encode(second_views)));
  }
  const Tensor queries = unit(projector_->forward(encoder_->encode(first_views)));
  return info_nce(queries, keys_, queue_, usual_temperature);
}

void Moco::stepped() {
  const torch::NoGradGuard no_grad;
  torch::_foreach_mul_(copies_, torch::Scalar(momentum));
  torch::_foreach_add_(copies_, parameters(), torch::Scalar(1 - momentum));
  // The queue is a ring.
  const std::int64_t size = queue_.size(0);
  for (std::int64_t done = 0; done < keys_.size(0);) {
    const std::int64_t count = std::min(keys_.size(0) - done, size - next_);
    queue_.narrow(0, next_, count).copy_(keys_.narrow(0, done, count));
    done += count;
    next_ = (next_ + count) % size;
  }
}

}  // namespace tsmini::rivals
