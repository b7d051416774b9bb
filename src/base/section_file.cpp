#include "base/section_file.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/checksum.h"
#include "base/text.h"

namespace tsmini {
namespace {

constexpr std::size_t block_size = std::size_t{1} << section_block_shift;

std::string_view name_of(const FileSection& section) {
  return {section.name.data(), ::strnlen(section.name.data(), section.name.size())};
}

}  // namespace

std::uint64_t checksum_of(const SectionFileHeader& header) {
  return checksum_of(
      std::as_bytes(std::span(&header, 1)).first(offsetof(SectionFileHeader, checksum)));
}

std::size_t section_blocks(std::uint64_t bytes) {
  return (bytes + block_size - 1) / block_size;
}

std::uint64_t section_aligned(std::uint64_t offset) {
  return (offset + section_alignment - 1) / section_alignment * section_alignment;
}

SectionWriter::SectionWriter(const std::filesystem::path& path) : out_(path) {
  const SectionFileHeader room;
  out_.write(&room, sizeof room);
}

void SectionWriter::begin(std::string_view section) {
  assert(count_ < sections_.size());
  align();
  section.copy(sections_[count_].name.data(), sections_[count_].name.size());
  sections_[count_].offset = out_.size();
  checksums_.clear();
}

void SectionWriter::append(std::span<const std::byte> bytes) {
  out_.write(bytes.data(), bytes.size());
  sections_[count_].size += bytes.size();
  while (!bytes.empty()) {
    if (block_.empty() && bytes.size() >= block_size) {
      checksums_.push_back(checksum_of(bytes.first(block_size)));
      bytes = bytes.subspan(block_size);
      continue;
    }
    const auto part = bytes.first(std::min(bytes.size(), block_size - block_.size()));
    block_.insert(block_.end(), part.begin(), part.end());
    bytes = bytes.subspan(part.size());
    if (block_.size() == block_size) close_block();
  }
}

void SectionWriter::close_block() {
  checksums_.push_back(checksum_of(block_));
  block_.clear();
}

void SectionWriter::end() {
  if (!block_.empty()) close_block();
  const std::span<const std::byte> list = std::as_bytes(std::span(checksums_));
  sections_[count_++].checksum = checksum_of(list);
  align();
  out_.write(list.data(), list.size());
}

void SectionWriter::align() {
  constexpr std::array<std::byte, section_alignment> zeros{};
  out_.write(zeros.data(), section_aligned(out_.size()) - out_.size());
}

void SectionWriter::finish_with(const SectionFileKind& kind,
                                const std::array<std::byte, section_fields_size>& fields) {
  SectionFileHeader header;
  header.magic = kind.magic;
  header.version = kind.version;
  header.section_count = count_;
  header.file_size = out_.size();
  header.fields = fields;
  header.sections = sections_;
  header.checksum = checksum_of(header);
  out_.write_at(0, &header, sizeof header);
  out_.commit();
}

SectionReader::SectionReader(const std::filesystem::path& path, const SectionFileKind& kind)
    : kind_(kind), name_(path.string()), file_(std::make_shared<const MappedFile>(path)) {
  const auto bytes = file_->bytes();
  const auto& magic = kind.magic;
  if (bytes.size() < magic.size() || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0) {
    refuse(fmt::format("is not an {}", kind.noun));
  }
  if (bytes.size() < sizeof header_) refuse(fmt::format("the {} is cut short", kind.noun));
  std::memcpy(&header_, bytes.data(), sizeof header_);
  if (header_.version > kind.version) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: is of version {}, this program reads up to {}", name_,
                            header_.version, kind.version),
                "update tsmini");
  }
  if (header_.checksum != checksum_of(header_)) refuse("the header was altered");
  if (bytes.size() != header_.file_size) {
    refuse(fmt::format("has {} bytes in place of {}", bytes.size(), header_.file_size));
  }
  if (header_.version == 0 || header_.section_count > most_sections) {
    refuse("the header makes no sense");
  }
  for (std::size_t i = 0; i < header_.section_count; ++i) {
    sections_.push_back(opened(header_.sections[i]));
  }
}

void SectionReader::refuse(std::string_view why) const {
  throw Error(ErrorCode::bad_input, fmt::format("{}: {}", name_, why),
              fmt::format("make the {} again", kind_.noun));
}

void SectionReader::refuse_size(std::string_view section, std::size_t bytes) const {
  refuse(fmt::format("section '{}' has {} bytes, which does not fit its header", section, bytes));
}

const SectionReader::Checked& SectionReader::find(std::string_view section) const {
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    if (name_of(header_.sections[i]) == section) return sections_[i];
  }
  refuse(fmt::format("section '{}' is missing", section));
}

SectionReader::Checked SectionReader::opened(const FileSection& section) const {
  const auto bytes = file_->bytes();
  const std::string name = fmt::format("section '{}'", printable(name_of(section)));
  const auto has = [&](std::uint64_t offset, std::uint64_t size) {
    return offset <= bytes.size() && size <= bytes.size() - offset;
  };
  if (section.offset % section_alignment != 0 || !has(section.offset, section.size)) {
    refuse(name + " lies outside the file");
  }
  CheckedBytes::Checksums checksums;
  if (header_.version <= kind_.without_blocks) {
    checksums = {63, {section.checksum}};  // one block, whatever its size
  } else {
    const std::uint64_t begin = section_aligned(section.offset + section.size);
    checksums = {section_block_shift, std::vector<std::uint64_t>(section_blocks(section.size))};
    const std::size_t size = checksums.blocks.size() * sizeof(std::uint64_t);
    if (!has(begin, size)) refuse(name + " lies outside the file");
    const auto list = bytes.subspan(begin, size);
    if (checksum_of(list) != section.checksum) {
      refuse("the checksums of " + name + " were altered");
    }
    if (size > 0) std::memcpy(checksums.blocks.data(), list.data(), size);
  }
  return std::make_shared<const CheckedBytes>(file_, section.offset, section.size,
                                              std::move(checksums), name_ + ": " + name);
}

void SectionReader::verify() const {
  for (const Checked& section : sections_) section->need(0, section->all().size());
}

}  // namespace tsmini
