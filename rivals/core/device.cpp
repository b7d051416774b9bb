#include "rivals/core/device.h"

#include <thread>

#include <fmt/format.h>

#ifdef TSMINI_CUDA
#include "tsmini/cuda_pairs.h"
#endif
#include "tsmini/error.h"
#include "tsmini/train.h"

#include "base/amounts.h"
#include "base/enum_names.h"

namespace tsmini::rivals {
namespace {

// What LibTorch has to say of its own ways (weights of an LSTM that lie apart, say) is no concern
// of a user.
#if TORCH_VERSION_MAJOR >= 2
namespace warnings = c10::WarningUtils;
class Silence : public c10::WarningHandler {
  void process(const c10::Warning&) override {}
};
#else
namespace warnings = c10::Warning;
class Silence : public c10::WarningHandler {
  void process(const c10::SourceLocation&, const std::string&, bool) override {}
};
#endif

}  // namespace

torch::Device device_from(std::string_view name, std::size_t threads) {
  static Silence silence;
  warnings::set_warning_handler(&silence);
  if (threads == 0) threads = std::thread::hardware_concurrency();
  torch::set_num_threads(static_cast<int>(threads));
  const auto device = value_in<Device>(device_names, name);
  if (!device)
    throw Error(ErrorCode::usage, fmt::format("there is no device '{}'", name),
                fmt::format("choose {}", listed(device_names, "or")));
  if (device == Device::cpu) return torch::kCPU;
  if (!torch::cuda::is_available())
    throw Error(ErrorCode::failure, "no GPU that this program and its LibTorch can use",
                "use --device cpu, or build where nvcc and a CUDA LibTorch are found");
  at::globalContext().setAllowTF32CuBLAS(true);
  return {torch::kCUDA, 0};
}

std::string describe(const torch::Device& device) {
#ifdef TSMINI_CUDA
  if (device.is_cuda()) return CudaPairs::name();
#endif
  return device.is_cuda()
             ? "CUDA"
             : "CPU, " + counted(static_cast<std::uint64_t>(torch::get_num_threads()), "thread");
}

}  // namespace tsmini::rivals
