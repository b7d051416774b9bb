// Products of small matrices that a warp computes at once, on tensor cores.
#pragma once

#include <cuda_runtime.h>

#include "gpu/warp.cuh"

namespace tsmini::gpu {

// The nearest number of 10 binary digits after the first, as tensor cores read them: TF32.
__device__ inline float to_tf32(float x) {
  unsigned bits;
#ifdef __CUDACC__
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
#else
  bits = gpu_emulator::to_tf32(__float_as_uint(x));
#endif
  return __uint_as_float(bits);
}

// sum += a · b, of 16 × 8 by 8 × 8 numbers; all lanes must come. With g = lane / 4 and t = lane % 4
// a lane holds
//   of a:   row g column t, row g + 8 column t, row g column t + 4, row g + 8 column t + 4;
//   of b:   row t column g, row t + 4 column g;
//   of sum: row g columns 2t and 2t + 1, row g + 8 columns 2t and 2t + 1.
// Numbers of a and b must come from to_tf32: digits past those are dropped, not rounded.
__device__ inline void multiply_tf32(float (&sum)[4], const float (&a)[4], const float (&b)[2]) {
#ifdef __CUDACC__
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
        "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
#else
  gpu_emulator::multiply_tf32(sum, a, b);
#endif
}

}  // namespace tsmini::gpu
