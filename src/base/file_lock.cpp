#include "base/file_lock.h"

#include <cerrno>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

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

FileLock::FileLock(const std::filesystem::path& path, const Progress& progress)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (!file_)
    throw Error(ErrorCode::failure,
                fmt::format("{}: cannot write: {}", path.string(), reason_of(errno)),
                remedy_for(errno, FileUse::write));
  while (!is_locked_within(std::chrono::milliseconds(100), file_)) {
    if (progress) progress({});
  }
}

}  // namespace tsmini
