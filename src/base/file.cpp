#include "base/file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tsmini/error.h"

#include "base/system_reason.h"

namespace tsmini {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20;

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

// Beside the file that it will become. Each file of a process has its own.
std::filesystem::path temporary_name(const std::filesystem::path& path) {
  static std::atomic<unsigned> count = 0;
  return folder_of(path) /
         fmt::format(".{}.{}.{}.tmp", path.filename().string(), ::getpid(), ++count);
}

// Whether the path names what a process has open, as /dev/stdout does: a link into /proc, whatever
// it leads to. A file in its place would be no output, and as root the end of /dev/stdout.
bool is_open_elsewhere(std::filesystem::path path) {
  std::error_code error;
  for (int links = 0; links < 40; ++links) {
    const auto folder = std::filesystem::canonical(folder_of(path), error);
    if (error) return false;
    if (folder.native().starts_with("/proc/")) return true;
    const auto target = std::filesystem::read_symlink(folder / path.filename(), error);
    if (error) return false;
    path = folder / target;
  }
  return false;
}

[[noreturn]] void throw_write_error(const std::filesystem::path& path, int error) {
  throw Error(ErrorCode::failure,
              fmt::format("{}: cannot write: {}", path.string(), reason_of(error)),
              remedy_for(error, FileUse::write));
}

}  // namespace

FileHandle::FileHandle(FileHandle&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

FileHandle::~FileHandle() {
  if (fd_ >= 0) ::close(fd_);
}

FileHandle open_for_reading(const std::filesystem::path& path) {
  // Not waiting for who would write into a pipe with a name: whoever reads it waits, or refuses it.
  FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file) ::fcntl(file.get(), F_SETFL, 0);
  if (!file) {
    const int error = errno;
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: cannot read: {}", path.string(), reason_of(error)),
                remedy_for(error, FileUse::read));
  }
  struct stat status {};
  if (::fstat(file.get(), &status) == 0 && S_ISDIR(status.st_mode)) {
    throw Error(ErrorCode::bad_input, fmt::format("{}: is a folder, not a file", path.string()));
  }
  return file;
}

