// Operations on a row a trajectory, and on all pairs of them.
#include <bit>

#include "learn/cuda/op_parts.h"
#include "model/architecture.h"

namespace tsmini::learn {

template <>
GpuArray pool(GpuTape& tape, const GpuArray& x, unsigned bits, const Packing& packing) {
  const gpu::Rows rows = rows_of(packing);
  const int width = as_int(x.columns);
  const GpuArray y =
      tape.array(packing.count, static_cast<std::size_t>(std::popcount(bits)) * x.columns);
  int* places = tape.arena().take<int>(packing.count * x.columns);
  gpu::pool(gpu_stream(), rows, width, bits, raw(x.data), raw(y.data), places);
  tape.record([=, &tape] {
    gpu::pool_backward(gpu_stream(), rows, width, bits, places, raw(tape.gradient(y)),
                       raw(tape.sole_target(x)));
  });
  return y;
}

template <>
GpuArray unit_norm(GpuTape& tape, const GpuArray& x) {
  constexpr auto least = static_cast<float>(least_length);
  const int rows = as_int(x.rows), width = as_int(x.columns);
  const GpuArray y = tape.array(x.rows, x.columns);
  gpu::unit_norm(gpu_stream(), rows, width, least, raw(x.data), raw(y.data));
  tape.record([=, &tape] {
    gpu::unit_norm_backward(gpu_stream(), rows, width, least, raw(x.data), raw(y.data),
                            raw(tape.gradient(y)), raw(tape.sole_target(x)));
  });
  return y;
}

template <>
GpuArray pair_distances(GpuTape& tape, const GpuArray& embeddings, const EmbeddingMetric& metric) {
  const int count = as_int(embeddings.rows), dimension = as_int(embeddings.columns);
  const GpuArray y = tape.array(embeddings.rows, embeddings.rows);
  gpu::pair_distances(gpu_stream(), count, dimension, metric, raw(embeddings.data), raw(y.data));
  tape.record([=, &tape] {
    gpu::pair_distances_backward(gpu_stream(), count, dimension, metric, raw(embeddings.data),
                                 raw(y.data), raw(tape.gradient(y)),
                                 raw(tape.sole_target(embeddings)));
  });
  return y;
}

template <>
void similarity_loss(GpuTape& tape, const GpuArray& predicted, const GpuFloat* labels,
                     double largest, const LossSettings& settings, double* sum) {
  GpuFloat* scratch = tape.memory(5 * predicted.rows);
  gpu::similarity_loss(gpu_stream(), as_int(predicted.rows), settings, raw(predicted.data),
                       raw(labels), static_cast<float>(largest), raw(scratch), sum,
                       raw(tape.sole_target(predicted)));
}

}  // namespace tsmini::learn
