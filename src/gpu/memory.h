// Memory of a GPU, and memory of this machine that a GPU reads by itself, each with an owner.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include <cuda_runtime.h>

#include "gpu/status.h"

namespace tsmini::gpu {

// Numbers in the memory of the GPU. What is in them at first is unknown. T is as it lies there: it
// is copied byte by byte. Throws OutOfMemory where there is too little.
template <typename T>
class DeviceMemory {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(std::size_t size) : size_(size) {
    if (size > 0) check(cudaMalloc(&data_, size * sizeof(T)), "take memory");
  }
  explicit DeviceMemory(std::span<const T> values) : DeviceMemory(values.size()) {
    if (values.empty()) return;
    check(cudaMemcpy(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice),
          "copy to the device");
    check(cudaStreamSynchronize(cudaStreamPerThread), "copy to the device");  // for other streams
  }
  DeviceMemory(DeviceMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~DeviceMemory() { cudaFree(data_); }

  // Room for so many at least; what is in it is lost where there was less. The old memory goes
  // before the new is taken.
  void make_room(std::size_t size) {
    if (size <= size_) return;
    *this = DeviceMemory();
    *this = DeviceMemory(size);
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// Numbers in this machine's memory that copies to and from the GPU go straight to.
template <typename T>
class PinnedMemory {
 public:
  PinnedMemory() = default;
  explicit PinnedMemory(std::size_t size) : size_(size) {
    if (size > 0) check(cudaMallocHost(&data_, size * sizeof(T)), "take pinned memory");
  }
  PinnedMemory(PinnedMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PinnedMemory& operator=(PinnedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~PinnedMemory() { cudaFreeHost(data_); }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tsmini::gpu
