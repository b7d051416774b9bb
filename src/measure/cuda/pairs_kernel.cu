#include "measure/cuda/pairs_kernel.h"

#include <algorithm>
#include <string>

#include "tsmini/error.h"

#include "gpu/launch.h"
#include "gpu/warp.cuh"
#include "measure/cuda/warp_edwp.cuh"
#include "measure/cuda/warp_measures.cuh"

namespace tsmini::cuda {
namespace {

using gpu::check;

constexpr int warps_per_block = 4;
constexpr std::size_t scratch_limit = std::size_t{1} << 30;  // floats

// One row against 32 columns is a task; tasks are numbered so that the longest columns come first.
struct Task {
  std::uint32_t group, row;
};

// In a triangle group g meets the rows before its last column: 32 (g + 1) of them.
__host__ __device__ inline unsigned long long task_count(const Job& job) {
  const unsigned long long groups = (job.column_count + warp_size - 1) / warp_size;
  if (job.layout == Layout::rectangle) return groups * job.row_count;
  return groups == 0 ? 0 : 16 * groups * (groups - 1) + job.column_count;
}

__device__ inline Task task_of(const Job& job, unsigned long long number) {
  if (job.layout == Layout::rectangle) {
    return {static_cast<std::uint32_t>(number / job.row_count),
            static_cast<std::uint32_t>(number % job.row_count)};
  }
  auto group =
      static_cast<unsigned long long>((sqrt(1.0 + 0.25 * static_cast<double>(number)) - 1) / 2);
  while (16 * group * (group + 1) > number) --group;
  while (16 * (group + 1) * (group + 2) <= number) ++group;
  return {static_cast<std::uint32_t>(group),
          static_cast<std::uint32_t>(number - 16 * group * (group + 1))};
}

__device__ inline void write(const Job& job, std::size_t i, std::size_t j, float distance) {
  const std::size_t n = job.column_count;
  if (job.layout == Layout::rectangle) {
    job.distances[i * n + j] = distance;
  } else if (job.layout == Layout::square) {
    job.distances[i * n + j] = distance;
    job.distances[j * n + i] = distance;
  } else {
    const std::size_t low = min(i, j), high = max(i, j);
    job.distances[low * (2 * n - low - 1) / 2 + (high - low - 1)] = distance;
  }
}

template <class Method>
__global__ void __launch_bounds__(warps_per_block* warp_size)
    pairs_kernel(Job job, float* scratch, unsigned long long* counter) {
  gpu::await_previous();
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const std::size_t warp =
      (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  scratch +=
      warp * job.longest_row * Method::values_per_row * warp_size + static_cast<std::size_t>(lane);
  const unsigned long long tasks = task_count(job);
  const bool triangle = job.layout != Layout::rectangle;
  for (;;) {
    unsigned long long number = 0;
    if (lane == 0) number = atomicAdd(counter, 1ULL);
    number = __shfl_sync(~0u, number, 0);
    if (number >= tasks) return;
    const Task task = task_of(job, tasks - 1 - number);
    const std::uint32_t first = task.group * warp_size;
    const std::uint32_t last = min(first + warp_size, job.column_count) - 1;
    const std::uint32_t mine = min(first + static_cast<std::uint32_t>(lane), last);
    const Entry row_entry = job.rows[task.row];
    const Entry column_entry = job.columns[mine];
    const Line row{job.row_points + row_entry.begin, static_cast<int>(row_entry.length)};
    const Line column{job.column_points + column_entry.begin,
                      static_cast<int>(column_entry.length)};
    const bool swapped = triangle && row_entry.position > column_entry.position;
    const float distance =
        Method::distance(row, column, static_cast<int>(job.columns[last].length), swapped, scratch);
    const bool wanted =
        first + static_cast<std::uint32_t>(lane) <= last && (!triangle || mine > task.row);
    if (wanted) write(job, row_entry.position, column_entry.position, distance);
  }
}

template <class Method>
void launch_method(const Job& job, Workspace& workspace, cudaStream_t stream) {
  const unsigned long long tasks = task_count(job);
  if (tasks == 0) return;
  int device = 0, processors = 0, resident = 0;
  check(cudaGetDevice(&device), "find the device");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
        "ask for the processors");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, pairs_kernel<Method>,
                                                      warps_per_block * warp_size, 0),
        "ask for the occupancy");
  const std::size_t per_block = static_cast<std::size_t>(job.longest_row) * Method::values_per_row *
                                warp_size * warps_per_block;
  const std::size_t wanted = std::min<std::size_t>(
      static_cast<std::size_t>(processors) * static_cast<std::size_t>(resident),
      (tasks + warps_per_block - 1) / warps_per_block);
  std::size_t room = scratch_limit;
  if (wanted * per_block > workspace.scratch.size()) {
    // It would have to grow: fewer blocks where little is free.
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "ask for the free memory");
    room = std::max(std::min(free / 2 / sizeof(float), scratch_limit), workspace.scratch.size());
  }
  const std::size_t blocks =
      std::clamp<std::size_t>(room / std::max<std::size_t>(per_block, 1), 1, wanted);
  workspace.scratch.make_room(blocks * per_block);
  workspace.counter.make_room(1);
  unsigned long long* counter = workspace.counter.data();
  check(cudaMemsetAsync(counter, 0, sizeof *counter, stream), "reset the counter");
  gpu::launch(pairs_kernel<Method>,
              {static_cast<int>(blocks), warps_per_block * warp_size, 0, stream}, job,
              workspace.scratch.data(), counter);
}

}  // namespace

bool has_kernel(Measure measure) {
  return measure == Measure::dtw || measure == Measure::frechet || measure == Measure::hausdorff ||
         measure == Measure::edwp;
}

void launch(Measure measure, const Job& job, Workspace& workspace, cudaStream_t stream) {
  switch (measure) {
    case Measure::dtw: return launch_method<Warping<Dtw>>(job, workspace, stream);
    case Measure::frechet: return launch_method<Warping<Frechet>>(job, workspace, stream);
    case Measure::hausdorff: return launch_method<Hausdorff>(job, workspace, stream);
    case Measure::edwp: return launch_method<Edwp>(job, workspace, stream);
    default: break;
  }
  throw Error(ErrorCode::usage,
              std::string("there is no GPU kernel for ") + std::string(name_of(measure)),
              "GPU kernels exist for dtw, frechet, hausdorff and edwp", "measure");
}

}  // namespace tsmini::cuda
