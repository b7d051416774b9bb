// The bytes of a .tsd file, shared by its reader and its writer. docs/formats.md is the
// specification; version 1 is described there and here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/section_header.h"

namespace tsmini::tsd {

inline constexpr SectionFileKind kind{
    .magic = {'T', 'S', 'D', 'A', 'T', 'A', '\r', '\n'},
    .version = 1,
    .without_blocks = 1,
    .called = "a .tsd data set",
    .noun = "data set",
    .make_again = "make the file again: `import_files()`",
    .convert = "convert it first: `import_files()`",
};

struct Header {
  std::array<char, 8> magic{};
  std::uint32_t version = 0;
  std::uint32_t section_count = 0;
  std::uint64_t file_size = 0;
  std::uint64_t trajectories = 0;
  std::uint64_t points = 0;
  std::array<double, 4> extent{};  // min lon, min lat, max lon, max lat
  std::uint32_t coordinates = 0;   // 0 degrees, 1 planar
  std::uint32_t reserved = 0;
  std::array<FileSection, 8> sections{};
  std::array<std::uint8_t, 168> padding{};
  std::uint64_t checksum = 0;  // XXH3-64 of all bytes of the header before this field
};
static_assert(sizeof(Header) == 512 && offsetof(Header, checksum) == 504);

inline constexpr std::string_view points_section = "points";      // float64 lon, lat
inline constexpr std::string_view offsets_section = "offsets";    // uint64, trajectories + 1
inline constexpr std::string_view times_section = "times";        // int64, one per point; optional
inline constexpr std::string_view ids_section = "ids";            // UTF-8, one after the other
inline constexpr std::string_view id_offsets_section = "idoffs";  // uint64, trajectories + 1
inline constexpr std::string_view parts_section = "parts";        // uint8; optional
inline constexpr std::string_view attributes_section = "attrs";   // attribute_section.h; optional
inline constexpr std::string_view provenance_section = "origin";  // JSON

// Stands in the times of a trajectory that has none while others do.
inline constexpr std::int64_t no_time = INT64_MIN;

}  // namespace tsmini::tsd
