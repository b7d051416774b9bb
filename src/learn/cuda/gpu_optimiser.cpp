#include "learn/cuda/gpu_optimiser.h"

#include "learn/cuda/op_parts.h"

namespace tsmini::learn {

template <>
void Optimiser<GpuFloat>::step(GpuTape&, Parameters<GpuFloat>& parameters, const StepRates* rates,
                               const double* loss) {
  static_assert(sizeof(StepRates) == 4 * sizeof(float));  // as kernels read them
  const auto* schedule = reinterpret_cast<const float*>(rates);
  const auto size_of = [](const auto& numbers) {
    return static_cast<std::int64_t>(numbers.size());
  };
  gpu::adam(gpu_stream(), size_of(parameters.weights()),
            {adam_beta1, adam_beta2, adam_epsilon, weight_decay_}, schedule, loss,
            raw(parameters.gradient().data()), raw(parameters.weights().data()), raw(first_.data()),
            raw(second_.data()), raw(average_.data()));
  gpu::follow(gpu_stream(), size_of(parameters.buffers()), schedule, loss,
              raw(parameters.buffers().data()), raw(average_buffers_.data()));
}

}  // namespace tsmini::learn
