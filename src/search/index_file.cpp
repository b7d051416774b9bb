#include "search/index_file.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"

namespace tsmini {
namespace {

std::string_view name_of(const index_file::Section& section) {
  return {section.name.data(), ::strnlen(section.name.data(), section.name.size())};
}

std::vector<std::uint64_t> block_checksums(std::span<const std::byte> bytes) {
  constexpr std::size_t block = std::size_t{1} << index_file::block_shift;
  std::vector<std::uint64_t> checksums;
  for (std::size_t first = 0; first < bytes.size(); first += block) {
    checksums.push_back(
        index_file::checksum_of(bytes.subspan(first, std::min(block, bytes.size() - first))));
  }
  return checksums;
}

}  // namespace

IndexWriter::IndexWriter(const std::filesystem::path& path) : out_(path) {
  const index_file::Header room;
  out_.write(&room, sizeof room);
}

void IndexWriter::add_bytes(std::string_view section, std::span<const std::byte> bytes) {
  assert(count_ < sections_.size());
  const std::vector<std::uint64_t> checksums = block_checksums(bytes);
  const std::span<const std::byte> list = std::as_bytes(std::span(checksums));
  align();
  index_file::Section& entry = sections_[count_++];
  section.copy(entry.name.data(), entry.name.size());
  entry.offset = out_.size();
  entry.size = bytes.size();
  entry.checksum = index_file::checksum_of(list);
  out_.write(bytes.data(), bytes.size());
  align();
  out_.write(list.data(), list.size());
}

void IndexWriter::align() {
  constexpr std::array<std::byte, index_file::alignment> zeros{};
  out_.write(zeros.data(), index_file::aligned(out_.size()) - out_.size());
}

void IndexWriter::finish(index_file::Header header) {
  header.section_count = count_;
  header.sections = sections_;
  header.file_size = out_.size();
  header.checksum = index_file::checksum_of(header);
  out_.write_at(0, &header, sizeof header);
  out_.commit();
}

IndexReader::IndexReader(const std::filesystem::path& path)
    : name_(path.string()), file_(std::make_shared<const MappedFile>(path)) {
  const auto bytes = file_->bytes();
  const auto& magic = index_file::magic;
  if (bytes.size() < magic.size() || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0) {
    refuse("is not an index");
  }
  if (bytes.size() < sizeof header_) refuse("the index is cut short");
  std::memcpy(&header_, bytes.data(), sizeof header_);
  if (header_.version > index_file::version) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: is of version {}, this program reads up to {}", name_,
                            header_.version, index_file::version),
                "update tsmini");
  }
  if (header_.checksum != index_file::checksum_of(header_)) refuse("the header was altered");
  if (bytes.size() != header_.file_size) {
    refuse(fmt::format("has {} bytes in place of {}", bytes.size(), header_.file_size));
  }
  if (header_.version == 0 || header_.section_count > index_file::max_sections) {
    refuse("the header makes no sense");
  }
  for (std::size_t i = 0; i < header_.section_count; ++i) {
    sections_.push_back(opened(header_.sections[i]));
  }
}

void IndexReader::refuse(std::string_view why) const {
  throw Error(ErrorCode::bad_input, fmt::format("{}: {}", name_, why), "make the index again");
}

void IndexReader::refuse_size(std::string_view section, std::size_t bytes) const {
  refuse(fmt::format("section '{}' has {} bytes, which does not fit its header", section, bytes));
}

const IndexReader::Checked& IndexReader::find(std::string_view section) const {
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    if (name_of(header_.sections[i]) == section) return sections_[i];
  }
  refuse(fmt::format("section '{}' is missing", section));
}

IndexReader::Checked IndexReader::opened(const index_file::Section& section) const {
  const auto bytes = file_->bytes();
  const std::string name = fmt::format("section '{}'", printable(name_of(section)));
  const auto has = [&](std::uint64_t offset, std::uint64_t size) {
    return offset <= bytes.size() && size <= bytes.size() - offset;
  };
  if (section.offset % index_file::alignment != 0 || !has(section.offset, section.size)) {
    refuse(name + " lies outside the file");
  }
  CheckedBytes::Checksums checksums;
  if (header_.version == 1) {
    checksums = {63, {section.checksum}};  // one block, whatever its size
  } else {
    const std::uint64_t begin = index_file::aligned(section.offset + section.size);
    checksums = {index_file::block_shift,
                 std::vector<std::uint64_t>(index_file::block_count(section.size))};
    const std::size_t size = checksums.blocks.size() * sizeof(std::uint64_t);
    if (!has(begin, size)) refuse(name + " lies outside the file");
    const auto list = bytes.subspan(begin, size);
    if (index_file::checksum_of(list) != section.checksum) {
      refuse("the checksums of " + name + " were altered");
    }
    if (size > 0) std::memcpy(checksums.blocks.data(), list.data(), size);
  }
  return std::make_shared<const CheckedBytes>(file_, section.offset, section.size,
                                              std::move(checksums), name_ + ": " + name);
}

void IndexReader::verify() const {
  for (const Checked& section : sections_) section->need(0, section->all().size());
}

}  // namespace tsmini
