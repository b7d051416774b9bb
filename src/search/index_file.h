// Reading and writing index files, section by section.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "search/array.h"
#include "search/index_format.h"

namespace tsmini {

class IndexWriter {
 public:
  explicit IndexWriter(const std::filesystem::path& path);

  template <class T>
  void add(std::string_view section, std::span<const T> values) {
    add_bytes(section, std::as_bytes(values));
  }
  // Sizes, sections and checksums are filled in here. Only now is there a file of that name.
  void finish(index_file::Header header);

 private:
  void add_bytes(std::string_view section, std::span<const std::byte> bytes);
  void align();

  OutputFile out_;
  std::array<index_file::Section, index_file::max_sections> sections_{};
  std::uint32_t count_ = 0;
};

class IndexReader {
 public:
  // Maps the file and checks its header and the checksums of its blocks; throws Error(bad_input).
  explicit IndexReader(const std::filesystem::path& path);

  const index_file::Header& header() const { return header_; }
  const std::string& name() const { return name_; }

  // Exactly `count` values, which are read when they are needed.
  template <class T>
  Array<T> mapped(std::string_view section, std::uint64_t count) const {
    const auto& found = find(section);
    const std::size_t size = found->all().size();
    if (size % sizeof(T) != 0 || size / sizeof(T) != count) refuse_size(section, size);
    return Array<T>(found);
  }
  // Whatever the section holds.
  template <class T>
  Array<T> mapped(std::string_view section) const {
    return mapped<T>(section, find(section)->all().size() / sizeof(T));
  }

  // Reads everything; throws DamagedIndex.
  void verify() const;

  [[noreturn]] void refuse(std::string_view why) const;

 private:
  using Checked = std::shared_ptr<const CheckedBytes>;

  const Checked& find(std::string_view section) const;
  Checked opened(const index_file::Section& section) const;
  [[noreturn]] void refuse_size(std::string_view section, std::size_t bytes) const;

  std::string name_;
  std::shared_ptr<const MappedFile> file_;
  index_file::Header header_;
  std::vector<Checked> sections_;  // in the order of the header
};

}  // namespace tsmini
