// Files: mapped for reading, and written so that they appear whole or not at all.
//
//   MappedFile in(path);                    // throws Error(bad_input) where it cannot be read
//   std::span<const std::byte> all = in.bytes();
//
//   OutputFile out(path);                   // throws at once where the folder is not writable
//   out.write(data, size);
//   out.commit();                           // only now is there a file named `path`
//
// An OutputFile has no name until commit() where the file system allows it (O_TMPFILE), so that not
// even a killed process leaves anything behind; elsewhere it is written beside its name as
// ".NAME.PID.COUNT.tmp" and removed by the destructor. An existing file is replaced in one step,
// once the new one is on the disk: after a power cut one of the two is there. A file of a new name
// may be missing then, or cut short, which readers of our own formats notice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace tsmini {

// Owns a file descriptor.
class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int fd) : fd_(fd) {}
  FileHandle(FileHandle&& other) noexcept;
  FileHandle& operator=(FileHandle&& other) noexcept;
  ~FileHandle();

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

// Opens for reading; throws Error(bad_input) with the system's reason, also for a folder.
FileHandle open_for_reading(const std::filesystem::path& path);

class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  // Appends; buffered. Throws Error(failure) naming the file and the reason (disk full, …).
  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }

  // Overwrites bytes that were written before.
  void write_at(std::uint64_t offset, const void* data, std::size_t size);

  // Reads bytes that were written before.
  void read_at(std::uint64_t offset, void* data, std::size_t size);

  // Appends all that was written to `part`, another file of this process.
  void append(OutputFile& part);

  // Writes what is still in memory, so that commit() has no more to do than to give the name: for
  // files that belong together.
  void flush();

  std::uint64_t size() const { return flushed_ + buffer_.size(); }
  const std::filesystem::path& path() const { return path_; }

  void commit();

 private:
  void synchronise();
  bool link_as(const std::filesystem::path& name);  // false where it is taken
  void write_fully(const void* data, std::size_t size, std::uint64_t offset);

  std::filesystem::path path_;
  std::filesystem::path temporary_;  // the name before commit(), where it needs one
  bool has_temporary_ = false;       // and has it
  FileHandle file_;
  std::vector<std::byte> buffer_;
  std::uint64_t flushed_ = 0;
};

// Waits until what was written to a file is on the disk. Throws Error(failure). Not for a database
// in use: SQLite's locks end where the file is closed.
void synchronise(const std::filesystem::path& path);
// Waits for the names that a folder holds, where that can be done: not in a folder that may be
// written to and not read.
void synchronise_folder(const std::filesystem::path& path);
// Both, for a file and its name: call before removing what it could be made from again.
void make_durable(const std::filesystem::path& file);

}  // namespace tsmini
