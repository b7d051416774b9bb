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

// A file of an import.
struct ListedFile {
  std::filesystem::path path;
  bool is_from_folder = false;  // found, not named by the user
  // What tracks without an id are named after: the file's name without its ending, and as many
  // folders before it as tell it from the others ("monday/cab7").
  std::string name;
};

// What there is to read.
struct InputList {
  std::vector<std::filesystem::path> named;  // by the user: files and folders
  std::vector<ListedFile> files;
  std::vector<ForeignFile> foreign;  // what is in folders and no file
};

// Files as they are; of a folder, the files below it that are not hidden, in order of name: those
// that fit the pattern, if there is one (* ? […], for the name alone, .gz behind it or not), else
// only the .plt files where there are any. Links are followed, but not back to where they come
// from. Throws Error(bad_input) for a folder without files, and for one that cannot be read.
InputList list_inputs(const std::vector<std::filesystem::path>& inputs,
                      const std::string& pattern = {});
std::vector<std::filesystem::path> paths_of(const std::vector<ListedFile>& files);

// Their sizes added up; 0 where one of them has none (a pipe).
std::uint64_t total_size(const std::vector<ListedFile>& files);

// A file that is being read.
struct InputFile {
  // `while_waiting`: see ByteSource. Throws UnknownFormat where the file was found in a folder and
  // is not what is being read, and Error(bad_input) where it has no column that the options want.
  InputFile(const ListedFile& file, const ReadOptions& options, Rows rows,
            std::function<void()> while_waiting);

  ByteSource source;
  Format format;
  std::unique_ptr<Reader> reader;
  Assembler assembler;
};

}  // namespace tsmini
