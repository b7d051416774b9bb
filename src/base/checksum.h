// XXH3-64, the checksum of all our files.
//
//   checksum_of(bytes);                                    // of one piece
//   Checksum().piece(id).piece(points).digits();           // of several, as 16 hexadecimal digits
//   file_checksum("model.safetensors");                    // of a whole file, as such digits
//
// It finds damage, not malice: whoever alters a file on purpose can alter its checksum, too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace tsmini {

std::uint64_t checksum_of(std::span<const std::byte> bytes);
std::string checksum_digits(std::uint64_t checksum);
// Throws Error(bad_input) where it cannot be read.
std::string file_checksum(const std::filesystem::path& file);

class Checksum {
 public:
  Checksum();

  Checksum& bytes(std::span<const std::byte> bytes);
  // Adds the length in bytes (uint64) and then the bytes, so that no two lists of pieces are alike.
  Checksum& piece(std::span<const std::byte> piece);
  Checksum& piece(std::string_view text) { return piece(std::as_bytes(std::span(text))); }

  std::uint64_t value() const;
  std::string digits() const { return checksum_digits(value()); }

 private:
  alignas(64) std::array<std::byte, 576> state_;  // XXH3_state_t, whose header is long
};

}  // namespace tsmini
