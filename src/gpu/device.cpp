#include "gpu/device.h"

#include <cuda_runtime.h>

#include "tsmini/error.h"

namespace tsmini::gpu {
namespace {

constexpr int oldest_generation = 8;  // compute capability that kernels are compiled for, at least

// 13020 is version 13.2.
std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

[[noreturn]] void refuse(const std::string& what, const std::string& remedy) {
  throw Error(ErrorCode::failure, what, remedy + ", or use the CPU (`device=cpu`)");
}

[[noreturn]] void refuse_driver() {
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  if (driver == 0) refuse("no NVIDIA driver is found", "install the driver of your GPU");
  refuse("the NVIDIA driver is too old: it knows CUDA " + version_text(driver) +
             ", this program was built with CUDA " + version_text(runtime),
         "install a newer driver");
}

}  // namespace

int current_device() {
  int device = 0;
  cudaGetDevice(&device);
  return device;
}

void require_gpu() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver) refuse_driver();
  if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0))
    refuse("there is an NVIDIA driver but no GPU that it lets this program use",
           "check that nvidia-smi lists one and that CUDA_VISIBLE_DEVICES does not hide it");
  if (status != cudaSuccess)
    refuse(std::string("the GPU cannot be used: ") + cudaGetErrorString(status),
           "check what nvidia-smi says");
  int generation = 0, step = 0;
  cudaDeviceGetAttribute(&generation, cudaDevAttrComputeCapabilityMajor, current_device());
  cudaDeviceGetAttribute(&step, cudaDevAttrComputeCapabilityMinor, current_device());
  if (generation < oldest_generation)
    refuse("the GPU has compute capability " + std::to_string(generation) + "." +
               std::to_string(step) + ", this program needs " + std::to_string(oldest_generation) +
               ".0 or more",
           "use a newer GPU");
}

std::string gpu_name() {
  try {
    require_gpu();
  } catch (const Error&) {
    return {};
  }
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, current_device()) != cudaSuccess) return {};
  return properties.name;
}

bool starts_early() {
  constexpr int first_generation = 9;
  // What this thread was told last: every launch asks.
  thread_local int device = -1, generation = 0;
  if (const int current = current_device(); device != current) {
    generation = 0;
    cudaDeviceGetAttribute(&generation, cudaDevAttrComputeCapabilityMajor, current);
    device = current;
  }
  return generation >= first_generation;
}

}  // namespace tsmini::gpu
