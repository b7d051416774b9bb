// Files for tests: a folder of their own, what is in it, and gzip.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tsmini {

// A fresh folder that goes away with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  // Everything below it, hidden files too, as sorted relative names.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

// Makes the folders on the way.
void write_file(const std::filesystem::path& path, std::string_view content);
std::string read_file(const std::filesystem::path& path);

std::string gzipped(std::string_view text);

}  // namespace tsmini
