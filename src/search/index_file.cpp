#include "search/index_file.h"

#include <cassert>
#include <cstring>

#include <fmt/format.h>

#include "tsmini/error.h"

namespace tsmini {
namespace {

std::string_view name_of(const index_file::Section& section) {
  return {section.name.data(), ::strnlen(section.name.data(), section.name.size())};
}

}  // namespace

IndexWriter::IndexWriter(const std::filesystem::path& path) : out_(path) {
  const index_file::Header room;
  out_.write(&room, sizeof room);
}

void IndexWriter::add_bytes(std::string_view section, std::span<const std::byte> bytes) {
  assert(count_ < sections_.size());
  constexpr std::array<std::byte, index_file::alignment> zeros{};
  out_.write(zeros.data(), (zeros.size() - out_.size() % zeros.size()) % zeros.size());
  index_file::Section& entry = sections_[count_++];
  section.copy(entry.name.data(), entry.name.size());
  entry.offset = out_.size();
  entry.size = bytes.size();
  entry.checksum = index_file::checksum_of(bytes);
  out_.write(bytes.data(), bytes.size());
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
}

void IndexReader::refuse(std::string_view why) const {
  throw Error(ErrorCode::bad_input, fmt::format("{}: {}", name_, why), "make the index again");
}

void IndexReader::refuse_size(std::string_view section, std::size_t bytes) const {
  refuse(fmt::format("section '{}' has {} bytes, which does not fit its header", section, bytes));
}

const index_file::Section& IndexReader::find(std::string_view section) const {
  for (std::size_t i = 0; i < header_.section_count; ++i) {
    if (name_of(header_.sections[i]) == section) return header_.sections[i];
  }
  refuse(fmt::format("section '{}' is missing", section));
}

std::span<const std::byte> IndexReader::bytes_of(std::string_view section) const {
  const index_file::Section& entry = find(section);
  const auto bytes = file_->bytes();
  if (entry.offset % index_file::alignment != 0 || entry.offset > bytes.size() ||
      entry.size > bytes.size() - entry.offset) {
    refuse(fmt::format("section '{}' lies outside the file", section));
  }
  return bytes.subspan(entry.offset, entry.size);
}

void IndexReader::verify(std::string_view section) const {
  if (index_file::checksum_of(bytes_of(section)) != find(section).checksum) {
    refuse(fmt::format("section '{}' was altered", section));
  }
}

void IndexReader::verify() const {
  for (std::size_t i = 0; i < header_.section_count; ++i) verify(name_of(header_.sections[i]));
}

}  // namespace tsmini
