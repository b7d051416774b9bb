#include "base/file_lock.h"

#include <cerrno>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "tsmini/error.h"

#include "base/system_reason.h"

namespace tsmini {

bool is_locked_within(std::chrono::milliseconds time, const FileHandle& file) {
  constexpr std::chrono::milliseconds pause(100);
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return true;
    if (time <= std::chrono::milliseconds::zero()) return false;
    std::this_thread::sleep_for(pause);
    time -= pause;
  }
  return true;
}

namespace {

FileHandle opened(const std::filesystem::path& path) {
  FileHandle file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file)
    throw Error(ErrorCode::failure,
                fmt::format("{}: cannot write: {}", path.string(), reason_of(errno)),
                remedy_for(errno, FileUse::write));
  return file;
}

// Whoever had the lock may have removed the file, or another may have its name by now.
bool has_name(const FileHandle& file, const std::filesystem::path& path) {
  struct stat held = {}, named = {};
  return ::fstat(file.get(), &held) == 0 && ::stat(path.c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& path, const Progress& progress) {
  // Not for ever, as there may be file systems whose files have no lasting numbers.
  for (int tries = 0; tries == 0 || (tries < 100 && !has_name(file_, path)); ++tries) {
    file_ = opened(path);
    while (!is_locked_within(std::chrono::milliseconds(100), file_)) {
      if (progress) progress({});
    }
  }
}

}  // namespace tsmini
