// Memory of a step: taken piece by piece, given back all at once.
//
// The second step of a size finds one block that holds all that the first one took, so that memory
// is asked of the system once, and lies at the same places step after step.
//
//   Arena arena;
//   float* rows = arena.take<float>(1000);
//   arena.clear();
#pragma once

#include <cstddef>
#include <vector>

#include "base/aligned_memory.h"

namespace tsmini::learn {

class Arena {
 public:
  // Aligned for vectors, with numbers of before in it. Throws std::bad_alloc.
  template <typename T>
  T* take(std::size_t count) {
    return reinterpret_cast<T*>(take_bytes(count * sizeof(T)));
  }
  // Gives back all that was taken, and keeps the memory.
  void clear();

  std::size_t bytes() const;  // that it holds

 private:
  struct Block {
    hwy::AlignedFreeUniquePtr<std::byte[]> memory;
    std::size_t size = 0;
  };

  std::byte* take_bytes(std::size_t bytes);

  std::vector<Block> blocks_;
  std::size_t used_ = 0;  // of the last block
};

}  // namespace tsmini::learn
