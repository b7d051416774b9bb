#include "base/section_header.h"

#include <algorithm>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/next_multiple.h"
#include "base/utf8.h"

namespace tsmini {

void refuse_section_file(const SectionFileKind& kind, const std::string& name,
                         std::string_view why) {
  throw Error(ErrorCode::bad_input, fmt::format("{}: {}", name, why), std::string(kind.make_again));
}

void check_front(const SectionFileKind& kind, const std::string& name,
                 std::span<const std::byte> bytes, std::size_t header_size) {
  const std::size_t magic_size = kind.magic.size();
  if (bytes.size() < magic_size || std::memcmp(bytes.data(), kind.magic.data(), magic_size) != 0) {
    throw Error(ErrorCode::bad_input, fmt::format("{}: is not {}", name, kind.called),
                std::string(kind.convert));
  }
  if (bytes.size() < header_size) {
    refuse_section_file(kind, name, fmt::format("the {} is cut short", kind.noun));
  }
  std::uint32_t version = 0;
  std::memcpy(&version, bytes.data() + magic_size, sizeof version);
  if (version > kind.version) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: is of version {}, this program reads up to {}", name, version,
                            kind.version),
                "update tsmini");
  }
}

std::string_view name_of(const FileSection& section) {
  return {section.name.data(), ::strnlen(section.name.data(), section.name.size())};
}

bool lies_inside(const FileSection& section, std::uint64_t file_size) {
  return section.offset % section_alignment == 0 && section.offset <= file_size &&
         section.size <= file_size - section.offset;
}

const FileSection* SectionTable::find(std::string_view section) const {
  const auto found = std::ranges::find(sections_, section, name_of);
  return found == sections_.end() ? nullptr : &*found;
}

const FileSection& SectionTable::operator[](std::string_view section) const {
  const FileSection* found = find(section);
  if (found == nullptr)
    refuse_section_file(kind_, name_, fmt::format("section '{}' is missing", section));
  return *found;
}

std::span<const std::byte> SectionTable::bytes_of(const FileSection& section) const {
  if (!lies_inside(section, bytes_.size())) {
    refuse_section_file(
        kind_, name_,
        fmt::format("section '{}' lies outside the file", printable(name_of(section))));
  }
  return bytes_.subspan(section.offset, section.size);
}

void SectionTable::refuse_size(const FileSection& section) const {
  refuse_section_file(kind_, name_,
                      fmt::format("section '{}' has {} bytes, which does not fit its header",
                                  name_of(section), section.size));
}

FileSection begin_section(OutputFile& file, std::string_view name) {
  align_for_section(file);
  FileSection section;
  name.copy(section.name.data(), section.name.size());
  section.offset = file.size();
  return section;
}

void align_for_section(OutputFile& file) {
  constexpr std::array<std::byte, section_alignment> zeros{};
  file.write(zeros.data(), section_aligned(file.size()) - file.size());
}

std::uint64_t section_aligned(std::uint64_t offset) {
  return next_multiple(offset, section_alignment);
}

}  // namespace tsmini
