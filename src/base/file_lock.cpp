#include "base/file_lock.h"

#include <cerrno>
#include <chrono>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include "tsmini/error.h"

#include "base/system_reason.h"

namespace tsmini {

FileLock::FileLock(const std::filesystem::path& path, const Progress& progress)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (!file_)
    throw Error(ErrorCode::failure,
                fmt::format("{}: cannot write: {}", path.string(), reason_of(errno)),
                remedy_for(errno, FileUse::write));
  while (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (progress) progress({});
  }
}

}  // namespace tsmini
