#include "tsmini/model.h"

#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

constexpr int features = static_cast<int>(feature_count);

// Column `c` of a row: a feature, or a sine or cosine of x or y at 1, 2, 4, … periods.
__device__ inline float column_of(const float* row, int c, int octaves) {
  if (c < features) return row[c];
  const int wave = c - features, axis = wave / (2 * octaves), octave = wave % (2 * octaves) / 2;
  const float half_turns = row[axis] * static_cast<float>(2 << octave);
  return wave % 2 == 0 ? sinpif(half_turns) : cospif(half_turns);
}

constexpr int slices = 4;  // blocks a trajectory

// The last trajectory is that of the rows past the end, which are cleared.
__global__ void gather_rows_kernel(Rows rows, const int* ids, const float* store,
                                   const std::int64_t* store_starts, int octaves, float* out) {
  await_previous();
  const int b = block_place(), columns = features + 4 * octaves;
  const int begin = rows.starts[b], end = b < rows.count ? rows.starts[b + 1] : rows.capacity;
  const int at_once = static_cast<int>(blockDim.x) / columns;
  const int column = thread_place() % columns, lane = thread_place() / columns;
  if (lane >= at_once) return;
  for (int row = begin + static_cast<int>(blockIdx.y) * at_once + lane; row < end;
       row += slices * at_once)
    out[static_cast<std::int64_t>(row) * columns + column] =
        b < rows.count
            ? column_of(store + (store_starts[ids[b]] + row - begin) * features, column, octaves)
            : 0.0F;
}

__global__ void gather_labels_kernel(const int* ids, int count, const float* matrix, std::int64_t n,
                                     float* labels) {
  await_previous();
  const int a = block_place();
  const float* row = matrix + ids[a] * n;
  for (int b = thread_place(); b < count; b += static_cast<int>(blockDim.x))
    labels[a * count + b] = row[ids[b]];
}

}  // namespace

void gather_rows(Stream stream, Rows rows, const int* ids, const float* store,
                 const std::int64_t* store_starts, int octaves, float* out) {
  launch(gather_rows_kernel, {{rows.count + 1, slices}, 256, 0, stream}, rows, ids, store,
         store_starts, octaves, out);
}

void gather_labels(Stream stream, const int* ids, int count, const float* matrix, std::int64_t n,
                   float* labels) {
  launch(gather_labels_kernel, {count, 128, 0, stream}, ids, count, matrix, n, labels);
}

}  // namespace tsmini::gpu
