// Many streams of records in one file: what grows by the trip and is read again, stream by stream,
// at the end.
//
//   Spill spill(path);              // a hidden file beside `path`, made when it is needed
//   Spill::Stream lengths, names;
//   spill.append(lengths, record);
//   spill.for_each_block(lengths, [](std::string_view records) { use(records); });
//
// A stream keeps up to 16 KiB in memory, and 16 bytes for every such block in the file. A record
// lies in one block. Without a path all stays in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace tsmini {

class Spill {
 public:
  Spill() = default;
  explicit Spill(std::filesystem::path path) : path_(std::move(path)) {}

  struct Block {
    std::uint64_t offset = 0, size = 0;
  };
  struct Stream {
    std::vector<Block> blocks;  // in the file
    std::string rest;
  };

  void append(Stream& stream, std::string_view record) {
    constexpr std::size_t block = std::size_t{1} << 14;
    stream.rest += record;
    if (path_ && stream.rest.size() >= block) put_away(stream);
  }

  // Visits the blocks in order; a view is good until the next.
  template <class Visit>
  void for_each_block(const Stream& stream, const Visit& visit) {
    std::string bytes;
    for (const Block& block : stream.blocks) {
      bytes.resize(block.size);
      file_->read_at(block.offset, bytes.data(), bytes.size());
      visit(std::string_view(bytes));
    }
    visit(std::string_view(stream.rest));
  }

 private:
  void put_away(Stream& stream) {
    if (!file_) file_.emplace(*path_);
    stream.blocks.push_back({file_->size(), stream.rest.size()});
    file_->write(stream.rest);
    stream.rest.clear();
  }

  std::optional<std::filesystem::path> path_;
  std::optional<OutputFile> file_;
};

}  // namespace tsmini
