// Index files as bytes: their sections, such as an older tsmini wrote, and such as a liar would.
#pragma once

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "search/index_format.h"

namespace tsmini {

inline index_file::Header header_of(std::string_view file) {
  index_file::Header header;
  std::memcpy(&header, file.data(), sizeof header);
  return header;
}

inline void set_header(std::string& file, index_file::Header header) {
  header.checksum = index_file::checksum_of(header);
  std::memcpy(file.data(), &header, sizeof header);
}

inline std::span<const std::byte> bytes_of(const std::string& file,
                                           const index_file::Section& section) {
  return std::as_bytes(std::span(file)).subspan(section.offset, section.size);
}

// Of all sections that hold anything.
inline std::vector<index_file::Section> sections_of(const std::string& file) {
  const index_file::Header header = header_of(file);
  std::vector<index_file::Section> sections;
  for (std::size_t i = 0; i < header.section_count; ++i) {
    if (header.sections[i].size > 0) sections.push_back(header.sections[i]);
  }
  return sections;
}

// With checksums that fit whatever it holds.
inline std::string resealed(std::string file) {
  index_file::Header header = header_of(file);
  constexpr std::size_t block = std::size_t{1} << index_file::block_shift;
  for (std::size_t i = 0; i < header.section_count; ++i) {
    index_file::Section& section = header.sections[i];
    const auto bytes = bytes_of(file, section);
    std::vector<std::uint64_t> list;
    for (std::size_t at = 0; at < bytes.size(); at += block) {
      list.push_back(
          index_file::checksum_of(bytes.subspan(at, std::min(block, bytes.size() - at))));
    }
    if (list.empty()) continue;
    std::memcpy(file.data() + index_file::aligned(section.offset + section.size), list.data(),
                list.size() * sizeof(std::uint64_t));
    section.checksum = index_file::checksum_of(std::as_bytes(std::span(list)));
  }
  set_header(file, header);
  return file;
}

// The same index as tsmini 0.1 wrote it: without checksums of blocks.
inline std::string as_version_1(const std::string& file) {
  index_file::Header header = header_of(file);
  std::string old(sizeof header, '\0');
  header.version = 1;
  for (std::size_t i = 0; i < header.section_count; ++i) {
    index_file::Section& section = header.sections[i];
    const auto bytes = bytes_of(file, section);
    old.resize(index_file::aligned(old.size()));
    section.checksum = index_file::checksum_of(bytes);
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
