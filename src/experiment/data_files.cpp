#include "experiment/data_files.h"

#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace tsmini::experiment {

DataFiles::~DataFiles() {
  std::error_code ignored;
  for (const std::filesystem::path& file : files_) std::filesystem::remove(file, ignored);
}

std::filesystem::path DataFiles::path_of(const Dataset& data, const std::string& contents) {
  std::filesystem::path path = folder_ / fmt::format("data-{}-{}.tsd", contents, ::getpid());
  if (!files_.insert(path).second) return path;
  DatasetWriter writer(path, data.info().coordinates);
  std::vector<Part> parts(data.size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    writer.add(data[i]);
    parts[i] = data.part(i);
  }
  writer.finish(parts);
  return path;
}

}  // namespace tsmini::experiment
