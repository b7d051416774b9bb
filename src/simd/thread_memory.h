// Memory of a thread for kernels, kept between calls. `User` keeps those apart that need theirs at
// the same time.
#pragma once

#include <cstddef>

#include "simd/aligned_memory.h"

namespace tsmini {

// More than this many bytes are kept only while they are needed: one trip of 100,000 points would
// otherwise leave each thread with 100 MB for good.
inline constexpr std::size_t kept_thread_memory = std::size_t{4} << 20;

// Whether so many bytes want other memory than that which is there.
constexpr bool wants_other_memory(std::size_t bytes, std::size_t there) {
  return bytes > there || (there > kept_thread_memory && bytes <= kept_thread_memory);
}

// Aligned for vectors; what it held before is lost where it comes to lie elsewhere.
template <class User, class T>
T* thread_memory(std::size_t count) {
  thread_local hwy::AlignedFreeUniquePtr<T[]> memory;
  thread_local std::size_t capacity = 0;
  if (wants_other_memory(count * sizeof(T), capacity * sizeof(T))) {
    memory.reset();  // before the new one, so that both are never there together
    capacity = 0;
    memory = aligned_memory<T>(count);
    capacity = count;
  }
  return memory.get();
}

}  // namespace tsmini
