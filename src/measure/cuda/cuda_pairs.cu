#include "tsmini/cuda_pairs.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <string>
#include <vector>

#include "measure/cuda/pairs_kernel.h"
#include "tsmini/error.h"

namespace tsmini {
namespace {

using cuda::check;
using cuda::Entry;
using cuda::Job;
using cuda::Layout;

// Memory on the device.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) { resize(size); }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    if (values.empty()) return;
    check(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
          "copy to the device");
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  // Keeps what fits, not what is in it.
  void resize(std::size_t size) {
    if (size <= size_) return;
    check(cudaFree(data_), "free memory");
    data_ = nullptr;
    check(cudaMalloc(&data_, size * sizeof(T)), "take memory");
    size_ = size;
  }
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// Trajectories on the device: points relative to `origin`, and where each begins.
struct DeviceSet {
  DeviceSet(const PlanarSet& set, Planar origin) {
    std::vector<float2> all;
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
    if (all.size() > UINT32_MAX) {
      throw Error(ErrorCode::failure, "more than 4 billion points do not fit one GPU job",
                  "use fewer trajectories at once");
    }
    points.resize(all.size());
    check(cudaMemcpy(points.data(), all.data(), all.size() * sizeof(float2),
                     cudaMemcpyHostToDevice),
          "copy points to the device");
  }

  DeviceArray<float2> points;
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
    sorted.resize(by_length.size());
    check(cudaMemcpy(sorted.data(), by_length.data(), by_length.size() * sizeof(Entry),
                     cudaMemcpyHostToDevice),
          "copy to the device");
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
  DeviceArray<Entry> sorted;  // all, by length
  DeviceArray<Entry> batch;   // of the last square()
  mutable cuda::Workspace workspace;
};

bool CudaPairs::available() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

std::string CudaPairs::name() {
  cudaDeviceProp properties{};
  if (!available() || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return {};
  return properties.name;
}

bool CudaPairs::supports(Measure measure) {
  return cuda::has_kernel(measure);
}

CudaPairs::CudaPairs(const PlanarSet& trajectories) {
  if (!available()) {
    throw Error(ErrorCode::failure, "no GPU that this program can use", "use the CPU");
  }
  impl_ = std::make_unique<Impl>(trajectories);
}

CudaPairs::~CudaPairs() = default;
CudaPairs::CudaPairs(CudaPairs&&) noexcept = default;

void CudaPairs::all_pairs(Measure measure, std::span<float> condensed) const {
  const std::size_t n = impl_->set.entries.size();
  assert(condensed.size() == n * (n - 1) / 2);
  require_kernel(measure, impl_->set.entries);
  DeviceArray<float> distances(condensed.size());
  cuda::launch(measure, impl_->triangle(distances.data(), Layout::condensed), impl_->workspace,
               nullptr);
  check(cudaMemcpy(condensed.data(), distances.data(), condensed.size_bytes(),
                   cudaMemcpyDeviceToHost),
        "copy from the device");
}

double CudaPairs::time_all_pairs(Measure measure) const {
  const std::size_t n = impl_->set.entries.size();
  DeviceArray<float> distances(n * (n - 1) / 2);
  const Job job = impl_->triangle(distances.data(), Layout::condensed);
  cuda::launch(measure, job, impl_->workspace, nullptr);  // warm-up
  cudaEvent_t start = nullptr, stop = nullptr;
  check(cudaEventCreate(&start), "make an event");
  check(cudaEventCreate(&stop), "make an event");
  check(cudaEventRecord(start), "record an event");
  cuda::launch(measure, job, impl_->workspace, nullptr);
  check(cudaEventRecord(stop), "record an event");
  check(cudaEventSynchronize(stop), "finish the kernel");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start, stop), "read the time");
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  return milliseconds;
}

void CudaPairs::many_to_many(Measure measure, const PlanarSet& queries,
                             std::span<float> distances) const {
  const std::size_t columns = impl_->set.entries.size();
  assert(distances.size() == queries.size() * columns);
  const DeviceSet rows(queries, impl_->origin);
  require_kernel(measure, impl_->set.entries);
  require_kernel(measure, rows.entries);
  const DeviceArray<Entry> row_entries(rows.entries);
  DeviceArray<float> on_device(distances.size());
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
  impl_->batch.resize(entries.size());
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
