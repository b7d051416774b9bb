#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

__global__ void adam_kernel(std::int64_t size, AdamSettings settings, const float* schedule,
                            const double* loss_sum, const float* grad, float* weights, float* first,
                            float* second, float* average) {
  await_previous();
  if (!isfinite(*loss_sum)) return;
  const float rate = schedule[0] / schedule[1], correction = rsqrtf(schedule[2]);
  const float share = 1 - schedule[3];
  for (std::int64_t i = grid_place(); i < size; i += grid_size()) {
    const float w = weights[i], g = grad[i] + settings.decay * w;
    const float m = first[i] + (1 - settings.beta1) * (g - first[i]);
    const float v = second[i] + (1 - settings.beta2) * (g * g - second[i]);
    const float moved = w - rate * m / (sqrtf(v) * correction + settings.epsilon);
    first[i] = m;
    second[i] = v;
    weights[i] = moved;
    average[i] += share * (moved - average[i]);
  }
}

__global__ void follow_kernel(std::int64_t size, const float* schedule, const double* loss_sum,
                              const float* values, float* average) {
  await_previous();
  if (!isfinite(*loss_sum)) return;
  const float share = 1 - schedule[3];
  for (std::int64_t i = grid_place(); i < size; i += grid_size())
    average[i] += share * (values[i] - average[i]);
}

}  // namespace

void adam(Stream stream, std::int64_t size, AdamSettings settings, const float* schedule,
          const double* loss_sum, const float* grad, float* weights, float* first, float* second,
          float* average) {
  launch(adam_kernel, {each_blocks(size), each_threads, 0, stream}, size, settings, schedule,
         loss_sum, grad, weights, first, second, average);
}

void follow(Stream stream, std::int64_t size, const float* schedule, const double* loss_sum,
            const float* values, float* average) {
  launch(follow_kernel, {each_blocks(size), each_threads, 0, stream}, size, schedule, loss_sum,
         values, average);
}

}  // namespace tsmini::gpu