MappedFile::MappedFile(const std::filesystem::path& path) {
  const FileHandle file = open_for_reading(path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    throw Error(ErrorCode::bad_input, fmt::format("{}: is not a regular file", path.string()),
                "copy what it gives to a file, and name that");
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
  if (address == MAP_FAILED) {
    const int error = errno;
    throw Error(ErrorCode::failure,
                fmt::format("{}: cannot map: {}", path.string(), reason_of(error)),
                error == ENOMEM ? "free some memory, or raise the limit on it (ulimit -v)"
                                : remedy_for(error, FileUse::read));
  }
  bytes_ = {static_cast<const std::byte*>(address), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

OutputFile::OutputFile(std::filesystem::path path)
    : path_(std::move(path)), temporary_(temporary_name(path_)) {
  if (path_ == "-") {
    throw Error(ErrorCode::usage, "this kind of file cannot go to standard output",
                "name a file; one that is called - is ./-", "output");
  }
  buffer_.reserve(buffer_size);  // before anything is made, which nobody would remove
  std::error_code error;
  const std::filesystem::file_status there = std::filesystem::status(path_, error);
  if (path_.filename().empty()) throw_write_error(path_, ENOENT);
  // Told now, not when all is written: a name too long, a link to itself.
  if (there.type() == std::filesystem::file_type::none) throw_write_error(path_, error.value());
  if (std::filesystem::status(temporary_, error).type() == std::filesystem::file_type::none) {
    throw_write_error(path_, error.value());
  }
  if (std::filesystem::is_directory(there)) throw_write_error(path_, EISDIR);
  if ((std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) ||
      is_open_elsewhere(path_)) {
    throw Error(ErrorCode::failure,
                fmt::format("{}: cannot write: is a device or pipe, not a file", path_.string()),
                "choose the name of a file");
  }
  constexpr mode_t mode = 0666;  // less the user's umask
  // A file without a name gets its name through /proc, which a bare chroot lacks.
  const bool can_be_named = ::access("/proc/self/fd", X_OK) == 0;
  if (can_be_named)
    file_ = FileHandle(::open(folder_of(path_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode));
  if (!file_) {
    const bool is_unsupported =
        !can_be_named || errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL;
    if (!is_unsupported) throw_write_error(path_, errno);
    file_ = FileHandle(::open(temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
    if (!file_) throw_write_error(path_, errno);
    has_temporary_ = true;
  }
}

OutputFile::~OutputFile() {
  if (has_temporary_) ::unlink(temporary_.c_str());
}

void OutputFile::write(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const std::byte*>(data);
  if (buffer_.size() + size > buffer_size) flush();
  if (size >= buffer_size) {
    write_fully(bytes, size, flushed_);
    flushed_ += size;
  } else {
    buffer_.insert(buffer_.end(), bytes, bytes + size);
  }
}

void OutputFile::write_at(std::uint64_t offset, const void* data, std::size_t size) {
  flush();
  write_fully(data, size, offset);
}

void OutputFile::read_at(std::uint64_t offset, void* data, std::size_t size) {
  flush();
  auto* bytes = static_cast<std::byte*>(data);
  while (size > 0) {
    const ssize_t got = ::pread(file_.get(), bytes, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw_write_error(path_, got < 0 ? errno : EIO);
    bytes += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
}

void OutputFile::append(OutputFile& part) {
  std::vector<std::byte> block(buffer_size);
  for (std::uint64_t done = 0; done < part.size();) {
    const auto now =
        static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), part.size() - done));
    part.read_at(done, block.data(), now);
    write(block.data(), now);
    done += now;
  }
}

void OutputFile::flush() {
  write_fully(buffer_.data(), buffer_.size(), flushed_);
  flushed_ += buffer_.size();
  buffer_.clear();
}

void OutputFile::write_fully(const void* data, std::size_t size, std::uint64_t offset) {
  const auto* bytes = static_cast<const std::byte*>(data);
  while (size > 0) {
    const ssize_t done = ::pwrite(file_.get(), bytes, size, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw_write_error(path_, errno);
    bytes += done;
    offset += static_cast<std::uint64_t>(done);
    size -= static_cast<std::size_t>(done);
  }
}

bool OutputFile::link_as(const std::filesystem::path& name) {
  const std::string self = fmt::format("/proc/self/fd/{}", file_.get());
  if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
  if (errno != EEXIST) throw_write_error(path_, errno);
  return false;
}

// A new name may reach the disk before the bytes, and a power cut then leave neither file.
void OutputFile::synchronise() {
  if (::fdatasync(file_.get()) != 0) throw_write_error(path_, errno);
}

void OutputFile::commit() {
  flush();
  if (!has_temporary_) {
    // A nameless file can only be linked to a free name; else the rename replaces what is there.
    if (link_as(path_)) return;
    synchronise();
    ::unlink(temporary_.c_str());  // of a process of this number that was killed
    if (!link_as(temporary_)) throw_write_error(path_, EEXIST);
    has_temporary_ = true;
  } else {
    synchronise();
  }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw_write_error(path_, errno);
  has_temporary_ = false;
}

void synchronise(const std::filesystem::path& path) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || ::fsync(file.get()) != 0) throw_write_error(path, errno);
}

void synchronise_folder(const std::filesystem::path& path) {
  const FileHandle folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder && ::fsync(folder.get()) == 0) return;
  // We may write there and not read, or the file system has no such thing.
  if (errno != EACCES && errno != EINVAL && errno != ENOTSUP) throw_write_error(path, errno);
}

void make_durable(const std::filesystem::path& file) {
  synchronise(file);
  synchronise_folder(folder_of(file));
}

}  // namespace tsmini
