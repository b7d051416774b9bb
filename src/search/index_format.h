// The bytes of an index file, shared by its reader and its writer. docs/formats.md is the
// specification.
//
// Behind each section lie the checksums of its blocks, so that what a search needs can be checked
// without reading the rest. The checksum of a section is that of this list; in files of version 1,
// which have no lists, that of all its bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/checksum.h"
#include "base/file_section.h"

namespace tsmini::index_file {

inline constexpr std::array<char, 8> magic{'T', 'S', 'I', 'N', 'D', 'X', '\r', '\n'};
inline constexpr std::uint32_t version = 2;
inline constexpr std::uint64_t alignment = section_alignment;
inline constexpr std::size_t max_sections = 6;
inline constexpr int block_shift = 14;  // blocks of 16 KiB have checksums of their own

using Section = FileSection;
using tsmini::checksum_of;

struct Header {
  std::array<char, 8> magic = index_file::magic;
  std::uint32_t version = index_file::version;
  std::uint32_t section_count = 0;
  std::uint64_t file_size = 0;
  std::uint64_t rows = 0;
  std::uint32_t dimension = 0;
  std::uint32_t metric = 0;  // 0 l1, 1 l2, 2 linf, 3 chebyshev
  std::uint32_t group = 0;
  std::uint32_t kind = 0;  // 0 flat, 1 coded, 2 hnsw
  std::uint32_t links = 0;
  std::uint32_t build_effort = 0;
  std::uint32_t entry = 0;         // hnsw: the row a search begins with
  std::uint32_t entry_levels = 0;  // hnsw: on how many levels above the lowest it lies
  std::uint64_t coded_rows = 0;    // coded: how many rows the ranges were taken from
  std::array<char, 64> owner{};    // padded with zeros
  std::array<Section, max_sections> sections{};
  std::array<std::uint8_t, 176> padding{};
  std::uint64_t checksum = 0;  // XXH3-64 of all bytes of the header before this field
};
static_assert(sizeof(Header) == 512 && offsetof(Header, checksum) == 504);

inline constexpr std::string_view rows_section = "rows";        // float32, see LaneLayout
inline constexpr std::string_view removed_section = "removed";  // uint64, a bit a row
inline constexpr std::string_view codes_section = "codes";      // coded: uint8
inline constexpr std::string_view ranges_section = "ranges";    // coded: float32, step and lows
inline constexpr std::string_view links_section = "links";      // hnsw: uint32, 2 links a row
inline constexpr std::string_view starts_section = "starts";    // hnsw: uint32, into upper
inline constexpr std::string_view upper_section = "upper";      // hnsw: uint32, links a list

inline std::size_t block_count(std::uint64_t bytes) {
  return (bytes >> block_shift) + static_cast<std::size_t>((bytes & ((1 << block_shift) - 1)) != 0);
}
inline std::uint64_t aligned(std::uint64_t offset) {
  return (offset + alignment - 1) / alignment * alignment;
}

inline std::uint64_t checksum_of(const Header& header) {
  return checksum_of(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, checksum)));
}

}  // namespace tsmini::index_file
