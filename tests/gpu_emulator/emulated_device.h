// What kernels are written with: where a thread is, what threads do together, and arithmetic.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "emulated_runtime.h"

#define __global__
#define __device__
#define __host__
#define __shared__ static thread_local
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)

struct uint3 {
  unsigned x, y, z;
};
extern constinit thread_local uint3 threadIdx;
extern constinit thread_local uint3 blockIdx;
extern constinit thread_local dim3 blockDim;
extern constinit thread_local dim3 gridDim;

namespace gpu_emulator {

// Memory of the block: as many bytes as its launch asked for.
void* dynamic_shared_memory();

// Where in a source threads wait for each other.
struct Site {
  const char* file;
  int line;

  friend bool operator==(const Site&, const Site&) = default;
};

void wait_for_block(const Site& site);
void wait_for_kernel();

// What a lane brings to the others of its warp. All lanes of the mask that have not ended must come
// to the same call.
struct WarpCall {
  enum class Kind { shuffle, ballot, wait, product };

  Kind kind = Kind::wait;
  Site site{};
  unsigned mask = 0;
  std::uint64_t value = 0;
  int source = 0;  // the lane that a shuffle reads
};
std::uint64_t meet_warp(const WarpCall& call);
int lane();

template <typename T>
T shuffle(unsigned mask, T value, int source, const Site& site) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = meet_warp({WarpCall::Kind::shuffle, site, mask, bits, source});
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// What a lane holds of a product on tensor cores, of 16 × 8 by 8 × 8 numbers.
struct ProductShare {
  float* sum;      // 4
  const float* a;  // 4
  const float* b;  // 2
};
inline void multiply_tf32(float (&sum)[4], const float (&a)[4], const float (&b)[2],
                          const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const ProductShare share{sum, a, b};
  const auto place = reinterpret_cast<std::uint64_t>(&share);
  meet_warp({WarpCall::Kind::product, {file, line}, ~0U, place, 0});
}

// The digits of a float32 that tensor cores drop. Rounded to the rest: to the nearer, ties away
// from 0; what is no number stays so.
inline constexpr unsigned tf32_dropped = 0x1fff;
inline unsigned to_tf32(unsigned bits) {
  const bool is_number = (bits & 0x7fffffffU) <= 0x7f800000U;
  return is_number ? (bits + 0x1000U) & ~tf32_dropped : 0x7fffffffU;
}

}  // namespace gpu_emulator

// Kernels run one after the other; that each waits for the one before it is checked.
inline void cudaGridDependencySynchronize() {
  gpu_emulator::wait_for_kernel();
}
inline void cudaTriggerProgrammaticLaunchCompletion() {}

inline void __syncthreads(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  gpu_emulator::wait_for_block({file, line});
}
inline void __syncwarp(unsigned mask = ~0U, const char* file = __builtin_FILE(),
                       int line = __builtin_LINE()) {
  gpu_emulator::meet_warp({gpu_emulator::WarpCall::Kind::wait, {file, line}, mask, 0, 0});
}
inline unsigned __ballot_sync(unsigned mask, bool value, const char* file = __builtin_FILE(),
                              int line = __builtin_LINE()) {
  return static_cast<unsigned>(gpu_emulator::meet_warp(
      {gpu_emulator::WarpCall::Kind::ballot, {file, line}, mask, value ? 1ULL : 0ULL, 0}));
}
template <typename T>
T __shfl_sync(unsigned mask, T value, int source, const char* file = __builtin_FILE(),
              int line = __builtin_LINE()) {
  return gpu_emulator::shuffle(mask, value, source % 32, {file, line});
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int difference, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
  return gpu_emulator::shuffle(mask, value, gpu_emulator::lane() ^ difference, {file, line});
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, int distance, const char* file = __builtin_FILE(),
                 int line = __builtin_LINE()) {
  const int lane = gpu_emulator::lane(), source = lane - distance;
  return gpu_emulator::shuffle(mask, value, source < 0 ? lane : source, {file, line});
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, int distance, const char* file = __builtin_FILE(),
                   int line = __builtin_LINE()) {
  const int lane = gpu_emulator::lane(), source = lane + distance;
  return gpu_emulator::shuffle(mask, value, source > 31 ? lane : source, {file, line});
}

inline unsigned __reduce_min_sync(unsigned mask, unsigned value,
                                  const char* file = __builtin_FILE(),
                                  int line = __builtin_LINE()) {
  for (int step = 16; step > 0; step /= 2) {
    const unsigned other = __shfl_xor_sync(mask, value, step, file, line);
    if (other < value) value = other;
  }
  return value;
}

// For whole numbers alone: sums of others would depend on an order.
template <typename T>
requires std::is_integral_v<T> T atomicAdd(T* to, T value) {
  const T old = *to;
  *to = static_cast<T>(old + value);
  return old;
}
template <typename T>
requires std::is_integral_v<T> T atomicMax(T* to, T value) {
  const T old = *to;
  if (value > old) *to = value;
  return old;
}

template <typename T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
T max(T a, T b) {
  return a < b ? b : a;
}

struct float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
inline float2 make_float2(float x, float y) {
  return {x, y};
}
inline float4 make_float4(float x, float y, float z, float w) {
  return {x, y, z, w};
}

inline int __ffs(int bits) {
  return __builtin_ffs(bits);
}
inline int __popc(unsigned bits) {
  return std::popcount(bits);
}
inline int __clz(int bits) {
  return std::countl_zero(static_cast<unsigned>(bits));
}
inline unsigned __float_as_uint(float value) {
  return std::bit_cast<unsigned>(value);
}
inline float __uint_as_float(unsigned bits) {
  return std::bit_cast<float>(bits);
}
inline float __fmul_rn(float a, float b) {
  return a * b;
}
inline float __fadd_rn(float a, float b) {
  return a + b;
}
inline float __fdividef(float a, float b) {
  return a / b;
}

namespace gpu_emulator {

inline double half_turns(float x) {
  return remainder(static_cast<double>(x), 2.0) * 3.14159265358979323846;
}

}  // namespace gpu_emulator

// Macros, since some C libraries have declarations of these names.
#define __expf(x) expf(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define rsqrtf(x) (1.0F / sqrtf(x))
#define sinpif(x) static_cast<float>(sin(gpu_emulator::half_turns(x)))
#define cospif(x) static_cast<float>(cos(gpu_emulator::half_turns(x)))
