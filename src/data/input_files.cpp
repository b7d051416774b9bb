#include "data/input_files.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"

namespace tsmini {
namespace {

std::string stem_of(const std::filesystem::path& path) {
  std::filesystem::path stem = path.filename();
  if (stem.extension() == ".gz") stem = stem.stem();
  stem = stem.stem();
  return path == "-" || stem.empty() ? "track" : stem.string();
}

bool is_plt(std::filesystem::path path) {
  if (path.extension() == ".gz") path = path.stem();
  return equal_ignoring_case(path.extension().string(), ".plt");
}

// A link to a folder that contains it: what lies behind it is found without it.
bool leads_back(const std::filesystem::recursive_directory_iterator& place) {
  if (!place->is_symlink() || !place->is_directory()) return false;
  std::filesystem::path above = place->path();
  for (int level = 0; level <= place.depth(); ++level) {
    above = above.parent_path();
    if (std::filesystem::equivalent(place->path(), above)) return true;
  }
  return false;
}

std::vector<std::filesystem::path> list_folder(const std::filesystem::path& folder) {
  using std::filesystem::recursive_directory_iterator;
  std::vector<std::filesystem::path> found;
  std::filesystem::path at = folder;  // what is being looked at
  try {
    constexpr auto follow = std::filesystem::directory_options::follow_directory_symlink;
    const recursive_directory_iterator end;
    for (recursive_directory_iterator entry(folder, follow); entry != end; ++entry) {
      at = entry->path();
      const bool hidden = at.filename().string().starts_with('.');
      if (hidden || leads_back(entry)) entry.disable_recursion_pending();
      if (!hidden && entry->is_regular_file()) found.push_back(at);
    }
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: cannot read: {}", at.string(), error.code().message()),
                "mend or remove it, or name the files themselves");
  }
  // GeoLife's folders hold labels and a guide beside the tracks.
  if (std::any_of(found.begin(), found.end(), is_plt)) {
    std::erase_if(found, [](const auto& path) { return !is_plt(path); });
  }
  return found;
}

}  // namespace

std::vector<std::filesystem::path> list_inputs(const std::vector<std::filesystem::path>& inputs) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& input : inputs) {
    std::error_code error;  // what cannot be looked at is left to whoever opens it
    if (input != "-" && !std::filesystem::exists(input, error) && !error) {
      throw Error(ErrorCode::bad_input, input.string() + ": there is no such file",
                  "check the name");
    }
    if (!std::filesystem::is_directory(input, error)) {
      files.push_back(input);
      continue;
    }
    std::vector<std::filesystem::path> found = list_folder(input);
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

InputFile::InputFile(const std::filesystem::path& path, const ReadOptions& options, Rows rows,
                     std::function<void()> while_waiting)
    : source(path, std::move(while_waiting)),
      format(choose_format(source, options)),
      reader(make_reader(format, source, options)),
      assembler(stem_of(path), reader->has_rows(), rows) {}

}  // namespace tsmini
