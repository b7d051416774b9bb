#include "learn/device.h"

#include <fmt/format.h>
#include <tbb/info.h>

#include "tsmini/error.h"

#include "base/amounts.h"
#ifdef TSMINI_CUDA
#include "gpu/device.h"
#endif

namespace tsmini::learn {

Device device_from(std::string_view name) {
  if (name == "cpu") return Device::cpu;
  if (name != "cuda")
    throw Error(ErrorCode::usage, fmt::format("there is no device '{}'", name),
                "choose cpu or cuda");
#ifdef TSMINI_CUDA
  gpu::require_gpu();
  return Device::cuda;
#else
  throw Error(ErrorCode::failure, "this program was built without CUDA",
              "use --device cpu, or build it where nvcc is found");
#endif
}

std::string describe(Device device, std::size_t threads) {
#ifdef TSMINI_CUDA
  if (device == Device::cuda) return gpu::gpu_name();
#endif
  static_cast<void>(device);
  const auto all = static_cast<std::size_t>(tbb::info::default_concurrency());
  return "CPU, " + counted(threads > 0 ? threads : all, "thread");
}

}  // namespace tsmini::learn
