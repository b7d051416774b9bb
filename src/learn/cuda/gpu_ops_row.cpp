// Operations on rows: norms, attention, positions, cells.
#include "learn/cuda/op_parts.h"
#include "model/architecture.h"

namespace tsmini::learn {

template <>
GpuArray batch_norm(GpuTape& tape, const GpuArray& x, const GpuArray& gain, const GpuArray& shift,
                    const GpuArray& running, const Packing& packing) {
  const gpu::Rows rows = rows_of(packing);
  const int channels = as_int(x.columns);
  const GpuArray y = tape.array(x.rows, x.columns);
  if (!tape.training()) {
    gpu::running_norm(gpu_stream(), rows, channels, raw(x.data), raw(gain.data), raw(shift.data),
                      raw(running.data), gpu_epsilon, gpu_leak, raw(y.data));
    return y;
  }
  GpuFloat* partial = tape.memory(2 * static_cast<std::size_t>(gpu::sums_scratch(channels)));
  GpuFloat* statistics = tape.memory(2 * x.columns);
  gpu::batch_norm(gpu_stream(), rows, channels, raw(x.data), raw(gain.data), raw(shift.data),
                  raw(running.data), static_cast<float>(running_share), gpu_epsilon, gpu_leak,
                  raw(partial), raw(statistics), raw(y.data));
  tape.record([=, &tape] {
    float* grad = raw(tape.gradient(y));  // becomes the gradient by x
    gpu::batch_norm_backward(gpu_stream(), rows, channels, raw(x.data), raw(gain.data),
                             raw(shift.data), raw(statistics), gpu_leak, grad, raw(partial), grad,
                             raw(tape.sole_target(gain)), raw(tape.sole_target(shift)));
    tape.pass_on(y, x);
  });
  return y;
}

template <>
GpuArray layer_norm(GpuTape& tape, const GpuArray& x, const GpuArray& gain, const GpuArray& shift) {
  const int rows = as_int(x.rows), width = as_int(x.columns);
  const GpuArray y = tape.array(x.rows, x.columns);
  GpuFloat* moments = tape.memory(2 * x.rows);
  gpu::layer_norm(gpu_stream(), rows, width, raw(x.data), raw(gain.data), raw(shift.data),
                  gpu_epsilon, raw(y.data), raw(moments));
  tape.record([=, &tape] {
    GpuFloat* partial = tape.memory(2 * static_cast<std::size_t>(gpu::sums_scratch(width)));
    const Delivery dx(tape, x);
    gpu::layer_norm_backward(gpu_stream(), rows, width, raw(x.data), raw(gain.data), raw(moments),
                             raw(tape.gradient(y)), raw(partial), dx.data(),
                             raw(tape.sole_target(gain)), raw(tape.sole_target(shift)));
    dx.finish();
  });
  return y;
}

template <>
GpuArray relu(GpuTape& tape, const GpuArray& x) {
  const auto size = static_cast<std::int64_t>(x.size());
  const GpuArray y = tape.array(x.rows, x.columns);
  gpu::relu(gpu_stream(), size, raw(x.data), raw(y.data));
  tape.record([=, &tape] {
    float* grad = raw(tape.gradient(y));
    gpu::relu_backward(gpu_stream(), size, raw(x.data), grad, grad);
    tape.pass_on(y, x);
  });
  return y;
}

template <>
GpuArray attention(GpuTape& tape, const GpuArray& qkv, const GpuFloat* rotary, const Heads& heads,
                   const Packing& packing, const Dropout& dropout) {
  const gpu::Rows rows = rows_of(packing);
  const gpu::AttentionShape shape{as_int(heads.queries), as_int(heads.keys), dropout.rate,
                                  dropout.salt};
  const GpuArray y = tape.array(qkv.rows, heads.queries * head_size);
  GpuFloat* log_sums = tape.memory(qkv.rows * heads.queries);
  gpu::attention(gpu_stream(), rows, shape, raw(qkv.data), raw(rotary), dropout.key, raw(y.data),
                 raw(log_sums));
  tape.record([=, &tape] {
    gpu::attention_backward(gpu_stream(), rows, shape, raw(qkv.data), raw(rotary), dropout.key,
                            raw(y.data), raw(log_sums), raw(tape.gradient(y)),
                            raw(tape.sole_target(qkv)));
  });
  return y;
}

template <>
GpuArray look_up(GpuTape& tape, const GpuArray& points, const GpuArray& table, const CellGrid& grid,
                 std::span<const std::int64_t> known, const Packing& packing) {
  const int rows = as_int(points.rows), width = as_int(table.columns);
  const GpuArray y = tape.array(points.rows, table.columns);
  int* places = tape.arena().take<int>(points.rows);
  gpu::find_cells(gpu_stream(), rows_of(packing), as_int(points.columns), raw(points.data),
                  {grid.columns, grid.rows, known.data(), as_int(known.size())}, places);
  gpu::look_up(gpu_stream(), rows, width, places, raw(table.data), raw(y.data));
  tape.record([=, &tape] {
    const int cells = as_int(table.rows);
    auto* sums = tape.arena().take<std::int64_t>(
        static_cast<std::size_t>(gpu::look_up_scratch(cells, width)));
    gpu::look_up_backward(gpu_stream(), rows, width, places, raw(tape.gradient(y)), cells, sums,
                          raw(tape.sole_target(table)));
  });
  return y;
}

template <>
void add_positions(GpuTape&, const GpuArray& x, const Packing& packing) {
  gpu::add_positions(gpu_stream(), rows_of(packing), as_int(x.columns), slowest_turn, raw(x.data));
}

}  // namespace tsmini::learn
