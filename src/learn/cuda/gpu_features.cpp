#include "learn/cuda/gpu_features.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "learn/cuda/op_parts.h"
#include "learn/parallel.h"
#include "model/net_features.h"

namespace tsmini::learn {
namespace {

void copy(const void* from, std::size_t bytes, void* to) {
  gpu::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, gpu_stream()),
             "copy to the device");
  gpu::check(cudaStreamSynchronize(gpu_stream()), "copy to the device");
}

}  // namespace

GpuFeatures::GpuFeatures(const FeatureStore& store) : store_(store) {
  std::vector<std::int64_t> starts{0};
  for (std::size_t i = 0; i < store.size(); ++i)
    starts.push_back(starts.back() + static_cast<std::int64_t>(store.length(i)));
  gpu::take_memory(
      fmt::format("for the features of {} points", starts.back()),
      "use fewer trajectories, or the CPU", [&] {
        starts_ = gpu::DeviceMemory<std::int64_t>(starts);
        rows_ = gpu::DeviceMemory<float>(static_cast<std::size_t>(starts.back()) * feature_count);
      });
  // Some at a time, so that this machine never holds them all.
  constexpr std::int64_t rows_at_once = 1 << 20;
  std::vector<float> rows;
  for (std::size_t from = 0; from < store.size();) {
    std::size_t to = from + 1;
    while (to < store.size() && starts[to + 1] - starts[from] <= rows_at_once) ++to;
    const std::int64_t first = starts[from];
    rows.resize(static_cast<std::size_t>(starts[to] - first) * feature_count);
    each_piece(to - from, 64, [&](std::size_t begin, std::size_t count) {
      for (std::size_t i = from + begin; i < from + begin + count; ++i)
        store.fill_rows(i, std::span(rows).subspan(static_cast<std::size_t>(starts[i] - first) *
                                                   feature_count));
    });
    copy(rows.data(), rows.size() * sizeof(float),
         rows_.data() + static_cast<std::size_t>(first) * feature_count);
    from = to;
  }
}

Points<GpuFloat> GpuFeatures::gather(const int* ids, const Packing& packing,
                                     GpuArena& arena) const {
  const std::size_t columns = feature_columns(store_.settings());
  const GpuArray rows{arena.take<GpuFloat>(packing.capacity * columns), packing.capacity, columns,
                      nullptr};
  gpu::gather_rows(gpu_stream(), rows_of(packing), ids, rows_.data(), starts_.data(),
                   as_int(store_.settings().fourier_octaves), raw(rows.data));
  return {rows, packing};
}

Points<GpuFloat> GpuFeatures::batch(std::span<const int> ids, GpuArena& arena) const {
  std::vector<int> numbers(2 * ids.size() + 1);
  std::copy(ids.begin(), ids.end(), numbers.begin());
  const std::span<int> starts = std::span(numbers).subspan(ids.size());
  store_.starts_of(ids, starts);
  int* there = arena.take<int>(numbers.size());
  copy(numbers.data(), numbers.size() * sizeof(int), there);
  const Packing packing{there + ids.size(), ids.size(), static_cast<std::size_t>(starts.back()), 0};
  return gather(there, packing, arena);
}

}  // namespace tsmini::learn
