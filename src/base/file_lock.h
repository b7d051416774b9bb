// One process at a time: whoever holds the lock of a file. It ends with its process, however that
// ends; the file stays, unless its holder removes it. Where a file system has no locks, nobody
// waits.
#pragma once

#include <chrono>
#include <filesystem>

#include "tsmini/progress.h"

#include "base/file.h"

namespace tsmini {

// Takes the lock of an open file, until that is closed. False where another holds it all that time;
// true, too, where the file system has none.
bool is_locked_within(std::chrono::milliseconds time, const FileHandle& file);

class FileLock {
 public:
  // Waits while another holds it, and tells `progress` ten times a second, which may throw. Throws
  // Error(failure) where the file cannot be made.
  explicit FileLock(const std::filesystem::path& path, const Progress& progress = {});

 private:
  FileHandle file_;
};

}  // namespace tsmini
