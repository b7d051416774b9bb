#include "learn/arena.h"

#include <algorithm>

namespace tsmini::learn {
namespace {

constexpr std::size_t alignment = 64;  // a cache line, and the widest vector
constexpr std::size_t smallest_block = std::size_t{1} << 20;

}  // namespace

std::byte* Arena::take_bytes(std::size_t bytes) {
  bytes = (bytes + alignment - 1) / alignment * alignment;
  if (blocks_.empty() || used_ + bytes > blocks_.back().size) {
    const std::size_t size = std::max({bytes, this->bytes() / 2, smallest_block});
    blocks_.push_back({aligned_memory<std::byte>(size), size});
    used_ = 0;
  }
  std::byte* piece = blocks_.back().memory.get() + used_;
  used_ += bytes;
  return piece;
}

void Arena::clear() {
  used_ = 0;
  if (blocks_.size() <= 1) return;
  const std::size_t size = bytes();
  blocks_.clear();  // before the new one, so that both are never there together
  blocks_.push_back({aligned_memory<std::byte>(size), size});
}

std::size_t Arena::bytes() const {
  std::size_t sum = 0;
  for (const Block& block : blocks_) sum += block.size;
  return sum;
}

}  // namespace tsmini::learn
