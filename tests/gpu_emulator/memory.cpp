// The device and its memory.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>

#include <cuda_runtime.h>

#include "streams.h"

namespace {

constexpr int runtime_version = 13000;
constexpr std::size_t alignment = 256;
constexpr int nonsense = 0xFF;

// A number of the environment, as it is now.
int from_environment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

// The memory of the device, as the environment says it now.
std::size_t device_bytes() {
  const char* text = std::getenv("TSMINI_EMULATED_MEMORY");
  return text == nullptr ? std::size_t{4} << 30 : std::strtoull(text, nullptr, 10);
}

// What was taken from the device.
struct Taken {
  std::mutex mutex;
  std::map<const char*, std::size_t> pieces;
  std::size_t bytes = 0;
};
Taken& taken() {
  static auto* const kept = new Taken;
  return *kept;
}

// The caller holds the mutex.
std::size_t free_bytes() {
  const std::size_t all = device_bytes();
  return all - std::min(all, taken().bytes);
}

// Whether all, or whether any, of some bytes are the device's.
bool is_within_device(const void* memory, std::size_t bytes) {
  const std::lock_guard lock(taken().mutex);
  const auto* begin = static_cast<const char*>(memory);
  const auto after = taken().pieces.upper_bound(begin);
  if (after == taken().pieces.begin()) return false;
  const auto& [piece, size] = *std::prev(after);
  return begin + bytes <= piece + size;
}

bool fits_kind(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  return is_within_device(to, bytes) == to_device && is_within_device(from, bytes) == from_device;
}

cudaError_t take(void** memory, std::size_t bytes) {
  *memory = nullptr;
  if (const cudaError_t status = gpu_emulator::require_device(); status != cudaSuccess)
    return status;
  if (const cudaError_t status = gpu_emulator::refuse_in_capture(); status != cudaSuccess)
    return status;
  if (posix_memalign(memory, alignment, bytes) != 0) return cudaErrorMemoryAllocation;
  std::memset(*memory, nonsense, bytes);
  return cudaSuccess;
}

}  // namespace

cudaError_t gpu_emulator::require_device() {
  int count = 0;
  return cudaGetDeviceCount(&count);
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorInsufficientDriver:
      return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorNoDevice: return "no CUDA-capable device is detected";
    case cudaErrorInvalidResourceHandle: return "invalid resource handle";
    case cudaErrorStreamCaptureUnsupported:
      return "operation not permitted when stream is capturing";
    case cudaErrorStreamCaptureInvalidated:
      return "operation failed due to a previous error during capture";
    case cudaErrorStreamCaptureUnmatched:
      return "operation would result in a merge of separate capture sequences";
    case cudaErrorStreamCaptureUnjoined: return "capturing stream has unjoined work";
    case cudaErrorCapturedEvent:
      return "operation not permitted on an event last recorded in a capturing stream";
  }
  return "unknown error";
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = from_environment("TSMINI_EMULATED_DRIVER", runtime_version);
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = runtime_version;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  int driver = 0;
  cudaDriverGetVersion(&driver);
  *count = driver < runtime_version ? 0 : from_environment("TSMINI_EMULATED_GPUS", 1);
  if (driver < runtime_version) return cudaErrorInsufficientDriver;
  return *count == 0 ? cudaErrorNoDevice : cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return gpu_emulator::require_device();
}

cudaError_t cudaSetDevice(int) {
  return gpu_emulator::require_device();
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {"emulated GPU", device_bytes(), 9, 0, 4};
  return gpu_emulator::require_device();
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp properties{};
  const cudaError_t status = cudaGetDeviceProperties(&properties, device);
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount: *value = properties.multiProcessorCount; break;
    case cudaDevAttrComputeCapabilityMajor: *value = properties.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = properties.minor; break;
  }
  return status;
}

cudaError_t cudaGetLastError() {
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  {
    const std::lock_guard lock(taken().mutex);
    if (bytes > free_bytes()) return cudaErrorMemoryAllocation;
  }
  if (const cudaError_t status = take(memory, bytes); status != cudaSuccess) return status;
  const std::lock_guard lock(taken().mutex);
  taken().pieces.emplace(static_cast<const char*>(*memory), bytes);
  taken().bytes += bytes;
  return cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
  if (memory == nullptr) return cudaSuccess;
  if (const cudaError_t status = gpu_emulator::refuse_in_capture(); status != cudaSuccess)
    return status;
  {
    const std::lock_guard lock(taken().mutex);
    const auto piece = taken().pieces.find(static_cast<const char*>(memory));
    if (piece == taken().pieces.end()) return cudaErrorInvalidValue;
    taken().bytes -= piece->second;
    taken().pieces.erase(piece);
  }
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
  return take(memory, bytes);
}

cudaError_t cudaFreeHost(void* memory) {
  if (memory == nullptr) return cudaSuccess;
  if (const cudaError_t status = gpu_emulator::refuse_in_capture(); status != cudaSuccess)
    return status;
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const std::lock_guard lock(taken().mutex);
  *free = free_bytes();
  *total = device_bytes();
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (const cudaError_t status = gpu_emulator::refuse_in_capture(); status != cudaSuccess)
    return status;
  return cudaMemcpyAsync(to, from, bytes, kind, cudaStreamPerThread);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  if (!fits_kind(to, from, bytes, kind)) return cudaErrorInvalidValue;
  return gpu_emulator::submit(stream, [=] { std::memmove(to, from, bytes); });
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  if (const cudaError_t status = gpu_emulator::refuse_in_capture(); status != cudaSuccess)
    return status;
  return cudaMemsetAsync(to, value, bytes, cudaStreamPerThread);
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  if (!is_within_device(to, bytes)) return cudaErrorInvalidValue;
  return gpu_emulator::submit(stream, [=] { std::memset(to, value, bytes); });
}
