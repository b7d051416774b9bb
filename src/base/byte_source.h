// A stream of bytes from a file or standard input, gunzipped on the way where it is gzip.
//
// Reads forward only, in pieces of the caller's size: memory does not depend on the file. Gzip is
// recognised by its first bytes, may have several members, and a cut or damaged one is an
// Error(bad_input), never a silent end.
//
//   ByteSource in("trips.csv.gz");          // "-" is standard input
//   std::array<char, 4096> piece;
//   while (std::size_t n = in.read(piece)) consume({piece.data(), n});
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/file.h"

namespace tsmini {

class ByteSource {
 public:
  // `while_waiting` is called a few times a second while a pipe gives nothing, and may throw.
  explicit ByteSource(const std::filesystem::path& path, std::function<void()> while_waiting = {});
  // Reads `bytes` instead of a file; `name` stands for it in messages. For tests and fuzzing.
  ByteSource(std::string name, std::string bytes);
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ~ByteSource();

  // Fills the piece wholly unless the end is reached; 0 only at the end.
  std::size_t read(std::span<char> piece);

  // The first bytes (at most `count`), which a later read() gives again.
  std::string_view peek(std::size_t count);

  const std::string& name() const { return name_; }       // for messages
  std::uint64_t consumed() const { return consumed_; }    // bytes of the file itself, for progress
  std::uint64_t file_size() const { return file_size_; }  // 0 where unknown

 private:
  struct Inflater;

  void wait_for_input() const;
  std::size_t read_raw(std::span<char> piece);
  std::size_t read_some(std::span<char> piece);

  std::string name_;
  std::function<void()> while_waiting_;
  FileHandle file_;
  int fd_ = -1;
  // What read_raw() gives before the file: all of a source in memory, or the bytes looked at first.
  std::string memory_;
  std::size_t memory_position_ = 0;
  std::string peeked_;
  std::size_t peeked_position_ = 0;
  std::uint64_t consumed_ = 0;
  std::uint64_t file_size_ = 0;
  std::unique_ptr<Inflater> inflater_;
};

}  // namespace tsmini
