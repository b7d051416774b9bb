#include "read_ahead.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <unistd.h>

#include "base/file.h"

namespace tsmini::cli {

void read_ahead(const std::filesystem::path& path, const Progress& progress) {
  const FileHandle file = open_for_reading(path);
  const std::uint64_t size = std::filesystem::file_size(path);
  std::vector<std::byte> block(std::size_t{4} << 20);
  std::uint64_t done = 0;
  for (;;) {
    progress({done, size});
    const ssize_t count = ::read(file.get(), block.data(), block.size());
    if (count <= 0) return;
    done += static_cast<std::uint64_t>(count);
  }
}

}  // namespace tsmini::cli
