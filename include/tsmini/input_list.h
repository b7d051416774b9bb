// The files of an import, listed before they are read: what was named, and what lies in folders.
//
//   const InputList inputs = list_inputs({"Geolife Trajectories"});
//   std::cout << inputs.files.size() << " files\n";
//   import_listed(inputs, "geolife.tsd", {});
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tsmini/import.h"

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
  std::vector<ForeignFile> foreign;  // entries of folders that are not files
};

// Files as they are; of a folder, the files below it that are not hidden, in order of name: those
// that fit the pattern, if there is one (* ? […], for the name alone, .gz behind it or not), else
// only the .plt files where there are any. Links are followed, but not back to where they come
// from. Throws Error(bad_input) for a folder without files, and for one that cannot be read.
InputList list_inputs(const std::vector<std::filesystem::path>& inputs,
                      const std::string& pattern = {});
std::vector<std::filesystem::path> paths_of(const std::vector<ListedFile>& files);

// The sizes of files, added up; 0 where one of them has none (a pipe).
std::uint64_t total_size(const std::vector<ListedFile>& files);

}  // namespace tsmini
