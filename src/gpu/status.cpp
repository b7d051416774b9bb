#include "gpu/status.h"

namespace tsmini::gpu {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // told here, and to nobody after
  const std::string message =
      std::string("GPU: cannot ") + what + ": " + cudaGetErrorString(status);
  if (status == cudaErrorMemoryAllocation) throw OutOfMemory(message);
  throw Error(ErrorCode::failure, message);
}

}  // namespace tsmini::gpu
