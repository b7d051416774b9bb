#include "tsmini/cuda_pairs.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "tsmini/error.h"

#include "gpu/device.h"
#include "gpu/event.h"
#include "gpu/memory.h"
#include "measure/cuda/pairs_kernel.h"

namespace tsmini {
namespace {

using cuda::Entry;
using cuda::Job;
using cuda::Layout;
using gpu::check;
using gpu::DeviceMemory;

// Trajectories on the device: points relative to `origin`, and where each begins.
struct DeviceSet {
  DeviceSet(const PlanarSet& set, Planar origin) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < set.size(); ++i) count += set.length(i);
    if (count > UINT32_MAX) {
      throw Error(ErrorCode::failure, "more than 4 billion points do not fit one GPU job",
                  "use fewer trajectories at once");
    }
    std::vector<float2> all;
    all.reserve(count);
    entries.reserve(set.size());
    for (std::size_t i = 0; i < set.size(); ++i) {
      Entry entry;
      entry.begin = static_cast<std::uint32_t>(all.size());
      entry.length = static_cast<std::uint32_t>(set.length(i));
      entry.position = static_cast<std::uint32_t>(i);
      entries.push_back(entry);
      for (const Planar& p : set[i]) {
        all.push_back({static_cast<float>(p.x - origin.x), static_cast<float>(p.y - origin.y)});
      }
    }
    points = DeviceMemory<float2>(all);
  }

  DeviceMemory<float2> points;
  std::vector<Entry> entries;  // in the set's order
};

void sort_by_length(std::vector<Entry>& entries) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.length < b.length; });
}

std::uint32_t longest_of(const std::vector<Entry>& entries) {
  std::uint32_t longest = 0;
  for (const Entry& entry : entries) longest = std::max(longest, entry.length);
  return longest;
}

void require_kernel(Measure measure, const std::vector<Entry>& entries) {
  if (measure != Measure::edwp) return;
  for (const Entry& entry : entries) {
    if (entry.length >= 2) continue;
    throw Error(ErrorCode::bad_input,
                "edwp is not defined for trajectory " + std::to_string(entry.position) +
                    ", which has one point",
                "leave out trajectories of one point");
  }
}

}  // namespace

class CudaPairs::Impl {
 public:
  explicit Impl(const PlanarSet& trajectories)
      : origin(trajectories.origin()), set(trajectories, origin) {
    std::vector<Entry> by_length = set.entries;
    sort_by_length(by_length);
    sorted = DeviceMemory<Entry>(by_length);
  }

  Job triangle(float* distances, Layout layout) const {
    Job job;
    job.row_points = job.column_points = set.points.data();
    job.rows = job.columns = sorted.data();
    job.row_count = job.column_count = static_cast<std::uint32_t>(set.entries.size());
    job.layout = layout;
    job.longest_row = longest_of(set.entries);
    job.distances = distances;
    return job;
  }

  Planar origin;
  DeviceSet set;
  DeviceMemory<Entry> sorted;  // all, by length
  DeviceMemory<Entry> batch;   // of the last square()
  mutable cuda::Workspace workspace;
};

bool CudaPairs::available() {
  return !name().empty();
}

std::string CudaPairs::name() {
  return gpu::gpu_name();
}

void CudaPairs::require() {
  gpu::require_gpu();
}

bool CudaPairs::supports(Measure measure) {
  return cuda::has_kernel(measure);
}

CudaPairs::CudaPairs(const PlanarSet& trajectories) {
  gpu::require_gpu();
  impl_ = std::make_unique<Impl>(trajectories);
}

CudaPairs::~CudaPairs() = default;
CudaPairs::CudaPairs(CudaPairs&&) noexcept = default;

void CudaPairs::all_pairs(Measure measure, std::span<float> condensed) const {
  [[maybe_unused]] const std::size_t n = impl_->set.entries.size();
  assert(condensed.size() == n * (n - 1) / 2);
  require_kernel(measure, impl_->set.entries);
  DeviceMemory<float> distances(condensed.size());
  cuda::launch(measure, impl_->triangle(distances.data(), Layout::condensed), impl_->workspace,
               nullptr);
  check(cudaMemcpy(condensed.data(), distances.data(), condensed.size_bytes(),
                   cudaMemcpyDeviceToHost),
        "copy from the device");
}

double CudaPairs::time_all_pairs(Measure measure) const {
  const std::size_t n = impl_->set.entries.size();
  DeviceMemory<float> distances(n * (n - 1) / 2);
  const Job job = impl_->triangle(distances.data(), Layout::condensed);
  cuda::launch(measure, job, impl_->workspace, nullptr);  // warm-up
  gpu::Event start(gpu::Event::Kind::timed), stop(gpu::Event::Kind::timed);
  start.record(nullptr);
  cuda::launch(measure, job, impl_->workspace, nullptr);
  stop.record(nullptr);
  stop.wait();
  return stop.milliseconds_since(start);
}

void CudaPairs::many_to_many(Measure measure, const PlanarSet& queries,
                             std::span<float> distances) const {
  [[maybe_unused]] const std::size_t columns = impl_->set.entries.size();
  assert(distances.size() == queries.size() * columns);
  const DeviceSet rows(queries, impl_->origin);
  require_kernel(measure, impl_->set.entries);
  require_kernel(measure, rows.entries);
  const DeviceMemory<Entry> row_entries(rows.entries);
  DeviceMemory<float> on_device(distances.size());
  Job job = impl_->triangle(on_device.data(), Layout::rectangle);
  job.row_points = rows.points.data();
  job.rows = row_entries.data();
  job.row_count = static_cast<std::uint32_t>(queries.size());
  job.longest_row = longest_of(rows.entries);
  cuda::launch(measure, job, impl_->workspace, nullptr);
  check(cudaMemcpy(distances.data(), on_device.data(), distances.size_bytes(),
                   cudaMemcpyDeviceToHost),
        "copy from the device");
}

void CudaPairs::square(Measure measure, std::span<const std::uint32_t> indices,
                       float* device_matrix, void* stream) {
  std::vector<Entry> entries;
  for (const std::uint32_t index : indices) {
    assert(index < impl_->set.entries.size());
    Entry entry = impl_->set.entries[index];
    entry.position = static_cast<std::uint32_t>(entries.size());
    entries.push_back(entry);
  }
  require_kernel(measure, entries);
  sort_by_length(entries);
  auto* const queue = static_cast<cudaStream_t>(stream);
  impl_->batch.make_room(entries.size());
  check(cudaMemcpyAsync(impl_->batch.data(), entries.data(), entries.size() * sizeof(Entry),
                        cudaMemcpyHostToDevice, queue),
        "copy to the device");
  check(cudaMemsetAsync(device_matrix, 0, entries.size() * entries.size() * sizeof(float), queue),
        "clear the matrix");
  Job job = impl_->triangle(device_matrix, Layout::square);
  job.rows = job.columns = impl_->batch.data();
  job.row_count = job.column_count = static_cast<std::uint32_t>(entries.size());
  job.longest_row = longest_of(entries);
  cuda::launch(measure, job, impl_->workspace, queue);
}

}  // namespace tsmini
