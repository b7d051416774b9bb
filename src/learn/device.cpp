#include "learn/device.h"

#include <fmt/format.h>
#include <tbb/info.h>

#include "tsmini/error.h"

#include "base/amounts.h"

namespace tsmini::learn {

Device device_from(std::string_view name) {
  if (name == "cpu") return Device::cpu;
  if (name != "cuda")
    throw Error(ErrorCode::usage, fmt::format("there is no device '{}'", name),
                "choose cpu or cuda");
  throw Error(ErrorCode::failure, "this program was built without CUDA", "use --device cpu");
}

std::string describe(Device, std::size_t threads) {
  const auto all = static_cast<std::size_t>(tbb::info::default_concurrency());
  return "CPU, " + counted(threads > 0 ? threads : all, "thread");
}

}  // namespace tsmini::learn
