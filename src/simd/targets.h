// Which SIMD targets the kernels are compiled for. Before any header of Highway.
//
// Left out: variants that bring our operations nothing (AVX3_DL, AVX3_ZEN4, SSSE3) and vectors
// whose size is only known when the program runs (SVE, RVV), which cannot be kept in arrays.
#pragma once

#define HWY_DISABLED_TARGETS                                                         \
  (HWY_SSSE3 | HWY_AVX3_DL | (HWY_AVX3_DL >> 1) | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | \
   HWY_SVE2_128 | HWY_RVV)
