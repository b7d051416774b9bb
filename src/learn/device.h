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

struct DeviceOptions {
  std::size_t threads = 0;     // on the CPU; 0: all cores
  bool full_products = false;  // on a GPU: float32 throughout, not the faster TF32
};

// While it lives, LibTorch uses all cores, or on a GPU a stream of its own (which graphs can be
// captured on) and TF32 products unless told otherwise.
class DeviceSession {
 public:
  explicit DeviceSession(std::string_view name, const DeviceOptions& options = {});
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
