// The files of an import, one after the other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "data/assembler.h"
#include "data/reader.h"

namespace tsmini {

// Files as they are; of a folder, the files below it that are not hidden, in order of name; only
// the .plt files where there are any. Links are followed, but not back to where they come from.
// Throws Error(bad_input) for a folder without files.
std::vector<std::filesystem::path> list_inputs(const std::vector<std::filesystem::path>& inputs);

// Their sizes added up; 0 where one of them has none (a pipe).
std::uint64_t total_size(const std::vector<std::filesystem::path>& files);

// A file that is being read.
struct InputFile {
  // `while_waiting`: see ByteSource.
  InputFile(const std::filesystem::path& path, const ReadOptions& options, Rows rows,
            std::function<void()> while_waiting);

  ByteSource source;
  Format format;
  std::unique_ptr<Reader> reader;
  Assembler assembler;
};

}  // namespace tsmini
