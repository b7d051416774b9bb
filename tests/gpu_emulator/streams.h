// What the parts of the emulator ask of each other.
#pragma once

#include <cuda_runtime.h>

namespace gpu_emulator {

// Success, but where a stream is captured and this thread may not call what waits for the GPU:
// that capture fails then.
cudaError_t refuse_in_capture();

// Success, but where the environment says that there is no GPU or no driver.
cudaError_t require_device();

}  // namespace gpu_emulator
