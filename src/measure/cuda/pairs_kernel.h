// What the host asks of the device: distances of rows times columns.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#include "tsmini/measure.h"

#include "gpu/memory.h"

namespace tsmini::cuda {

// A trajectory of a job: where its points are, and its place in the answer.
struct Entry {
  std::uint32_t begin = 0;
  std::uint32_t length = 0;
  std::uint32_t position = 0;
};

enum class Layout { condensed, square, rectangle };

struct Job {
  const float2* row_points = nullptr;
  const Entry* rows = nullptr;  // for condensed and square: the columns again
  std::uint32_t row_count = 0;
  const float2* column_points = nullptr;
  const Entry* columns = nullptr;  // by rising length
  std::uint32_t column_count = 0;
  Layout layout = Layout::rectangle;
  std::uint32_t longest_row = 0;
  float* distances = nullptr;  // row-major; the diagonal of a square is not written
};

// What a launch needs on the device; grows as jobs need more.
struct Workspace {
  gpu::DeviceMemory<float> scratch;
  gpu::DeviceMemory<unsigned long long> counter;
};

bool has_kernel(Measure measure);
void launch(Measure measure, const Job& job, Workspace& workspace, cudaStream_t stream);

}  // namespace tsmini::cuda
