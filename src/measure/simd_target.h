// The SIMD target that kernels are taken from.
#pragma once

namespace tsmini {

// Takes the environment variable TSMINI_SIMD into account, once. Before kernels are asked for.
// Throws Error(usage) where it names a target this machine does not have.
void choose_simd_target();

}  // namespace tsmini
