#include "learn/parameters.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/next_multiple.h"
#include "base/random.h"
#ifdef TSMINI_CUDA
#include "learn/cuda/gpu_storage.h"
#endif

namespace tsmini::learn {
namespace {

constexpr std::size_t alignment = 16;  // numbers: tensors begin where a vector can

std::vector<float> initial(const TensorSpec& tensor, std::span<const float> given, Random& random) {
  std::vector<float> values(tensor.size());
  const double bound = 1 / std::sqrt(static_cast<double>(tensor.fan_in));
  switch (tensor.start) {
    case Start::uniform:
      for (float& value : values) value = static_cast<float>(random.uniform(-bound, bound));
      break;
    case Start::normal:
      for (float& value : values) value = static_cast<float>(random.normal());
      break;
    case Start::zero: break;
    case Start::one: std::fill(values.begin(), values.end(), 1.0F); break;
    case Start::statistics:
      std::fill(values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end(),
                1.0F);
      break;
    case Start::given: values.assign(given.begin(), given.end()); break;
  }
  assert(values.size() == tensor.size());
  return values;
}

}  // namespace

template <typename T>
Parameters<T>::Parameters(std::vector<TensorSpec> tensors, std::span<const float> given,
                          std::uint64_t seed) {
  Random random(seed, 0x9a7a);
  std::vector<Value> weights, buffers;
  for (TensorSpec& tensor : tensors) {
    std::vector<Value>& block = tensor.trained() ? weights : buffers;
    const std::vector<float> values = initial(tensor, given, random);
    entries_.push_back({std::move(tensor), block.size()});
    block.insert(block.end(), values.begin(), values.end());
    block.resize(next_multiple(block.size(), alignment));
  }
  weights_ = block_of<T>(weights);
  buffers_ = block_of<T>(buffers);
  gradient_ = block_of<T>(std::vector<Value>(weights.size()));  // also between tensors
  gradients_.resize(entries_.size());
  forget_gradient();
}

template <typename T>
Array<T> Parameters<T>::operator[](std::string_view name) {
  const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& e) { return e.spec.name == name; });
  assert(entry != entries_.end());
  const bool trained = entry->spec.trained();
  const std::vector<std::size_t>& shape = entry->spec.shape;
  return {(trained ? weights_ : buffers_).data() + entry->offset, shape.size() == 1 ? 1 : shape[0],
          shape.back(),
          trained ? &gradients_[static_cast<std::size_t>(entry - entries_.begin())] : nullptr};
}

template <typename T>
std::span<const T> Parameters<T>::gradient() const {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    assert(!entries_[i].spec.trained() || gradients_[i].filled);
  return {gradient_.data(), gradient_.size()};
}

template <typename T>
void Parameters<T>::forget_gradient() {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].spec.trained()) gradients_[i] = {gradient_.data() + entries_[i].offset, false};
  }
}

template <typename T>
std::map<std::string, Tensor, std::less<>> Parameters<T>::to_tensors(
    std::span<const Value> weights, std::span<const Value> buffers) const {
  std::map<std::string, Tensor, std::less<>> tensors;
  for (const Entry& entry : entries_) {
    const auto values =
        (entry.spec.trained() ? weights : buffers).subspan(entry.offset, entry.spec.size());
    tensors[entry.spec.name] = {entry.spec.shape, {values.begin(), values.end()}};
  }
  return tensors;
}

template <typename T>
void Parameters<T>::from_tensors(const std::map<std::string, Tensor, std::less<>>& tensors) {
  for (const Entry& entry : entries_) {
    const Tensor& tensor = tensors.find(entry.spec.name)->second;
    assert(tensor.values.size() == entry.spec.size());
    const std::span<T> block = entry.spec.trained() ? this->weights() : this->buffers();
    const std::vector<Value> values(tensor.values.begin(), tensor.values.end());
    copy_in<T>(values, block.subspan(entry.offset, entry.spec.size()));
  }
}

template class Parameters<float>;
template class Parameters<double>;
#ifdef TSMINI_CUDA
template class Parameters<GpuFloat>;
#endif

}  // namespace tsmini::learn
