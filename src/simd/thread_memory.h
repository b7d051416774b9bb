// Memory of a thread for kernels, kept between calls. `User` keeps those apart that need theirs at
// the same time.
#pragma once

#include <cstddef>

#include "simd/aligned_memory.h"

namespace tsmini {

// Aligned for vectors; what it held before is lost where it has to grow.
template <class User, class T>
T* thread_memory(std::size_t count) {
  thread_local hwy::AlignedFreeUniquePtr<T[]> memory;
  thread_local std::size_t capacity = 0;
  if (count > capacity) {
    memory = aligned_memory<T>(count);
    capacity = count;
  }
  return memory.get();
}

}  // namespace tsmini
