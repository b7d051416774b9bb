#include "store/checked_pages.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include <sqlite3.h>

#include "base/checksum.h"

namespace tsmini {
namespace {

constexpr int checksum_bytes = sizeof(std::uint64_t);
// The header of a file, which its first page begins with, and places in it.
constexpr int header_size = 100, page_size_at = 16, reserved_at = 20;

// Throws std::bad_alloc where there is none: then SQLite could not even begin.
sqlite3_vfs* system_vfs() {
  static sqlite3_vfs* const system = [] {
    sqlite3_vfs* found = sqlite3_vfs_find(nullptr);
    if (found == nullptr) throw std::bad_alloc();
    return found;
  }();
  return system;
}

// An open database; the file of the system's VFS lies behind it.
struct CheckedFile {
  sqlite3_file base;  // what SQLite sees
  int page_size;      // 0 where pages have no checksums, or nothing was read yet

  sqlite3_file* system() { return reinterpret_cast<sqlite3_file*>(this + 1); }

  // Looks at a piece of the file that is read or written, for the page size in its header.
  void look_at(const void* piece, int size, sqlite3_int64 offset) {
    if (offset != 0 || size < header_size) return;
    const auto* header = static_cast<const unsigned char*>(piece);
    const int stored = header[page_size_at] << 8 | header[page_size_at + 1];
    page_size = header[reserved_at] != checksum_bytes ? 0 : stored == 1 ? 65536 : stored;
  }
};

CheckedFile& checked(sqlite3_file* file) {
  return *reinterpret_cast<CheckedFile*>(file);
}

std::uint64_t checksum_at(const void* page, int size, sqlite3_int64 offset) {
  const std::span bytes(static_cast<const std::byte*>(page),
                        static_cast<std::size_t>(size - checksum_bytes));
  return checksum_of(bytes) ^ static_cast<std::uint64_t>(offset / size);
}

int read_system(sqlite3_file* system, void* bytes, int size, sqlite3_int64 offset) {
  return system->pMethods->xRead(system, bytes, size, offset);
}

// A page that ends with the file before its own end is damaged, too: SQLite would take zeros for
// what is missing.
int status_of_short(sqlite3_file* system, sqlite3_int64 offset) {
  sqlite3_int64 end = 0;
  const int status = system->pMethods->xFileSize(system, &end);
  if (status != SQLITE_OK) return status;
  return offset < end ? SQLITE_IOERR_DATA : SQLITE_IOERR_SHORT_READ;
}

int read_page(sqlite3_file* system, void* page, int size, sqlite3_int64 offset) {
  // Twice: where there is no log yet, another process may be writing the first page.
  for (int attempt = 0; attempt < 2; ++attempt) {
    const int status = read_system(system, page, size, offset);
    if (status == SQLITE_IOERR_SHORT_READ) return status_of_short(system, offset);
    if (status != SQLITE_OK) return status;
    std::uint64_t stored = 0;
    std::memcpy(&stored, static_cast<const std::byte*>(page) + size - checksum_bytes,
                sizeof stored);
    if (stored == checksum_at(page, size, offset)) return SQLITE_OK;
  }
  return SQLITE_IOERR_DATA;
}

int read(sqlite3_file* file, void* bytes, int size, sqlite3_int64 offset) {
  CheckedFile& ours = checked(file);
  sqlite3_file* system = ours.system();
  if (offset == 0 && size >= header_size) {
    // The header may be read alone, before anything is known: the page itself is read again as a
    // whole.
    const int status = read_system(system, bytes, size, offset);
    if (status != SQLITE_OK) return status;
    ours.look_at(bytes, size, offset);
    return size == ours.page_size ? read_page(system, bytes, size, offset) : SQLITE_OK;
  }
  if (ours.page_size == 0 || offset < ours.page_size) {
    return read_system(system, bytes, size, offset);
  }
  if (size == ours.page_size) return read_page(system, bytes, size, offset);
  // A piece of a page: later versions of SQLite read long records so.
  const sqlite3_int64 begin = offset / ours.page_size * ours.page_size;
  if (offset + size > begin + ours.page_size) return SQLITE_IOERR_READ;
  const auto page = std::unique_ptr<std::byte[]>(
      new (std::nothrow) std::byte[static_cast<std::size_t>(ours.page_size)]);
  if (!page) return SQLITE_NOMEM;
  const int status = read_page(system, page.get(), ours.page_size, begin);
  if (status == SQLITE_OK) {
    std::memcpy(bytes, page.get() + (offset - begin), static_cast<std::size_t>(size));
  }
  return status;
}

int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  CheckedFile& ours = checked(file);
  sqlite3_file* system = ours.system();
  ours.look_at(bytes, size, offset);
  if (size != ours.page_size) return system->pMethods->xWrite(system, bytes, size, offset);
  const auto page =
      std::unique_ptr<std::byte[]>(new (std::nothrow) std::byte[static_cast<std::size_t>(size)]);
  if (!page) return SQLITE_NOMEM;
  const std::uint64_t sum = checksum_at(bytes, size, offset);
  std::memcpy(page.get(), bytes, static_cast<std::size_t>(size - checksum_bytes));
  std::memcpy(page.get() + size - checksum_bytes, &sum, sizeof sum);
  return system->pMethods->xWrite(system, page.get(), size, offset);
}

// The rest is the system's.
template <auto Method, class... Arguments>
int pass_on(sqlite3_file* file, Arguments... arguments) {
  sqlite3_file* system = checked(file).system();
  return (system->pMethods->*Method)(system, arguments...);
}

using Methods = sqlite3_io_methods;

// Methods of version 2: the next one reads through a mapping, past us.
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
  static const char* const name = [] {
    static sqlite3_vfs vfs = *system_vfs();
    vfs.zName = "tsmini-checked-pages";
    vfs.szOsFile += static_cast<int>(sizeof(CheckedFile));
    vfs.pNext = nullptr;
    vfs.xOpen = open;
    if (sqlite3_vfs_register(&vfs, /*makeDflt=*/0) != SQLITE_OK) throw std::bad_alloc();
    return vfs.zName;
  }();
  return name;
}

int reserve_checksums(sqlite3* database) {
  int size = checksum_bytes;
  return sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &size);
}

// SQLite's view may come from the log, ours from the file: both must have them.
bool has_checksums(sqlite3* database) {
  int size = -1;  // asks, and changes nothing
  sqlite3_file* file = nullptr;
  return sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &size) == SQLITE_OK &&
         size == checksum_bytes &&
         sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK &&
         file->pMethods == &methods && checked(file).page_size != 0;
}

}  // namespace tsmini
