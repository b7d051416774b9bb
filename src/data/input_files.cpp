#include "data/input_files.h"

#include <algorithm>

#include "tsmini/error.h"

namespace tsmini {
namespace {

std::string stem_of(const std::filesystem::path& path) {
  std::filesystem::path stem = path.filename();
  if (stem.extension() == ".gz") stem = stem.stem();
  stem = stem.stem();
  return path == "-" || stem.empty() ? "track" : stem.string();
}

}  // namespace

std::vector<std::filesystem::path> list_inputs(const std::vector<std::filesystem::path>& inputs) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& input : inputs) {
    if (!std::filesystem::is_directory(input)) {
      files.push_back(input);
      continue;
    }
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             input, std::filesystem::directory_options::follow_directory_symlink)) {
      const bool hidden = entry.path().filename().string().starts_with('.');
      if (entry.is_regular_file() && !hidden) found.push_back(entry.path());
    }
    if (found.empty()) {
      throw Error(ErrorCode::bad_input, input.string() + ": the folder holds no files");
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

std::uint64_t total_size(const std::vector<std::filesystem::path>& files) {
  std::uint64_t total = 0;
  for (const std::filesystem::path& file : files) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error) return 0;
    total += size;
  }
  return total;
}

InputFile::InputFile(const std::filesystem::path& path, const ReadOptions& options, Rows rows)
    : source(path),
      format(options.format == Format::automatic ? detect_format(source) : options.format),
      reader(make_reader(format, source, options)),
      assembler(stem_of(path), reader->has_rows(), rows) {}

}  // namespace tsmini
