// Where training computes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tsmini::learn {

enum class Device { cpu, cuda };

// `cpu` or `cuda`. Throws Error(usage) for other names, Error(failure) where there is no GPU or
// this program was built without one.
Device device_from(std::string_view name);

// "CPU, 2 threads", say. `threads`: 0 for all cores.
std::string describe(Device device, std::size_t threads);

}  // namespace tsmini::learn
