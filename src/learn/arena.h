// Memory of a step: taken piece by piece, given back all at once.
//
// The second step of a size finds one block that holds all that the first one took, so that memory
// is asked of the system once, and lies at the same places step after step.
//
//   Arena arena;
//   float* rows = arena.take<float>(1000);
//   arena.clear();
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/next_multiple.h"
#include "simd/aligned_memory.h"

namespace tsmini::learn {

// Memory of this machine.
class HostBlock {
 public:
  explicit HostBlock(std::size_t size) : memory_(aligned_memory<std::byte>(size)), size_(size) {}
  std::byte* data() const { return memory_.get(); }
  std::size_t size() const { return size_; }

 private:
  hwy::AlignedFreeUniquePtr<std::byte[]> memory_;
  std::size_t size_;
};

// Block: memory of so many bytes, with data() and size(); it throws where there is too little.
template <class Block>
class ArenaOf {
 public:
  // Aligned for vectors, with numbers of before in it.
  template <typename T>
  T* take(std::size_t count) {
    return reinterpret_cast<T*>(take_bytes(count * sizeof(T)));
  }
  // Gives back all that was taken, and keeps the memory.
  void clear() {
    used_ = 0;
    if (blocks_.size() <= 1) return;
    const std::size_t size = bytes();
    blocks_.clear();  // before the new one, so that both are never there together
    ++moves_;
    blocks_.emplace_back(size);
  }

  std::size_t bytes() const {  // that it holds
    std::size_t sum = 0;
    for (const Block& block : blocks_) sum += block.size();
    return sum;
  }
  // How often its memory went to another place: as long as this stays, the same pieces taken in the
  // same order after clear() lie where they lay.
  std::uint64_t moves() const { return moves_; }

 private:
  static constexpr std::size_t alignment = 256;  // also what copies on a GPU like
  static constexpr std::size_t smallest_block = std::size_t{1} << 20;

  std::byte* take_bytes(std::size_t bytes) {
    bytes = next_multiple(bytes, alignment);
    if (blocks_.empty() || used_ + bytes > blocks_.back().size()) {
      blocks_.emplace_back(std::max({bytes, this->bytes() / 2, smallest_block}));
      used_ = 0;
    }
    std::byte* piece = blocks_.back().data() + used_;
    used_ += bytes;
    return piece;
  }

  std::vector<Block> blocks_;
  std::size_t used_ = 0;  // of the last block
  std::uint64_t moves_ = 0;
};

using Arena = ArenaOf<HostBlock>;

}  // namespace tsmini::learn
