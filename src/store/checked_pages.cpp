#include "store/checked_pages.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <vector>

#include <sqlite3.h>

#include "base/checksum.h"

namespace tsmini {
namespace {

constexpr int checksum_bytes = sizeof(std::uint64_t);
// In the header of a file, which its first page begins with.
constexpr int header_size = 100, reserved_at = 20;
constexpr int smallest_page = 512;

sqlite3_vfs* system_vfs() {
  return sqlite3_vfs_find(nullptr);
}

// An open database; the file of the system's VFS lies behind it.
struct CheckedFile {
  sqlite3_file base;  // what SQLite sees
  bool has_checksums;

  sqlite3_file* system() { return reinterpret_cast<sqlite3_file*>(this + 1); }

  // From a piece of the file that is read or written.
  void look_at(const void* bytes, int size, sqlite3_int64 offset) {
    if (offset != 0 || size < header_size) return;
    has_checksums = static_cast<const unsigned char*>(bytes)[reserved_at] == checksum_bytes;
  }
  bool is_checked(int size) const { return has_checksums && size >= smallest_page; }
};

CheckedFile& checked(sqlite3_file* file) {
  return *reinterpret_cast<CheckedFile*>(file);
}

std::uint64_t checksum_at(const void* page, int size, sqlite3_int64 offset) {
  const std::span bytes(static_cast<const std::byte*>(page),
                        static_cast<std::size_t>(size - checksum_bytes));
  return checksum_of(bytes) ^ static_cast<std::uint64_t>(offset / size);
}

int read(sqlite3_file* file, void* bytes, int size, sqlite3_int64 offset) {
  sqlite3_file* system = checked(file).system();
  const int status = system->pMethods->xRead(system, bytes, size, offset);
  if (status != SQLITE_OK) return status;
  checked(file).look_at(bytes, size, offset);
  if (!checked(file).is_checked(size)) return SQLITE_OK;
  std::uint64_t stored = 0;
  std::memcpy(&stored, static_cast<const std::byte*>(bytes) + size - checksum_bytes, sizeof stored);
  return stored == checksum_at(bytes, size, offset) ? SQLITE_OK : SQLITE_IOERR_DATA;
}

int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  sqlite3_file* system = checked(file).system();
  checked(file).look_at(bytes, size, offset);
  if (!checked(file).is_checked(size)) return system->pMethods->xWrite(system, bytes, size, offset);
  try {
    std::vector<std::byte> page(static_cast<std::size_t>(size));
    std::memcpy(page.data(), bytes, page.size());
    const std::uint64_t sum = checksum_at(bytes, size, offset);
    std::memcpy(page.data() + size - checksum_bytes, &sum, sizeof sum);
    return system->pMethods->xWrite(system, page.data(), size, offset);
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  }
}

// The rest is the system's.
template <auto Method, class... Arguments>
int pass_on(sqlite3_file* file, Arguments... arguments) {
  sqlite3_file* system = checked(file).system();
  return (system->pMethods->*Method)(system, arguments...);
}

using Methods = sqlite3_io_methods;

// Of version 2: the next one reads through a mapping, past us.
constexpr Methods methods = {
    .iVersion = 2,
    .xClose = pass_on<&Methods::xClose>,
    .xRead = read,
    .xWrite = write,
    .xTruncate = pass_on<&Methods::xTruncate, sqlite3_int64>,
    .xSync = pass_on<&Methods::xSync, int>,
    .xFileSize = pass_on<&Methods::xFileSize, sqlite3_int64*>,
    .xLock = pass_on<&Methods::xLock, int>,
    .xUnlock = pass_on<&Methods::xUnlock, int>,
    .xCheckReservedLock = pass_on<&Methods::xCheckReservedLock, int*>,
    .xFileControl = pass_on<&Methods::xFileControl, int, void*>,
    .xSectorSize = pass_on<&Methods::xSectorSize>,
    .xDeviceCharacteristics = pass_on<&Methods::xDeviceCharacteristics>,
    .xShmMap = pass_on<&Methods::xShmMap, int, int, int, void volatile**>,
    .xShmLock = pass_on<&Methods::xShmLock, int, int, int>,
    .xShmBarrier =
        [](sqlite3_file* file) {
          sqlite3_file* system = checked(file).system();
          system->pMethods->xShmBarrier(system);
        },
    .xShmUnmap = pass_on<&Methods::xShmUnmap, int>,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* flags_out) {
  sqlite3_vfs* system = system_vfs();
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0)
    return system->xOpen(system, name, file, flags, flags_out);
  CheckedFile& made = *new (file) CheckedFile{};
  const int status = system->xOpen(system, name, made.system(), flags, flags_out);
  // SQLite closes what has methods, also where it could not be opened.
  if (made.system()->pMethods != nullptr) made.base.pMethods = &methods;
  return status;
}

}  // namespace

const char* checked_pages() {
  static sqlite3_vfs vfs = [] {
    const sqlite3_vfs* system = system_vfs();
    if (system == nullptr) throw std::bad_alloc();  // then SQLite could not even begin
    sqlite3_vfs made = *system;
    made.zName = "tsmini-checked-pages";
    made.szOsFile += static_cast<int>(sizeof(CheckedFile));
    made.pNext = nullptr;
    made.xOpen = open;
    return made;
  }();
  static const int registered = sqlite3_vfs_register(&vfs, /*makeDflt=*/0);
  return registered == SQLITE_OK ? vfs.zName : nullptr;
}

int reserve_checksums(sqlite3* database) {
  int size = checksum_bytes;
  return sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &size);
}

bool has_checksums(sqlite3* database) {
  int size = -1;  // asks, and changes nothing
  const int status = sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &size);
  return status == SQLITE_OK && size == checksum_bytes;
}

}  // namespace tsmini
