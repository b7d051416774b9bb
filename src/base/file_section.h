// A piece of one of our binary files (.tsd, index): where it lies, and the checksum of its bytes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tsmini {

static_assert(std::endian::native == std::endian::little, "our files are little-endian");

inline constexpr std::uint64_t section_alignment = 64;

struct FileSection {
  std::array<char, 8> name{};  // padded with zeros
  std::uint64_t offset = 0;    // from the start of the file, a multiple of `section_alignment`
  std::uint64_t size = 0;      // bytes
  std::uint64_t checksum = 0;  // XXH3-64 of the bytes
};
static_assert(sizeof(FileSection) == 32);

}  // namespace tsmini
