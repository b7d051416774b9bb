// One process at a time: whoever holds the lock of a file. It ends with its process, however that
// ends; the file stays.
#pragma once

#include <filesystem>

#include "tsmini/progress.h"

#include "base/file.h"

namespace tsmini {

class FileLock {
 public:
  // Waits while another holds it, and tells `progress` ten times a second, which may throw. Throws
  // Error(failure) where the file cannot be made. Where a file system has no locks, nobody waits.
  explicit FileLock(const std::filesystem::path& path, const Progress& progress = {});

 private:
  FileHandle file_;
};

}  // namespace tsmini
