// Which device LibTorch works on, and how it is set up.
#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <string>
#include <string_view>

namespace tsmini::learn {

// `cpu` or `cuda`. Throws Error(usage) for other names, Error(failure) where there is no GPU or this
// program was built without one.
at::Device device_from(std::string_view name);

// While it lives, LibTorch uses all cores, or on a GPU a stream of its own (which graphs can be
// captured on) and TF32 products.
class DeviceSession {
 public:
  explicit DeviceSession(std::string_view name);
  ~DeviceSession();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tsmini::learn
