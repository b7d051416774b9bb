// Reading and writing index files, section by section.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

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

  OutputFile out_;
  std::array<index_file::Section, index_file::max_sections> sections_{};
  std::uint32_t count_ = 0;
};

class IndexReader {
 public:
  // Maps the file and checks its header; throws Error(bad_input).
  explicit IndexReader(const std::filesystem::path& path);

  const index_file::Header& header() const { return header_; }
  const std::string& name() const { return name_; }

  // Exactly `count` values, not looked at.
  template <class T>
  Array<T> mapped(std::string_view section, std::uint64_t count) const {
    const auto bytes = bytes_of(section);
    if (bytes.size() % sizeof(T) != 0 || bytes.size() / sizeof(T) != count) {
      refuse_size(section, bytes.size());
    }
    return {{reinterpret_cast<const T*>(bytes.data()), count}, file_};
  }
  // Whatever the section holds.
  template <class T>
  Array<T> mapped(std::string_view section) const {
    return mapped<T>(section, bytes_of(section).size() / sizeof(T));
  }

  // Reads a section, or all, and compares checksums.
  void verify(std::string_view section) const;
  void verify() const;

  [[noreturn]] void refuse(std::string_view why) const;

 private:
  const index_file::Section& find(std::string_view section) const;
  std::span<const std::byte> bytes_of(std::string_view section) const;
  [[noreturn]] void refuse_size(std::string_view section, std::size_t bytes) const;

  std::string name_;
  std::shared_ptr<const MappedFile> file_;
  index_file::Header header_;
};

}  // namespace tsmini
