#include "learn/device.h"

#include <thread>

#include <ATen/Parallel.h>
#include <fmt/format.h>

#ifdef TSMINI_LEARN_CUDA
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#endif

#include "tsmini/error.h"

namespace tsmini::learn {

at::Device device_from(std::string_view name) {
  if (name == "cpu") return at::kCPU;
  if (name != "cuda")
    throw Error(ErrorCode::usage, fmt::format("there is no device '{}'", name),
                "choose cpu or cuda");
#ifdef TSMINI_LEARN_CUDA
  if (at::hasCUDA() && at::cuda::is_available()) return {at::kCUDA, 0};
  throw Error(ErrorCode::failure, "no GPU that this program can use", "use --device cpu");
#else
  throw Error(ErrorCode::failure, "this program was built without CUDA",
              "use --device cpu, or build where nvcc and a CUDA LibTorch are found");
#endif
}

struct DeviceSession::State {
#ifdef TSMINI_LEARN_CUDA
  std::unique_ptr<c10::cuda::CUDAStreamGuard> stream;
#endif
};

DeviceSession::DeviceSession(std::string_view name, std::size_t threads)
    : state_(std::make_unique<State>()) {
  const at::Device device = device_from(name);
  if (device.is_cpu()) {
    if (threads == 0) threads = std::thread::hardware_concurrency();
    at::set_num_threads(static_cast<int>(threads));
  }
#ifdef TSMINI_LEARN_CUDA
  if (device.is_cuda()) {
    state_->stream =
        std::make_unique<c10::cuda::CUDAStreamGuard>(at::cuda::getStreamFromPool(true, 0));
    at::globalContext().setAllowTF32CuBLAS(true);
  }
#endif
}

DeviceSession::~DeviceSession() = default;

std::string describe(const at::Device& device) {
#ifdef TSMINI_LEARN_CUDA
  if (device.is_cuda()) return at::cuda::getDeviceProperties(device.index())->name;
#endif
  static_cast<void>(device);
  return fmt::format("CPU, {} threads", at::get_num_threads());
}

std::uint64_t peak_memory(const at::Device& device) {
#ifdef TSMINI_LEARN_CUDA
  if (device.is_cuda())
    return static_cast<std::uint64_t>(
        c10::cuda::CUDACachingAllocator::getDeviceStats(device.index()).reserved_bytes[0].peak);
#endif
  static_cast<void>(device);
  return 0;
}

}  // namespace tsmini::learn
