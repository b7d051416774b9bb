// Files of named sections under checksums, made to be mapped: indexes and the tables of exact
// search.
//
// A header (base/section_header.h), then the sections, each followed by the list of the checksums
// of its blocks of 16 KiB. Opening a file reads its header and these lists; what is used of a
// section is compared with them first, once (CheckedBytes). docs/formats.md is the specification.
//
//   SectionWriter out(path);
//   out.add("rows", std::span<const float>(rows));
//   out.finish(kind, fields);                             // only now is there a file of that name
//
//   SectionReader in(path, kind);
//   Array<float> same = in.mapped<float>("rows", count);  // read when they are used
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/array.h"
#include "base/file.h"
#include "base/section_header.h"

namespace tsmini {

inline constexpr int section_block_shift = 14;  // blocks of 16 KiB have checksums of their own
inline constexpr std::size_t section_fields_size = 112;
inline constexpr std::size_t most_sections = 11;

struct SectionFileHeader {
  std::array<char, 8> magic{};
  std::uint32_t version = 0;
  std::uint32_t section_count = 0;
  std::uint64_t file_size = 0;
  std::array<std::byte, section_fields_size> fields{};  // what this kind of file has to say
  std::array<FileSection, most_sections> sections{};
  std::array<std::uint8_t, 16> padding{};
  std::uint64_t checksum = 0;  // XXH3-64 of all bytes of the header before this field
};
static_assert(sizeof(SectionFileHeader) == 512 && offsetof(SectionFileHeader, checksum) == 504);

std::size_t section_blocks(std::uint64_t bytes);

class SectionWriter {
 public:
  explicit SectionWriter(const std::filesystem::path& path);

  template <class T>
  void add(std::string_view section, std::span<const T> values) {
    begin(section);
    append(std::as_bytes(values));
    end();
  }
  // A section added piece by piece.
  void begin(std::string_view section);
  void append(std::span<const std::byte> bytes);
  void end();

  template <class Fields>
  void finish(const SectionFileKind& kind, const Fields& fields) {
    static_assert(sizeof(Fields) == section_fields_size);
    finish_with(kind, std::bit_cast<std::array<std::byte, section_fields_size>>(fields));
  }

 private:
  void close_block();
  void finish_with(const SectionFileKind& kind,
                   const std::array<std::byte, section_fields_size>& fields);

  OutputFile out_;
  SectionFileHeader header_;
  std::vector<std::byte> block_;          // of the current section, not yet full
  std::vector<std::uint64_t> checksums_;  // of those before
};

class SectionReader {
 public:
  // Maps the file and checks its header and the checksums of its blocks; throws Error(bad_input).
  SectionReader(const std::filesystem::path& path, const SectionFileKind& kind);

  std::uint32_t version() const { return header_.version; }
  template <class Fields>
  Fields fields() const {
    static_assert(sizeof(Fields) == section_fields_size);
    return std::bit_cast<Fields>(header_.fields);
  }

  // Exactly `count` values, which are read when they are needed.
  template <class T>
  Array<T> mapped(std::string_view section, std::uint64_t count) const {
    const FileSection& found = table()[section];
    table().need<T>(found, count);
    return Array<T>(checked(found));
  }
  // `count` of exactly `all` values, from `first` on.
  template <class T>
  Array<T> mapped(std::string_view section, std::uint64_t all, std::uint64_t first,
                  std::uint64_t count) const {
    mapped<T>(section, all);
    return Array<T>(checked(table()[section]), first, count);
  }
  // Whatever the section holds.
  template <class T>
  Array<T> mapped(std::string_view section) const {
    return mapped<T>(section, table()[section].size / sizeof(T));
  }

  // Reads everything; throws DamagedFile.
  void verify() const;

  [[noreturn]] void refuse(std::string_view why) const;

 private:
  using Checked = std::shared_ptr<const CheckedBytes>;

  SectionTable table() const { return {kind_, name_, sections_of(header_), file_->bytes()}; }
  Checked opened(const FileSection& section) const;
  const Checked& checked(const FileSection& section) const {
    return sections_[static_cast<std::size_t>(&section - header_.sections.data())];
  }

  SectionFileKind kind_;
  std::string name_;
  std::shared_ptr<const MappedFile> file_;
  SectionFileHeader header_;
  std::vector<Checked> sections_;  // in the order of the header
};

}  // namespace tsmini
