// What our binary files have in common (.tsd, indexes, tables of exact search): a header of 512
// bytes that names the kind of file, its version and its sections, and ends with a checksum of
// itself; then the sections, each at a multiple of 64 bytes. What else a header says is its own.
// docs/formats.md is the specification.
//
//   const auto header = read_section_header<Header>(kind, name, bytes);
//   const SectionTable sections(kind, name, sections_of(header), bytes);
//   use(sections.bytes_of(sections["ids"]));
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/checksum.h"
#include "base/file.h"

namespace tsmini {

static_assert(std::endian::native == std::endian::little, "our files are little-endian");

inline constexpr std::uint64_t section_alignment = 64;

// Where a section lies, and the checksum of its bytes.
struct FileSection {
  std::array<char, 8> name{};  // padded with zeros
  std::uint64_t offset = 0;    // from the start of the file, a multiple of `section_alignment`
  std::uint64_t size = 0;      // bytes
  std::uint64_t checksum = 0;  // XXH3-64 of the bytes, or of the list of their checksums
};
static_assert(sizeof(FileSection) == 32);

struct SectionFileKind {
  std::array<char, 8> magic;
  std::uint32_t version;         // the newest, which is written
  std::uint32_t without_blocks;  // up to this version a section has one checksum of all its bytes
  std::string_view called;       // "an index": a file of another kind "is not an index"
  std::string_view noun;         // "index"
  std::string_view make_again;   // hint where it was altered
  std::string_view convert;      // hint where it is something else
};

// Throws Error(bad_input): "NAME: WHY".
[[noreturn]] void refuse_section_file(const SectionFileKind& kind, const std::string& name,
                                      std::string_view why);

// Throws where the bytes are not of that kind, end before the header does, or are of a version to
// come.
void check_front(const SectionFileKind& kind, const std::string& name,
                 std::span<const std::byte> bytes, std::size_t header_size);

template <class Header>
std::uint64_t checksum_of_header(const Header& header) {
  static_assert(sizeof header == 512 && offsetof(Header, checksum) == 504);
  return checksum_of(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, checksum)));
}

// The header at the front of a file, as it was written. Whether the file is as long as it says is
// for the caller to see.
template <class Header>
Header read_section_header(const SectionFileKind& kind, const std::string& name,
                           std::span<const std::byte> bytes) {
  Header header;
  check_front(kind, name, bytes, sizeof header);
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.checksum != checksum_of_header(header)) {
    refuse_section_file(kind, name, "the header was altered");
  }
  if (header.version == 0 || header.section_count > header.sections.size()) {
    refuse_section_file(kind, name, "the header makes no sense");
  }
  return header;
}

// Fills in what all headers have and puts it where the first bytes were left for it.
template <class Header>
void write_section_header(const SectionFileKind& kind, Header& header, OutputFile& file) {
  header.magic = kind.magic;
  header.version = kind.version;
  header.file_size = file.size();
  header.checksum = checksum_of_header(header);
  file.write_at(0, &header, sizeof header);
}

template <class Header>
std::span<const FileSection> sections_of(const Header& header) {
  return std::span(header.sections).first(header.section_count);
}

std::string_view name_of(const FileSection& section);
// Whether the section begins where sections do and lies in a file of that size.
bool lies_inside(const FileSection& section, std::uint64_t file_size);

// The sections of a mapped file: found by name, checked to lie inside it and to have the size that
// is expected. Throws Error(bad_input) that names the file. Whoever makes one keeps what it is
// given.
class SectionTable {
 public:
  SectionTable(const SectionFileKind& kind, const std::string& name,
               std::span<const FileSection> sections, std::span<const std::byte> bytes)
      : kind_(kind), name_(name), sections_(sections), bytes_(bytes) {}

  bool has(std::string_view section) const { return find(section) != nullptr; }
  const FileSection& operator[](std::string_view section) const;
  // The bytes that the section names.
  std::span<const std::byte> bytes_of(const FileSection& section) const;

  // Throws unless the section holds exactly `count` values of T.
  template <class T>
  void need(const FileSection& section, std::uint64_t count) const {
    if (section.size % sizeof(T) != 0 || section.size / sizeof(T) != count) refuse_size(section);
  }

 private:
  const FileSection* find(std::string_view section) const;
  [[noreturn]] void refuse_size(const FileSection& section) const;

  const SectionFileKind& kind_;
  const std::string& name_;
  std::span<const FileSection> sections_;
  std::span<const std::byte> bytes_;
};

// A section that begins at the end of the file, behind zeros up to the next multiple of 64.
FileSection begin_section(OutputFile& file, std::string_view name);
void align_for_section(OutputFile& file);
std::uint64_t section_aligned(std::uint64_t offset);

}  // namespace tsmini
