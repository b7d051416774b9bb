#include "learn/parameters.h"

#include <cmath>
#include <cstring>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tsmini/error.h"

namespace tsmini::learn {
namespace {

std::int64_t size_of(const std::vector<std::int64_t>& shape) {
  std::int64_t size = 1;
  for (const std::int64_t extent : shape) size *= extent;
  return size;
}

}  // namespace

Parameters::Handle Parameters::add(std::string name, std::vector<std::int64_t> shape,
                                   std::vector<float> initial, bool buffer) {
  std::int64_t offset = 0;
  for (const Entry& entry : entries_) {
    if (entry.buffer == buffer) offset = entry.offset + size_of(entry.shape);
  }
  offset = (offset + 3) / 4 * 4;  // kernels read four numbers at a time
  entries_.push_back({std::move(name), std::move(shape), std::move(initial), buffer, offset, {}});
  return entries_.size() - 1;
}

Parameters::Handle Parameters::add_uniform(std::string name, std::vector<std::int64_t> shape,
                                           std::int64_t fan_in) {
  const double bound = 1 / std::sqrt(static_cast<double>(fan_in));
  std::vector<float> initial(static_cast<std::size_t>(size_of(shape)));
  for (float& value : initial) value = static_cast<float>(random_.uniform(-bound, bound));
  return add(std::move(name), std::move(shape), std::move(initial), false);
}

Parameters::Handle Parameters::add_normal(std::string name, std::vector<std::int64_t> shape) {
  std::vector<float> initial(static_cast<std::size_t>(size_of(shape)));
  for (float& value : initial) value = static_cast<float>(random_.normal());
  return add(std::move(name), std::move(shape), std::move(initial), false);
}

Parameters::Handle Parameters::add_constant(std::string name, std::vector<std::int64_t> shape,
                                            double value) {
  std::vector<float> initial(static_cast<std::size_t>(size_of(shape)), static_cast<float>(value));
  return add(std::move(name), std::move(shape), std::move(initial), false);
}

Parameters::Handle Parameters::add_buffer(std::string name, std::vector<std::int64_t> shape,
                                          std::vector<float> values) {
  return add(std::move(name), std::move(shape), std::move(values), true);
}

void Parameters::finish(const at::Device& device, at::ScalarType type) {
  std::int64_t sizes[2] = {0, 0};
  for (const Entry& entry : entries_)
    sizes[entry.buffer ? 1 : 0] = entry.offset + (size_of(entry.shape) + 3) / 4 * 4;
  at::Tensor blocks[2] = {at::zeros({sizes[0]}), at::zeros({sizes[1]})};
  for (const Entry& entry : entries_)
    std::memcpy(blocks[entry.buffer ? 1 : 0].data_ptr<float>() + entry.offset, entry.initial.data(),
                entry.initial.size() * sizeof(float));
  weights_ = blocks[0].to(device, type);
  buffers_ = blocks[1].to(device, type);
  for (Entry& entry : entries_) {
    entry.initial.clear();
    entry.tensor = (entry.buffer ? buffers_ : weights_)
                       .narrow(0, entry.offset, size_of(entry.shape))
                       .view(entry.shape)
                       .detach();
    entry.tensor.set_requires_grad(!entry.buffer);
  }
}

std::vector<at::Tensor> Parameters::trained() const {
  std::vector<at::Tensor> tensors;
  for (const Entry& entry : entries_) {
    if (!entry.buffer) tensors.push_back(entry.tensor);
  }
  return tensors;
}

std::map<std::string, Tensor, std::less<>> Parameters::to_tensors(const at::Tensor& weights,
                                                                  const at::Tensor& buffers) const {
  const at::Tensor blocks[2] = {weights.to(at::kCPU, at::kFloat).contiguous(),
                                buffers.to(at::kCPU, at::kFloat).contiguous()};
  std::map<std::string, Tensor, std::less<>> tensors;
  for (const Entry& entry : entries_) {
    const float* values = blocks[entry.buffer ? 1 : 0].data_ptr<float>() + entry.offset;
    tensors[entry.name] = {{entry.shape.begin(), entry.shape.end()},
                           {values, values + size_of(entry.shape)}};
  }
  return tensors;
}

void Parameters::from_tensors(const std::map<std::string, Tensor, std::less<>>& tensors) {
  const at::NoGradGuard no_grad;
  for (const Entry& entry : entries_) {
    const auto found = tensors.find(entry.name);
    if (found == tensors.end())
      throw Error(ErrorCode::bad_input, fmt::format("the model has no tensor '{}'", entry.name),
                  "it was trained with other settings of the network");
    const std::vector<std::int64_t> shape(found->second.shape.begin(), found->second.shape.end());
    if (shape != entry.shape)
      throw Error(ErrorCode::bad_input,
                  fmt::format("tensor '{}' of the model has shape [{}], not [{}]", entry.name,
                              fmt::join(shape, ", "), fmt::join(entry.shape, ", ")),
                  "it was trained with other settings of the network");
    const at::Tensor values = at::empty(entry.shape);
    std::memcpy(values.data_ptr<float>(), found->second.values.data(),
                found->second.values.size() * sizeof(float));
    at::Tensor(entry.tensor).copy_(values);
  }
  if (tensors.size() == entries_.size()) return;
  for (const auto& [name, tensor] : tensors) {
    bool known = false;
    for (const Entry& entry : entries_) known = known || entry.name == name;
    if (!known)
      throw Error(ErrorCode::bad_input,
                  fmt::format("the model holds a tensor '{}' that its settings do not name", name),
                  "train it again with this version");
  }
}

}  // namespace tsmini::learn
