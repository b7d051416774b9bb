// Which device LibTorch works on, and how it is set up.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "rivals/core/tensors.h"

namespace tsmini::rivals {

// `cpu` or `cuda`, ready to work: so many threads (0: all cores), or on a GPU TF32 products. Throws
// Error(usage) for other names, Error(failure) where there is no GPU or LibTorch was built without.
torch::Device device_from(std::string_view name, std::size_t threads = 0);

// "NVIDIA H200", say; or "CPU, 2 threads".
std::string describe(const torch::Device& device);

}  // namespace tsmini::rivals
