// Index files as bytes: their sections, such as an older tsmini wrote, and such as a liar would.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "search/index_format.h"

namespace tsmini {

// SectionFileHeader, with the fields of an index by name.
struct IndexHeader {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t section_count;
  std::uint64_t file_size;
  index_file::Fields fields;
  std::array<FileSection, most_sections> sections;
  std::array<std::uint8_t, 16> padding;
  std::uint64_t checksum;
};
static_assert(sizeof(IndexHeader) == sizeof(SectionFileHeader));

inline IndexHeader header_of(std::string_view file) {
  IndexHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  return header;
}

inline void set_header(std::string& file, IndexHeader header) {
  header.checksum = checksum_of_header(std::bit_cast<SectionFileHeader>(header));
  std::memcpy(file.data(), &header, sizeof header);
}

inline std::span<const std::byte> bytes_of(const std::string& file, const FileSection& section) {
  return std::as_bytes(std::span(file)).subspan(section.offset, section.size);
}

// All sections that hold anything.
inline std::vector<FileSection> sections_of(const std::string& file) {
  const IndexHeader header = header_of(file);
  std::vector<FileSection> sections;
  for (std::size_t i = 0; i < header.section_count; ++i) {
    if (header.sections[i].size > 0) sections.push_back(header.sections[i]);
  }
  return sections;
}

// With checksums that fit whatever it holds.
inline std::string resealed(std::string file) {
  IndexHeader header = header_of(file);
  constexpr std::size_t block = std::size_t{1} << section_block_shift;
  for (std::size_t i = 0; i < header.section_count; ++i) {
    FileSection& section = header.sections[i];
    const auto bytes = bytes_of(file, section);
    std::vector<std::uint64_t> list;
    for (std::size_t at = 0; at < bytes.size(); at += block) {
      list.push_back(checksum_of(bytes.subspan(at, std::min(block, bytes.size() - at))));
    }
    if (list.empty()) continue;
    std::memcpy(file.data() + section_aligned(section.offset + section.size), list.data(),
                list.size() * sizeof(std::uint64_t));
    section.checksum = checksum_of(std::as_bytes(std::span(list)));
  }
  set_header(file, header);
  return file;
}

// The same index as tsmini 0.1 wrote it: without checksums of blocks.
inline std::string as_version_1(const std::string& file) {
  IndexHeader header = header_of(file);
  std::string old(sizeof header, '\0');
  header.version = 1;
  for (std::size_t i = 0; i < header.section_count; ++i) {
    FileSection& section = header.sections[i];
    const auto bytes = bytes_of(file, section);
    old.resize(section_aligned(old.size()));
    section.checksum = checksum_of(bytes);
    old.append(file, section.offset, section.size);
    section.offset = old.size() - section.size;
  }
  header.file_size = old.size();
  set_header(old, header);
  return old;
}

// Writes over a part of a file.
inline void overwrite(const std::filesystem::path& path, std::size_t at, std::string_view bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(at));
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace tsmini
