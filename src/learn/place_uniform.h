// Random numbers that depend on a key and a place alone: the same on the CPU and on a GPU, in
// whatever order places are visited.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define TSMINI_HOST_DEVICE __host__ __device__
#else
#define TSMINI_HOST_DEVICE
#endif

namespace tsmini {

// Uniform in [0, 1), 24 bits.
TSMINI_HOST_DEVICE inline float place_uniform(std::int64_t key, std::uint32_t salt,
                                              std::uint64_t place) {
  std::uint64_t x = place + (static_cast<std::uint64_t>(salt) << 48) +
                    static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return static_cast<float>(x >> 40) * 0x1p-24F;
}

// What a value at a place is multiplied with: 0 where dropout takes it away.
TSMINI_HOST_DEVICE inline float dropout_factor(float rate, std::int64_t key, std::uint32_t salt,
                                               std::uint64_t place) {
  if (rate == 0) return 1;
  return place_uniform(key, salt, place) < rate ? 0.0F : 1 / (1 - rate);
}

// The place of an attention weight: its head, its row among all rows of the batch, and the position
// of the other row in the trajectory. From 2^24 rows of a batch or 2^18 of a trajectory on places
// come again, in another layer or head.
TSMINI_HOST_DEVICE inline std::uint64_t attention_place(std::uint64_t head, std::uint64_t row,
                                                        std::uint64_t other) {
  return (row << 24) + (head << 18) + other;
}

inline constexpr std::uint32_t residual_salt = 0xfff;

}  // namespace tsmini
