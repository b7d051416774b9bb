#include "base/array.h"

#include <algorithm>

#include <fmt/format.h>
#include <sys/mman.h>

#include "tsmini/error.h"

#include "base/next_multiple.h"
#include "base/text.h"

namespace tsmini {

Pages::~Pages() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

void Pages::reserve(std::size_t bytes) {
  if (bytes <= size_) return;
  // Addresses are plentiful, and pages that are not written cost nothing.
  constexpr std::size_t page = std::size_t{1} << 21;
  const std::size_t wanted = next_multiple(std::max(bytes, 2 * size_), page);
  void* data = data_ == nullptr ? ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                                : ::mremap(data_, size_, wanted, MREMAP_MAYMOVE);
  if (data == MAP_FAILED) {
    throw Error(ErrorCode::failure, fmt::format("no memory for {} bytes", with_thousands(bytes)));
  }
  ::madvise(data, wanted, MADV_HUGEPAGE);
  data_ = static_cast<std::byte*>(data);
  size_ = wanted;
}

}  // namespace tsmini
