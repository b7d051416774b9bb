#include "base/checked_bytes.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/checksum.h"

namespace tsmini {

CheckedBytes::CheckedBytes(std::shared_ptr<const MappedFile> file, std::size_t offset,
                           std::size_t size, Checksums checksums, std::string name,
                           std::string hint)
    : file_(std::move(file)),
      offset_(offset),
      bytes_(file_->bytes().subspan(offset, size)),
      checksums_(std::move(checksums)),
      name_(std::move(name)),
      hint_(std::move(hint)),
      sound_((checksums_.blocks.size() + 63) / 64),
      unread_(checksums_.blocks.size()) {
  assert(size == 0 || checksums_.blocks.size() == ((size - 1) >> checksums_.shift) + 1);
}

void CheckedBytes::read(std::size_t block) const {
  const std::size_t first = block << checksums_.shift;
  const std::size_t size = std::min(bytes_.size() - first, std::size_t{1} << checksums_.shift);
  if (checksum_of(bytes_.subspan(first, size)) != checksums_.blocks[block]) {
    throw DamagedFile(ErrorCode::bad_input,
                      fmt::format("{} was altered between byte {} and {}", name_, offset_ + first,
                                  offset_ + first + size),
                      hint_);
  }
  const std::uint64_t bit = std::uint64_t{1} << block % 64;
  const std::uint64_t before = sound_[block / 64].fetch_or(bit, std::memory_order_relaxed);
  if ((before & bit) == 0) unread_.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace tsmini
