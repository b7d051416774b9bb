#include "learn/optimiser.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "learn/parallel.h"
#ifdef TSMINI_CUDA
#include "learn/cuda/gpu_optimiser.h"
#endif

namespace tsmini::learn {
namespace {

constexpr std::size_t at_once = 1 << 14;

template <typename T>
typename Storage<T>::template Block<T> zeros(std::size_t count) {
  return block_of<T>(std::vector<typename Storage<T>::Value>(count));
}

}  // namespace

StepRates rates_of(std::uint64_t step, double rate, double average) {
  const auto t = static_cast<double>(step + 1);
  return {static_cast<float>(rate), static_cast<float>(1 - std::pow(double{adam_beta1}, t)),
          static_cast<float>(1 - std::pow(double{adam_beta2}, t)),
          static_cast<float>(std::min(average, t / (10 + t)))};
}

template <typename T>
Optimiser<T>::Optimiser(const Parameters<T>& parameters, double weight_decay)
    : weight_decay_(static_cast<float>(weight_decay)),
      first_(zeros<T>(parameters.weights().size())),
      second_(zeros<T>(parameters.weights().size())),
      average_(block_of<T>(copy_out(parameters.weights()))),
      average_buffers_(block_of<T>(copy_out(parameters.buffers()))) {}

template <>
void Optimiser<float>::step(Tape<float>&, Parameters<float>& parameters, const StepRates* rates,
                            const double* loss) {
  if (!std::isfinite(*loss)) return;
  const std::span<const float> gradient = parameters.gradient();
  const std::span<float> weights = parameters.weights();
  const float rate = rates->rate / rates->first_correction;
  const float correction = 1 / std::sqrt(rates->second_correction);
  const float share = 1 - rates->average_keep;
  each_piece(weights.size(), at_once, [&](std::size_t from, std::size_t count) {
    for (std::size_t i = from; i < from + count; ++i) {
      const float g = gradient[i] + weight_decay_ * weights[i];
      first_[i] += (1 - adam_beta1) * (g - first_[i]);
      second_[i] += (1 - adam_beta2) * (g * g - second_[i]);
      weights[i] -= rate * first_[i] / (std::sqrt(second_[i]) * correction + adam_epsilon);
      average_[i] += share * (weights[i] - average_[i]);
    }
  });
  const std::span<const float> buffers = parameters.buffers();
  for (std::size_t i = 0; i < buffers.size(); ++i)
    average_buffers_[i] += share * (buffers[i] - average_buffers_[i]);
}

template <typename T>
std::array<std::pair<std::string_view, std::span<T>>, 4> Optimiser<T>::state() {
  const auto all = [](Block& block) { return std::span<T>(block.data(), block.size()); };
  return {{{"optimiser.first", all(first_)},
           {"optimiser.second", all(second_)},
           {"optimiser.average", all(average_)},
           {"optimiser.average_buffers", all(average_buffers_)}}};
}

template class Optimiser<float>;
#ifdef TSMINI_CUDA
template class Optimiser<GpuFloat>;
#endif

}  // namespace tsmini::learn
