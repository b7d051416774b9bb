// Data sets as files for another program: written when first asked for, gone with this object.
//
//   DataFiles files(folder);
//   std::filesystem::path path = files.path_of(data, contents_of(data));   // data-….tsd
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "tsmini/dataset.h"

namespace tsmini::experiment {

class DataFiles {
 public:
  explicit DataFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}
  DataFiles(const DataFiles&) = delete;
  DataFiles& operator=(const DataFiles&) = delete;
  ~DataFiles();

  // A file of all trips with their times and marks, without attributes. One that is there already,
  // left by a program that was killed, is of the same contents: its name says so.
  std::filesystem::path path_of(const Dataset& data, const std::string& contents);

 private:
  std::filesystem::path folder_;
  std::set<std::filesystem::path> files_;
};

}  // namespace tsmini::experiment
