// What stands between a program under test and libc: what it is told to do, and what it tells.
//
// A program that runs with LD_PRELOAD=libfaults.so and TSMINI_FAULTS=FILE meets a fault at its n-th
// call that can fail. FILE holds a Session, which both sides map. Calls count that concern files
// below one folder, so that what a program does before it comes to its user's files is left out:
//
//   open openat creat fopen, write pwrite writev, fsync fdatasync msync, mkdir, rename
//   renameat renameat2 link linkat, unlink unlinkat rmdir remove, truncate ftruncate
//   posix_fallocate, mmap of a file
//
// or every allocation after the first of these: malloc, calloc, realloc, aligned ones, and so new.
// Not covered: reading (pread, stat, directories), locks, close, and what is written through a
// memory map, of which only mapping and msync are seen.
#pragma once

#include <atomic>
#include <cstdint>

namespace tsmini::fault {

enum class Counted : std::uint32_t { calls, writes, memory };

enum class Fault : std::uint32_t {
  none,         // only count
  error,        // this call fails: ENOSPC where it needs space, ENOMEM for memory, otherwise EIO
  io_error,     // this call fails with EIO
  full_disk,    // this call and all later ones that need space fail
  half_write,   // writes half of it and says so, as a disk that becomes full may
  kill_before,  // the process dies and this call is not made
  kill_within,  // writes half of it and dies
  kill_after,
};

struct Plan {
  char folder[512] = {};  // of which files count
  Counted counted = Counted::calls;
  Fault fault = Fault::none;
  std::uint64_t at = 0;        // counts from 1
  bool nameless_files = true;  // whether the file system knows O_TMPFILE
  bool recorded = false;       // everything written goes to FILE.log, see log.h
};

// What came of it.
struct Report {
  std::atomic<std::uint64_t> count = 0;  // of calls
  std::atomic<bool> met = false;
  std::uint64_t memory = 0;  // that was refused: bytes
  char where[600] = {};      // the call and the file
};

struct Session {
  Plan plan;
  Report report;
};

}  // namespace tsmini::fault
