// libfaults.so: stands in for functions of libc and lets one of their calls fail, or the process
// die at it. See plan.h for what counts, and sweep.h for who uses it.
//
// Nothing here calls a function that it stands in for: the calls go on as system calls, and those
// that are more than one are looked up behind this library.
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "fault/plan.h"
#include "fault/recorder.h"

namespace tsmini::fault {
namespace {

constexpr unsigned patience_s = 120;  // then it hangs

const Plan* plan = nullptr;
Report* report = nullptr;
std::atomic<bool> is_at_work = false;         // a file below the folder was touched
std::array<std::atomic<bool>, 4096> is_ours;  // by descriptor

__attribute__((constructor)) void begin() {
  const char* file = std::getenv("TSMINI_FAULTS");
  if (!file) return;
  const auto fd = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC));
  void* address = reinterpret_cast<void*>(
      ::syscall(SYS_mmap, nullptr, sizeof(Session), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  if (fd < 0 || address == MAP_FAILED) ::_exit(97);
  ::syscall(SYS_close, fd);
  auto* session = static_cast<Session*>(address);
  char log[600] = {};
  std::snprintf(log, sizeof log, "%s.log", file);
  if (session->plan.recorded) start_recording(log);
  ::alarm(patience_s);
  report = &session->report;
  plan = &session->plan;
}

struct Call {
  const char* name;
  const char* file;  // or empty, and then
  int fd;
  int error;  // when it fails
  bool needs_space = false;
  bool writes = false;
};

enum class Fate { goes_on, fails, half, dies_within, dies_after };

[[noreturn]] void die() {
  ::syscall(SYS_kill, ::syscall(SYS_getpid), SIGKILL);
  for (;;) ::pause();
}

void tell(const Call& call) {
  if (report->met.exchange(true)) return;
  char self[64] = {}, file[512] = {};
  std::snprintf(self, sizeof self, "/proc/self/fd/%d", call.fd);
  if (call.fd >= 0) ::syscall(SYS_readlinkat, AT_FDCWD, self, file, sizeof file - 1);
  std::snprintf(report->where, sizeof report->where, "%s %s%s", call.name, call.file, file);
}

Fate fate_of(const Call& call) {
  is_at_work = true;
  if (plan->counted == Counted::memory) return Fate::goes_on;
  if (plan->counted == Counted::writes && !call.writes) return Fate::goes_on;
  const std::uint64_t n = ++report->count;
  const bool is_due =
      plan->fault == Fault::full_disk ? n >= plan->at && call.needs_space : n == plan->at;
  if (plan->fault == Fault::none || !is_due) return Fate::goes_on;
  tell(call);
  switch (plan->fault) {
    case Fault::half_write: return Fate::half;
    case Fault::kill_before: die();
    case Fault::kill_within: return Fate::dies_within;
    case Fault::kill_after: return Fate::dies_after;
    default: return Fate::fails;
  }
}

// Makes the call or what is made of it.
template <class Result, class Make>
Result meet(const Call& call, Result failure, const Make& make) {
  switch (fate_of(call)) {
    case Fate::fails: errno = plan->fault == Fault::io_error ? EIO : call.error; return failure;
    case Fate::dies_within:
    case Fate::dies_after: make(); die();
    default: return make();
  }
}

// The same for a call that writes so many bytes.
template <class Make>
ssize_t meet_write(const Call& call, std::size_t size, const Make& make) {
  switch (fate_of(call)) {
    case Fate::fails: errno = plan->fault == Fault::io_error ? EIO : ENOSPC; return -1;
    case Fate::half: return make(std::max<std::size_t>(size / 2, 1));
    case Fate::dies_within: make(size / 2); die();
    case Fate::dies_after: make(size); die();
    default: return make(size);
  }
}

bool is_below_folder(std::string_view path) {
  const std::string_view folder = plan->folder;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_ours_at(int fd) {
  return plan && fd >= 0 && fd < static_cast<int>(is_ours.size()) &&
         is_ours[static_cast<std::size_t>(fd)];
}

bool counts(const Place& place) {
  if (!plan) return false;
  return place.path[0] == '/' ? is_below_folder(place.path) : is_ours_at(place.folder);
}

int note(int fd, bool ours) {
  if (fd >= 0 && fd < static_cast<int>(is_ours.size()))
    is_ours[static_cast<std::size_t>(fd)] = ours;
  return fd;
}

// Past this library.
template <class Function>
Function* behind(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

std::uint64_t size_of(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

void record_opened(int fd, const Place& place, int flags, bool was_there) {
  if (fd < 0) return;
  if ((flags & O_TMPFILE) == O_TMPFILE) {
    record_file(fd, nullptr);
  } else if ((flags & O_CREAT) != 0 && !was_there) {
    record_file(fd, &place);
  } else if ((flags & O_TRUNC) != 0) {
    record_resize(node_of(fd), 0);
  }
}

int open_file(const Place& place, int flags, mode_t mode) {
  const auto open = [&] {
    return static_cast<int>(::syscall(SYS_openat, place.folder, place.path, flags, mode));
  };
  if (!counts(place)) return note(open(), false);
  const bool is_nameless = (flags & O_TMPFILE) == O_TMPFILE;
  if (is_nameless && !plan->nameless_files) {
    errno = EOPNOTSUPP;
    return -1;
  }
  const bool makes = is_nameless || (flags & O_CREAT) != 0;
  const bool was_there = is_recording() && exists(place);
  return meet({"open", place.path, -1, makes ? ENOSPC : EIO, makes}, -1, [&] {
    const int fd = note(open(), true);
    record_opened(fd, place, flags, was_there);
    return fd;
  });
}

mode_t mode_from(int flags, va_list& arguments) {
  const bool is_given = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return is_given ? va_arg(arguments, mode_t) : 0;
}

FILE* open_stream(const char* path, const char* mode) {
  static auto* const next = behind<FILE*(const char*, const char*)>("fopen64");
  const Place place{AT_FDCWD, path};
  const bool makes = std::strpbrk(mode, "wa") != nullptr;
  const bool was_there = is_recording() && exists(place);
  if (!counts(place)) {
    FILE* stream = next(path, mode);
    if (stream) note(::fileno(stream), false);
    return stream;
  }
  return meet<FILE*>({"fopen", path, -1, makes ? ENOSPC : EIO, makes}, nullptr, [&] {
    FILE* stream = next(path, mode);
    if (stream) {
      const int flags = makes ? (mode[0] == 'w' ? O_CREAT | O_TRUNC : O_CREAT) : 0;
      record_opened(note(::fileno(stream), true), place, flags, was_there);
    }
    return stream;
  });
}

ssize_t write_at(int fd, const void* data, std::size_t size, std::int64_t offset) {
  const auto write = [&](std::size_t part) {
    return ::syscall(SYS_pwrite64, fd, data, part, offset);
  };
  if (!is_ours_at(fd)) return write(size);
  return meet_write({"pwrite", "", fd, ENOSPC, true, true}, size, [&](std::size_t part) {
    const ssize_t done = write(part);
    if (done > 0)
      record_write(fd, data, static_cast<std::size_t>(done), static_cast<std::uint64_t>(offset));
    return done;
  });
}

ssize_t write_here(int fd, const void* data, std::size_t size) {
  const auto write = [&](std::size_t part) { return ::syscall(SYS_write, fd, data, part); };
  if (plan && fd == STDOUT_FILENO) record_acknowledgement(data, size);
  if (!is_ours_at(fd)) return write(size);
  return meet_write({"write", "", fd, ENOSPC, true, true}, size, [&](std::size_t part) {
    const ssize_t done = write(part);
    if (done > 0 && is_recording()) {
      const auto end = static_cast<std::uint64_t>(::lseek(fd, 0, SEEK_CUR));
      record_write(fd, data, static_cast<std::size_t>(done),
                   end - static_cast<std::uint64_t>(done));
    }
    return done;
  });
}

int sync_file(int fd, const char* name, long number) {
  const auto sync = [&] { return static_cast<int>(::syscall(number, fd)); };
  if (!is_ours_at(fd)) return sync();
  return meet({name, "", fd, EIO}, -1, [&] {
    const int status = sync();
    if (status == 0) record_sync(fd);
    return status;
  });
}

int resize_file(int fd, std::int64_t size) {
  const auto resize = [&] { return static_cast<int>(::syscall(SYS_ftruncate, fd, size)); };
  if (!is_ours_at(fd)) return resize();
  return meet({"ftruncate", "", fd, ENOSPC, true}, -1, [&] {
    const int status = resize();
    if (status == 0) record_resize(node_of(fd), static_cast<std::uint64_t>(size));
    return status;
  });
}

int resize_path(const char* path, std::int64_t size) {
  const Place place{AT_FDCWD, path};
  const auto resize = [&] { return static_cast<int>(::syscall(SYS_truncate, path, size)); };
  if (!counts(place)) return resize();
  return meet({"truncate", path, -1, ENOSPC, true}, -1, [&] {
    const int status = resize();
    if (status == 0) record_resize(node_of(place), static_cast<std::uint64_t>(size));
    return status;
  });
}

int reserve(int fd, std::int64_t offset, std::int64_t size) {
  static auto* const next = behind<int(int, std::int64_t, std::int64_t)>("posix_fallocate64");
  if (!is_ours_at(fd)) return next(fd, offset, size);
  const int status = meet({"fallocate", "", fd, ENOSPC, true}, -1, [&] {
    const int error = next(fd, offset, size);
    if (error == 0) record_resize(node_of(fd), size_of(fd));
    errno = error;
    return error == 0 ? 0 : -1;
  });
  return status == 0 ? 0 : errno;
}

void* map_file(void* address, std::size_t size, int protection, int flags, int fd,
               std::int64_t offset) {
  const auto map = [&] {
    return reinterpret_cast<void*>(
        ::syscall(SYS_mmap, address, size, protection, flags, fd, offset));
  };
  if (!is_ours_at(fd)) return map();
  return meet({"mmap", "", fd, ENOMEM}, MAP_FAILED, map);
}

int make_folder(const Place& place, mode_t mode) {
  const auto make = [&] {
    return static_cast<int>(::syscall(SYS_mkdirat, place.folder, place.path, mode));
  };
  if (!counts(place)) return make();
  return meet({"mkdir", place.path, -1, ENOSPC, true}, -1, [&] {
    const int status = make();
    if (status == 0) record_folder(place);
    return status;
  });
}

int move(const Place& from, const Place& to, unsigned flags) {
  const auto rename = [&] {
    return static_cast<int>(
        ::syscall(SYS_renameat2, from.folder, from.path, to.folder, to.path, flags));
  };
  if (!counts(to)) return rename();
  return meet({"rename", to.path, -1, ENOSPC, true}, -1, [&] {
    const int status = rename();
    if (status == 0) record_move(from, to);
    return status;
  });
}

int link_file(const Place& from, const Place& to, int flags) {
  const auto link = [&] {
    return static_cast<int>(
        ::syscall(SYS_linkat, from.folder, from.path, to.folder, to.path, flags));
  };
  if (!counts(to)) return link();
  return meet({"link", to.path, -1, ENOSPC, true}, -1, [&] {
    const int status = link();
    if (status == 0) record_name(to);
    return status;
  });
}

int remove_name(const Place& place, int flags) {
  const auto remove = [&] {
    return static_cast<int>(::syscall(SYS_unlinkat, place.folder, place.path, flags));
  };
  if (!counts(place)) return remove();
  return meet({"unlink", place.path, -1, EIO}, -1, [&] {
    const int status = remove();
    if (status == 0) record_leave(place);
    return status;
  });
}

bool has_memory(std::size_t size) {
  if (!plan || plan->counted != Counted::memory || !is_at_work) return true;
  if (++report->count != plan->at || plan->fault == Fault::none) return true;
  tell({"malloc", "", -1, ENOMEM});
  report->memory = size;
  errno = ENOMEM;
  return false;
}

}  // namespace
}  // namespace tsmini::fault

using namespace tsmini::fault;

extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_from(flags, arguments);
  va_end(arguments);
  return open_file({AT_FDCWD, path}, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_from(flags, arguments);
  va_end(arguments);
  return open_file({AT_FDCWD, path}, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_from(flags, arguments);
  va_end(arguments);
  return open_file({folder, path}, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_from(flags, arguments);
  va_end(arguments);
  return open_file({folder, path}, flags, mode);
}
int creat(const char* path, mode_t mode) {
  return open_file({AT_FDCWD, path}, O_WRONLY | O_CREAT | O_TRUNC, mode);
}
FILE* fopen(const char* path, const char* mode) {
  return open_stream(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  return open_stream(path, mode);
}
int close(int fd) {
  note(fd, false);
  return static_cast<int>(::syscall(SYS_close, fd));
}

ssize_t write(int fd, const void* data, std::size_t size) {
  return write_here(fd, data, size);
}
ssize_t pwrite(int fd, const void* data, std::size_t size, off_t offset) {
  return write_at(fd, data, size, offset);
}
ssize_t pwrite64(int fd, const void* data, std::size_t size, off64_t offset) {
  return write_at(fd, data, size, offset);
}
// Piece by piece: each can fail.
ssize_t writev(int fd, const iovec* parts, int count) {
  if (!is_ours_at(fd)) return ::syscall(SYS_writev, fd, parts, count);
  ssize_t all = 0;
  for (int i = 0; i < count; ++i) {
    const ssize_t done = write_here(fd, parts[i].iov_base, parts[i].iov_len);
    if (done < 0) return all > 0 ? all : done;
    all += done;
    if (done < static_cast<ssize_t>(parts[i].iov_len)) break;
  }
  return all;
}

int fsync(int fd) {
  return sync_file(fd, "fsync", SYS_fsync);
}
int fdatasync(int fd) {
  return sync_file(fd, "fdatasync", SYS_fdatasync);
}
int msync(void* address, std::size_t size, int flags) {
  const auto sync = [&] { return static_cast<int>(::syscall(SYS_msync, address, size, flags)); };
  return plan ? meet({"msync", "", -1, EIO}, -1, sync) : sync();
}
int ftruncate(int fd, off_t size) noexcept {
  return resize_file(fd, size);
}
int ftruncate64(int fd, off64_t size) noexcept {
  return resize_file(fd, size);
}
int truncate(const char* path, off_t size) noexcept {
  return resize_path(path, size);
}
int truncate64(const char* path, off64_t size) noexcept {
  return resize_path(path, size);
}
int posix_fallocate(int fd, off_t offset, off_t size) {
  return reserve(fd, offset, size);
}
int posix_fallocate64(int fd, off64_t offset, off64_t size) {
  return reserve(fd, offset, size);
}
void* mmap(void* address, std::size_t size, int protection, int flags, int fd,
           off_t offset) noexcept {
  return map_file(address, size, protection, flags, fd, offset);
}
void* mmap64(void* address, std::size_t size, int protection, int flags, int fd,
             off64_t offset) noexcept {
  return map_file(address, size, protection, flags, fd, offset);
}

int mkdir(const char* path, mode_t mode) noexcept {
  return make_folder({AT_FDCWD, path}, mode);
}
int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  return make_folder({folder, path}, mode);
}
int rename(const char* from, const char* to) noexcept {
  return move({AT_FDCWD, from}, {AT_FDCWD, to}, 0);
}
int renameat(int folder, const char* from, int other, const char* to) noexcept {
  return move({folder, from}, {other, to}, 0);
}
int renameat2(int folder, const char* from, int other, const char* to, unsigned flags) noexcept {
  return move({folder, from}, {other, to}, flags);
}
int link(const char* from, const char* to) noexcept {
  return link_file({AT_FDCWD, from}, {AT_FDCWD, to}, 0);
}
int linkat(int folder, const char* from, int other, const char* to, int flags) noexcept {
  return link_file({folder, from}, {other, to}, flags);
}
int unlink(const char* path) noexcept {
  return remove_name({AT_FDCWD, path}, 0);
}
int unlinkat(int folder, const char* path, int flags) noexcept {
  return remove_name({folder, path}, flags);
}
int rmdir(const char* path) noexcept {
  return remove_name({AT_FDCWD, path}, AT_REMOVEDIR);
}
int remove(const char* path) noexcept {
  struct stat status {};
  const bool is_folder = ::lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
  return remove_name({AT_FDCWD, path}, is_folder ? AT_REMOVEDIR : 0);
}

void* malloc(std::size_t size) noexcept {
  return has_memory(size) ? __libc_malloc(size) : nullptr;
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  return has_memory(count * size) ? __libc_calloc(count, size) : nullptr;
}
void* realloc(void* old, std::size_t size) noexcept {
  return has_memory(size) ? __libc_realloc(old, size) : nullptr;
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return has_memory(size) ? __libc_memalign(alignment, size) : nullptr;
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) noexcept {
  void* memory = has_memory(size) ? __libc_memalign(alignment, size) : nullptr;
  if (memory) *result = memory;
  return memory ? 0 : ENOMEM;
}

}  // extern "C"
