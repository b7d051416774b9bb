#include "store/index_files_lock.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>

namespace tsmini {
namespace {

bool lock(const FileHandle& file, int operation) {
  int result = 0;
  do {
    result = ::flock(file.get(), operation);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

}  // namespace

// Where a file system has no locks, is_alone() is false and files stay.
IndexFilesLock::IndexFilesLock(const CollectionFolder& folder)
    : folder_(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  lock(folder_, LOCK_SH);
}

bool IndexFilesLock::is_alone() const {
  return lock(folder_, LOCK_EX | LOCK_NB);
}

}  // namespace tsmini
