// Whether there is a GPU that this program can use, and why not.
#pragma once

#include <string>

namespace tsmini::gpu {

// "NVIDIA H200", say; empty where there is none that this program can use.
std::string gpu_name();

// Throws Error(failure) that says what is missing and what to do: a driver, a newer driver, a GPU,
// a newer GPU.
void require_gpu();

// The number of the GPU that this thread works on.
int current_device();

// Whether this thread's GPU can start a kernel while the one before it still runs (gpu/launch.h).
bool starts_early();

}  // namespace tsmini::gpu
