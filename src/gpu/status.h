// What CUDA answers, as errors.
#pragma once

#include <string>

#include <cuda_runtime.h>

#include "tsmini/error.h"

namespace tsmini::gpu {

// A failure for want of memory of the GPU.
class OutOfMemory : public Error {
 public:
  explicit OutOfMemory(const std::string& message)
      : Error(ErrorCode::failure, message,
              "use a smaller batch or fewer trajectories at once, or the CPU") {}
};

// Throws Error(failure) that names what failed, where something did: "GPU: cannot start a kernel:
// invalid argument". Where it was for want of memory, it is an OutOfMemory.
void check(cudaError_t status, const char* what);

// Does work that takes memory. Where there is too little, the Error(failure) says for what, and
// what to do about it: "GPU: cannot take memory: out of memory, for the features of 8 points". Of
// calls within each other, the inner one has the word.
template <class Work>
decltype(auto) take_memory(const std::string& purpose, const std::string& remedy,
                           const Work& work) {
  try {
    return work();
  } catch (const OutOfMemory& error) {
    throw Error(error.code(), std::string(error.what()) + ", " + purpose, remedy);
  }
}

}  // namespace tsmini::gpu
