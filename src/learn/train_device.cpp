#include <fmt/format.h>

#include "tsmini/error.h"
#include "tsmini/train.h"

#include "base/amounts.h"
#include "base/enum_names.h"
#include "base/utf8.h"
#include "learn/parallel.h"
#include "learn/row_widths.h"
#ifdef TSMINI_CUDA
#include "gpu/blas.h"
#include "gpu/device.h"
#endif

namespace tsmini {

std::string_view name_of(Device device) {
  return name_in(device_names, device);
}

Device device_from(std::string_view name) {
  const auto device = value_in<Device>(device_names, name);
  if (!device)
    throw Error(ErrorCode::usage, fmt::format("there is no device '{}'", printable(name)),
                fmt::format("choose {}", listed(device_names, "or")), "device");
  if (device == Device::cpu) return Device::cpu;
#ifdef TSMINI_CUDA
  gpu::require_gpu();
  gpu::require_blas();
  return Device::cuda;
#else
  throw Error(ErrorCode::failure, "this program was built without CUDA",
              "use the CPU (`device=cpu`), or build it where nvcc is found");
#endif
}

std::string describe(Device device, std::size_t threads) {
#ifdef TSMINI_CUDA
  if (device == Device::cuda) return gpu::gpu_name();
#endif
  static_cast<void>(device);
  return "CPU, " + counted(learn::allowed_threads(threads), "thread");
}

// What kernels share a row among is the threads of a warp.
void check_recipe(const Recipe& recipe, Device device) {
  check_recipe(recipe);
  const std::size_t dimension = recipe.net.dimension;
  constexpr std::size_t step = row_width_step, most = widest_row;
  if (device == Device::cuda && (dimension % step != 0 || dimension > most))
    throw Error(
        ErrorCode::usage,
        fmt::format("the kernels of a GPU cannot take embeddings of {} dimensions", dimension),
        fmt::format(
            "`net.dimension` may be a multiple of {} up to {}; the CPU takes any even number", step,
            most),
        "net.dimension");
}

}  // namespace tsmini
