// Bytes of a mapped file under checksums: each block is read and compared when it is first needed.
//
//   bytes.need(first, size);          // throws DamagedFile where they are not as they were
//   use(bytes.all().subspan(first, size));
//
// What is never needed is never read. A block that was found sound costs a look at a bit from then
// on, and once all of them were, a look at a number. Any number of threads may ask at once, without
// locks: two that meet the same block at the same moment both read it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"

namespace tsmini {

class CheckedBytes {
 public:
  struct Checksums {
    int shift = 0;                      // a block has 2^shift bytes, the last one may have fewer
    std::vector<std::uint64_t> blocks;  // XXH3-64 of each
  };

  // `name` is that of the bytes in errors: "FILE: section 'rows'", and `hint` what to do.
  // `offset` is where they lie.
  CheckedBytes(std::shared_ptr<const MappedFile> file, std::size_t offset, std::size_t size,
               Checksums checksums, std::string name, std::string hint);

  std::span<const std::byte> all() const { return bytes_; }

  void need(std::size_t first, std::size_t size) const {
    if (unread_.load(std::memory_order_relaxed) == 0 || size == 0) return;
    const std::size_t last = (first + size - 1) >> checksums_.shift;
    for (std::size_t block = first >> checksums_.shift; block <= last; ++block) {
      if (!is_sound(block)) read(block);
    }
  }

 private:
  // The bytes never change while they are mapped, so that there is no order to keep between them
  // and their bits.
  bool is_sound(std::size_t block) const {
    return (sound_[block / 64].load(std::memory_order_relaxed) >> block % 64 & 1) != 0;
  }
  void read(std::size_t block) const;

  std::shared_ptr<const MappedFile> file_;
  std::size_t offset_;
  std::span<const std::byte> bytes_;
  Checksums checksums_;
  std::string name_, hint_;
  mutable std::vector<std::atomic<std::uint64_t>> sound_;  // a bit a block
  mutable std::atomic<std::size_t> unread_;                // blocks
};

}  // namespace tsmini
