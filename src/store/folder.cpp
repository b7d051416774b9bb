#include "store/folder.h"

#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tsmini/error.h"

#include "base/file.h"
#include "store/records.h"

namespace tsmini {
namespace {

constexpr std::string_view index_prefix = "index-";
// As OutputFile names what has a name before it is complete.
constexpr std::string_view unfinished_prefix = ".index-", unfinished_suffix = ".tmp";

void synchronise(const std::filesystem::path& path) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || ::fsync(file.get()) != 0) {
    throw Error(ErrorCode::failure,
                fmt::format("{}: cannot write: {}", path.string(), std::strerror(errno)));
  }
}

}  // namespace

std::string random_digits(std::size_t count) {
  std::random_device device;
  std::string digits;
  while (digits.size() < count) digits += fmt::format("{:08x}", device());
  digits.resize(count);
  return digits;
}

std::string CollectionFolder::new_index_name() {
  return std::string(index_prefix) + random_digits(12);
}

void CollectionFolder::remove_other_indexes(const std::string& kept) const {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(path_, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_unfinished =
        name.starts_with(unfinished_prefix) && name.ends_with(unfinished_suffix);
    if (is_unfinished || (name.starts_with(index_prefix) && name != kept)) {
      std::filesystem::remove(entry.path(), ignored);
    }
  }
}

void make_durable(const std::filesystem::path& file) {
  synchronise(file);
  synchronise(file.parent_path().empty() ? "." : file.parent_path());
}

std::string file_checksum(const std::filesystem::path& file) {
  const MappedFile mapped(file);
  return fmt::format("{:016x}", XXH3_64bits(mapped.bytes().data(), mapped.bytes().size()));
}

Readers::Stamp Readers::stamp_of(const CollectionFolder& folder) {
  const std::string database = folder.database().string();
  struct stat log {};
  const bool has_log = ::stat((database + "-wal").c_str(), &log) == 0 && log.st_size > 0;
  if (has_log || ::access(folder.path().c_str(), W_OK) == 0) return {};
  struct stat file {};
  if (::stat(database.c_str(), &file) != 0) return {};
  return {true, file.st_mtim.tv_sec, file.st_mtim.tv_nsec, file.st_size};
}

std::unique_ptr<Database> Readers::open(const CollectionFolder& folder) {
  const bool frozen = stamp_of(folder).frozen;
  auto database = std::make_unique<Database>(
      folder.database(), frozen ? Database::Access::frozen : Database::Access::read);
  database->run("PRAGMA cache_size = -16384");
  return database;
}

Readers::Lease Readers::borrow() {
  const Stamp stamp = stamp_of(folder_);
  {
    const std::lock_guard lock(mutex_);
    if (stamp != stamp_) idle_.clear();
    stamp_ = stamp;
    if (!idle_.empty()) {
      Lease lease(*this, std::move(idle_.back()), stamp);
      idle_.pop_back();
      return lease;
    }
  }
  std::unique_ptr<Database> database = open(folder_);
  check_identity(*database, identity_);
  return {*this, std::move(database), stamp};
}

Readers::Lease::~Lease() {
  if (!database_) return;
  const std::lock_guard lock(owner_->mutex_);
  if (stamp_ == owner_->stamp_) owner_->idle_.push_back(std::move(database_));
}

}  // namespace tsmini
