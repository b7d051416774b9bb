#include "learn/cuda/device.cuh"

namespace tsmini::gpu {
namespace {

constexpr int threads = 256;

// The place along one axis as CellGrid::number_at() finds it, to the bit.
__device__ inline std::int64_t place_along(float share, std::int64_t cells) {
  const float count = static_cast<float>(cells);
  return static_cast<std::int64_t>(
      fminf(fmaxf(floorf(__fmul_rn(share, count)), 0.0F), __fadd_rn(count, -1.0F)));
}

// What row_of_cell() gives on the CPU.
__device__ inline int row_of_cell(const Cells& cells, std::int64_t number) {
  int low = 0, high = cells.count;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (cells.known[middle] < number) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < cells.count && cells.known[low] == number ? low + 1 : 0;
}

__global__ void find_kernel(Rows rows, int columns, const float* points, Cells cells, int* places) {
  await_previous();
  const int row = static_cast<int>(grid_place());
  if (row >= row_capacity(rows)) return;
  int place = -1;
  if (row < real_rows(rows)) {
    const float* point = points + static_cast<std::int64_t>(row) * columns;
    place = row_of_cell(cells, place_along(point[1], cells.rows) * cells.columns +
                                   place_along(point[0], cells.columns));
  }
  places[row] = place;
}

__global__ void look_up_kernel(std::int64_t size, int channels, const int* places,
                               const float* table, float* out) {
  await_previous();
  for (std::int64_t i = grid_place(); i < size; i += grid_size()) {
    const std::int64_t place = places[i / channels];
    out[i] = place < 0 ? 0.0F : table[place * channels + i % channels];
  }
}

}  // namespace

void find_cells(Stream stream, Rows rows, int columns, const float* points, Cells cells,
                int* places) {
  launch(find_kernel, {(rows.size() + threads - 1) / threads, threads, 0, stream}, rows, columns,
         points, cells, places);
}

void look_up(Stream stream, int rows, int channels, const int* places, const float* table,
             float* out) {
  const std::int64_t size = static_cast<std::int64_t>(rows) * channels;
  launch(look_up_kernel, {each_blocks(size), each_threads, 0, stream}, size, channels, places,
         table, out);
}

}  // namespace tsmini::gpu
