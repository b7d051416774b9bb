#include "store/read_connections.h"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <new>
#include <thread>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tsmini {
namespace {

// The kernel stamps files by a clock that ticks every 1 to 10 ms.
constexpr std::int64_t coarseness_ns = 20'000'000;

// Whether a file was changed just now, also by a stamp a little in the future, as where a clock was
// set.
bool is_just_changed(const FileStamp& stamp) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  if (std::abs(now.tv_sec - stamp.seconds) > 1) return false;
  return std::abs((now.tv_sec - stamp.seconds) * 1'000'000'000 + now.tv_nsec - stamp.nanoseconds) <
         coarseness_ns;
}

}  // namespace

void throw_restless(const CollectionFolder& folder) {
  throw Error(ErrorCode::failure,
              fmt::format("{}: changes all the time, and you may not write to its folder",
                          folder.database().string()),
              "wait until nobody writes to it, or ask for permission to write to the folder");
}

FileStamp FileStamp::of(const CollectionFolder& folder) {
  const std::string database = folder.database().string();
  struct stat file {
  }, log{};
  FileStamp stamp;
  if (::stat(database.c_str(), &file) != 0) return stamp;
  stamp.device = file.st_dev;
  stamp.inode = file.st_ino;
  const bool has_log = ::stat((database + "-wal").c_str(), &log) == 0 && log.st_size > 0;
  if (has_log || ::access(folder.path().c_str(), W_OK) == 0) return stamp;
  stamp.frozen = true;
  stamp.seconds = file.st_mtim.tv_sec;
  stamp.nanoseconds = file.st_mtim.tv_nsec;
  stamp.size = file.st_size;
  return stamp;
}

FileStamp FileStamp::settled(const CollectionFolder& folder) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const FileStamp stamp = of(folder);
    if (!stamp.frozen || !is_just_changed(stamp)) return stamp;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  throw_restless(folder);
}

Readers::Lease Readers::borrow(const FileStamp& stamp) {
  {
    const std::lock_guard lock(mutex_);
    check_same_file(stamp);
    if (stamp != stamp_) idle_.clear();
    stamp_ = stamp;
    if (!idle_.empty()) {
      Lease lease(*this, std::move(idle_.back()), stamp);
      idle_.pop_back();
      return lease;
    }
  }
  auto database = std::make_unique<Database>(
      folder_.database(), stamp.frozen ? Database::Access::frozen : Database::Access::read);
  database->run("PRAGMA cache_size = -16384");
  return {*this, std::move(database), stamp};
}

void Readers::check_same_file(const FileStamp& stamp) const {
  if (stamp.inode == 0 || (stamp_ && !stamp_->is_same_file(stamp))) {
    throw_replaced(folder_.database());
  }
}

void Readers::check_in_place() {
  const std::lock_guard lock(mutex_);
  check_same_file(FileStamp::of(folder_));
}

bool Readers::may_pass(const Error& error, int attempt) const {
  constexpr int few = 5;
  if (error.code() != ErrorCode::failure || attempt >= few) return false;
  if (::access(folder_.path().c_str(), W_OK) == 0) return false;
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return true;
}

bool Readers::Lease::is_sound() const {
  const FileStamp now = FileStamp::of(owner_->folder_);
  return stamp_.frozen ? now == stamp_ : now.is_same_file(stamp_);
}

Readers::Lease::~Lease() {
  if (!database_) return;
  const std::lock_guard lock(owner_->mutex_);
  if (stamp_ != owner_->stamp_) return;
  try {
    owner_->idle_.push_back(std::move(database_));
  } catch (const std::bad_alloc&) {
    // The next one opens another.
  }
}

}  // namespace tsmini
