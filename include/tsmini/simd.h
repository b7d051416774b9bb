// Which SIMD instructions the kernels use. Every kernel is compiled for several targets, and the
// best that the machine has is taken when the program runs.
//
//   for (const std::string_view target : simd_targets()) std::cout << target << '\n';  // AVX3 …
#pragma once

#include <string_view>
#include <vector>

namespace tsmini {

// The SIMD targets this machine can run, best first ("AVX3", "AVX2", "SSE4", …), and the one in
// use. The environment variable TSMINI_SIMD forces one.
std::vector<std::string_view> simd_targets();
std::string_view simd_target();
// Forces a target of simd_targets(); for tests and benchmarks. Throws Error(usage).
void force_simd_target(std::string_view name);

}  // namespace tsmini
