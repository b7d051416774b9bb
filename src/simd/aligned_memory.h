// Memory that vectors are loaded from and stored to.
#pragma once

#include <cstddef>
#include <new>

#include "hwy/aligned_allocator.h"

namespace tsmini {

// Memory that is not initialised. Throws std::bad_alloc, where Highway gives a null pointer.
template <class T>
hwy::AlignedFreeUniquePtr<T[]> aligned_memory(std::size_t count) {
  auto memory = hwy::AllocateAligned<T>(count);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace tsmini
