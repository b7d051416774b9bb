// What CUDA answers, as errors.
#pragma once

#include <cuda_runtime.h>

namespace tsmini::gpu {

// Throws Error(failure) that names what failed, where something did: "GPU: cannot take memory: out
// of memory", with what to do about it.
void check(cudaError_t status, const char* what);

}  // namespace tsmini::gpu
