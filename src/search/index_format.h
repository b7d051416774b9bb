// What lies in an index file (base/section_file.h). docs/formats.md is the specification.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/section_file.h"

namespace tsmini::index_file {

inline constexpr SectionFileKind kind{
    .magic = {'T', 'S', 'I', 'N', 'D', 'X', '\r', '\n'},
    .version = 2,
    .without_blocks = 1,
    .called = "an index",
    .noun = "index",
    .make_again = "make the index again",
    .convert = "make the index again",
};

struct Fields {
  std::uint64_t rows = 0;
  std::uint32_t dimension = 0;
  std::uint32_t metric = 0;  // 0 l1, 1 l2, 2 linf, 3 chebyshev
  std::uint32_t group = 0;
  std::uint32_t kind = 0;  // 0 flat, 1 coded, 2 hnsw
  std::uint32_t links = 0;
  std::uint32_t ef_construction = 0;
  std::uint32_t entry = 0;         // hnsw: the row a search begins with
  std::uint32_t entry_levels = 0;  // hnsw: on how many levels above the lowest it lies
  std::uint64_t coded_rows = 0;    // coded: how many rows the ranges were taken from
  std::array<char, 64> owner{};    // padded with zeros
};
static_assert(sizeof(Fields) == section_fields_size);

inline constexpr std::string_view rows_section = "rows";        // float32, see LaneLayout
inline constexpr std::string_view removed_section = "removed";  // uint64, a bit a row
inline constexpr std::string_view codes_section = "codes";      // coded: uint8
inline constexpr std::string_view ranges_section = "ranges";    // coded: float32, step and lows
inline constexpr std::string_view links_section = "links";      // hnsw: uint32, 2 links a row
inline constexpr std::string_view starts_section = "starts";    // hnsw: uint32, into upper
inline constexpr std::string_view upper_section = "upper";      // hnsw: uint32, links a list

}  // namespace tsmini::index_file
