#include "gpu/status.h"

#include <string>

#include "tsmini/error.h"

namespace tsmini::gpu {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // told here, and to nobody after
  throw Error(ErrorCode::failure,
              std::string("GPU: cannot ") + what + ": " + cudaGetErrorString(status),
              status == cudaErrorMemoryAllocation
                  ? "use a smaller batch or fewer trajectories at once, or the CPU"
                  : "");
}

}  // namespace tsmini::gpu
