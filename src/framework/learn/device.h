// Which device LibTorch works on, and how it is set up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <ATen/ATen.h>

namespace tsmini::learn {

// `cpu` or `cuda`. Throws Error(usage) for other names, Error(failure) where there is no GPU or
// this program was built without one.
at::Device device_from(std::string_view name);

// While it lives, LibTorch uses so many threads (0: all cores), or on a GPU a stream of its own
// (which graphs can be captured on) and TF32 products.
class DeviceSession {
 public:
  explicit DeviceSession(std::string_view name, std::size_t threads = 0);
  ~DeviceSession();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// "NVIDIA H200", say; or "CPU, 2 threads".
std::string describe(const at::Device& device);
// The most that LibTorch held on the device so far, in bytes; 0 for the CPU.
std::uint64_t peak_memory(const at::Device& device);

}  // namespace tsmini::learn
