#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

// A block a trajectory; the last one clears the rows past the end.
__global__ void gather_rows_kernel(Rows rows, const int* ids, const float* store,
                                   const std::int64_t* store_starts, int columns, float* out) {
  const int b = static_cast<int>(blockIdx.x);
  const std::int64_t begin = static_cast<std::int64_t>(rows.starts[b]) * columns;
  const std::int64_t end = b < rows.count ? static_cast<std::int64_t>(rows.starts[b + 1]) * columns
                                          : static_cast<std::int64_t>(rows.capacity) * columns;
  const float* source = b < rows.count ? store + store_starts[ids[b]] * columns : nullptr;
  for (std::int64_t i = begin + threadIdx.x; i < end; i += blockDim.x)
    out[i] = source != nullptr ? source[i - begin] : 0.0F;
}

__global__ void gather_labels_kernel(const int* ids, int count, const float* matrix, std::int64_t n,
                                     float* labels) {
  const float* row = matrix + ids[blockIdx.x] * n;
  for (int b = static_cast<int>(threadIdx.x); b < count; b += static_cast<int>(blockDim.x))
    labels[blockIdx.x * count + b] = row[ids[b]];
}

}  // namespace

void gather_rows(Stream stream, Rows rows, const int* ids, const float* store,
                 const std::int64_t* store_starts, int columns, float* out) {
  gather_rows_kernel<<<rows.count + 1, 256, 0, stream>>>(rows, ids, store, store_starts, columns,
                                                         out);
}

void gather_labels(Stream stream, const int* ids, int count, const float* matrix, std::int64_t n,
                   float* labels) {
  gather_labels_kernel<<<count, 128, 0, stream>>>(ids, count, matrix, n, labels);
}

}  // namespace tsmini::gpu
