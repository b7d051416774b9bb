#include "base/section_file.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/checksum.h"
#include "base/utf8.h"

namespace tsmini {
namespace {

constexpr std::size_t block_size = std::size_t{1} << section_block_shift;

}  // namespace

std::size_t section_blocks(std::uint64_t bytes) {
  return (bytes + block_size - 1) / block_size;
}

SectionWriter::SectionWriter(const std::filesystem::path& path) : out_(path) {
  out_.write(&header_, sizeof header_);  // its place
}

void SectionWriter::begin(std::string_view section) {
  assert(header_.section_count < most_sections);
  header_.sections[header_.section_count] = begin_section(out_, section);
  checksums_.clear();
}

void SectionWriter::append(std::span<const std::byte> bytes) {
  out_.write(bytes.data(), bytes.size());
  header_.sections[header_.section_count].size += bytes.size();
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
  header_.sections[header_.section_count++].checksum = checksum_of(list);
  align_for_section(out_);
  out_.write(list.data(), list.size());
}

void SectionWriter::finish_with(const SectionFileKind& kind,
                                const std::array<std::byte, section_fields_size>& fields) {
  header_.fields = fields;
  write_section_header(kind, header_, out_);
  out_.commit();
}

SectionReader::SectionReader(const std::filesystem::path& path, const SectionFileKind& kind)
    : kind_(kind), name_(path.string()), file_(std::make_shared<const MappedFile>(path)) {
  const auto bytes = file_->bytes();
  header_ = read_section_header<SectionFileHeader>(kind, name_, bytes);
  if (bytes.size() != header_.file_size) {
    refuse(fmt::format("has {} bytes in place of {}", bytes.size(), header_.file_size));
  }
  for (const FileSection& section : sections_of(header_)) sections_.push_back(opened(section));
}

void SectionReader::refuse(std::string_view why) const {
  refuse_section_file(kind_, name_, why);
}

SectionReader::Checked SectionReader::opened(const FileSection& section) const {
  table().bytes_of(section);  // it lies in the file
  const std::string name = fmt::format("section '{}'", printable(name_of(section)));
  CheckedBytes::Checksums checksums;
  if (header_.version <= kind_.without_blocks) {
    checksums = {63, {section.checksum}};  // one block, whatever its size
  } else {
    checksums = {section_block_shift, std::vector<std::uint64_t>(section_blocks(section.size))};
    FileSection behind = section;
    behind.offset = section_aligned(section.offset + section.size);
    behind.size = checksums.blocks.size() * sizeof(std::uint64_t);
    const auto list = table().bytes_of(behind);
    if (checksum_of(list) != section.checksum) {
      refuse("the checksums of " + name + " were altered");
    }
    if (!list.empty()) std::memcpy(checksums.blocks.data(), list.data(), list.size());
  }
  return std::make_shared<const CheckedBytes>(file_, section.offset, section.size,
                                              std::move(checksums), name_ + ": " + name,
                                              std::string(kind_.make_again));
}

void SectionReader::verify() const {
  for (const Checked& section : sections_) section->need(0, section->all().size());
}

}  // namespace tsmini
