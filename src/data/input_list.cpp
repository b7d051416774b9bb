#include "tsmini/input_list.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fnmatch.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "base/utf8.h"

namespace tsmini {
namespace {

std::filesystem::path without_gz(const std::filesystem::path& path) {
  return path.extension() == ".gz" ? path.parent_path() / path.stem() : path;
}

// The name without its ending, and so many folders before it; the whole path where there are fewer.
std::string name_with(const std::filesystem::path& path, std::size_t folders) {
  const std::filesystem::path plain = without_gz(path);
  std::string name = plain.stem().string();
  if (path == "-" || name.empty()) return "track";
  std::filesystem::path above = plain.parent_path();
  for (std::size_t i = 0; i < folders; ++i, above = above.parent_path()) {
    const std::string folder = above.filename().string();
    if (folder.empty()) return path.string();
    name.insert(0, folder + '/');
  }
  return name;
}

void name_files(std::vector<ListedFile>& files) {
  constexpr std::size_t deepest = 64;
  std::vector<std::size_t> open(files.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  for (std::size_t folders = 0; folders < deepest && !open.empty(); ++folders) {
    std::unordered_map<std::string, int> count;
    for (const std::size_t i : open) {
      files[i].name = as_utf8(name_with(files[i].path, folders));
      ++count[files[i].name];
    }
    std::erase_if(open, [&](std::size_t i) { return count[files[i].name] == 1; });
  }
}

bool is_plt(const std::filesystem::path& path) {
  return equal_ignoring_case(without_gz(path).extension().string(), ".plt");
}

bool fits(const std::filesystem::path& path, const std::string& pattern) {
  const auto matches = [&](const std::filesystem::path& name) {
    return ::fnmatch(pattern.c_str(), name.filename().c_str(), 0) == 0;
  };
  return matches(path) || matches(without_gz(path));
}

// A link to a folder that contains it: what lies behind it is found without it.
bool leads_back(const std::filesystem::recursive_directory_iterator& place) {
  if (!place->is_symlink()) return false;
  std::filesystem::path above = place->path();
  for (int level = 0; level <= place.depth(); ++level) {
    above = above.parent_path();
    if (std::filesystem::equivalent(place->path(), above)) return true;
  }
  return false;
}

// Why an entry of a folder, which is none itself, is no file; empty where it may be one. Whether it
// can be read is left to whoever opens it.
std::string why_no_file(const std::filesystem::directory_entry& entry) {
  using std::filesystem::file_type;
  std::error_code error;
  switch (entry.status(error).type()) {
    case file_type::not_found: return "the link leads nowhere";
    case file_type::fifo: return "a pipe, not a file";
    case file_type::socket: return "a socket, not a file";
    case file_type::block:
    case file_type::character: return "a device, not a file";
    default: break;
  }
  return error == std::errc::too_many_symbolic_link_levels ? "the link leads to itself" : "";
}

struct FolderEntry {
  std::filesystem::path path;
  std::string why;  // it is no file
};

std::vector<FolderEntry> all_in(const std::filesystem::path& folder) {
  using std::filesystem::recursive_directory_iterator;
  std::vector<FolderEntry> found;
  std::filesystem::path at = folder;  // what is being looked at
  try {
    constexpr auto follow = std::filesystem::directory_options::follow_directory_symlink;
    const recursive_directory_iterator end;
    for (recursive_directory_iterator entry(folder, follow); entry != end; ++entry) {
      at = entry->path();
      std::error_code error;
      const bool is_hidden = at.filename().string().starts_with('.');
      const bool is_folder = entry->is_directory(error);
      if (is_hidden || !is_folder || leads_back(entry)) entry.disable_recursion_pending();
      if (!is_hidden && !is_folder) found.push_back({at, why_no_file(*entry)});
    }
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: cannot read: {}", at.string(), error.code().message()),
                "mend or remove it, or name the files themselves");
  }
  return found;
}

std::vector<FolderEntry> list_folder(const std::filesystem::path& folder,
                                     const std::string& pattern) {
  std::vector<FolderEntry> found = all_in(folder);
  const auto keep = [&](const auto& is_kept) {
    std::erase_if(found, [&](const FolderEntry& entry) { return !is_kept(entry.path); });
  };
  // GeoLife's folders hold labels and a guide beside the tracks.
  const bool has_plt = std::any_of(found.begin(), found.end(),
                                   [](const FolderEntry& entry) { return is_plt(entry.path); });
  if (!pattern.empty()) {
    keep([&](const std::filesystem::path& path) { return fits(path, pattern); });
  } else if (has_plt) {
    keep(is_plt);
  }
  std::sort(found.begin(), found.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.path < b.path; });
  return found;
}

void add_folder(const std::filesystem::path& folder, const std::string& pattern, InputList& list) {
  const std::size_t files = list.files.size(), foreign = list.foreign.size();
  for (FolderEntry& entry : list_folder(folder, pattern)) {
    if (entry.why.empty()) {
      list.files.push_back({std::move(entry.path), true, {}});
    } else {
      list.foreign.push_back({entry.path.string(), std::move(entry.why)});
    }
  }
  if (list.files.size() > files) return;
  throw Error(ErrorCode::bad_input,
              fmt::format("{}: the folder holds no files{}", folder.string(),
                          pattern.empty() ? "" : fmt::format(" that fit '{}'", pattern)),
              list.foreign.size() == foreign
                  ? ""
                  : fmt::format("{}: {}", list.foreign[foreign].path, list.foreign[foreign].why));
}

}  // namespace

InputList list_inputs(const std::vector<std::filesystem::path>& inputs,
                      const std::string& pattern) {
  InputList list;
  list.named = inputs;
  for (const std::filesystem::path& input : inputs) {
    std::error_code error;  // what cannot be looked at is left to whoever opens it
    if (input != "-" && !std::filesystem::exists(input, error) && !error) {
      throw Error(ErrorCode::bad_input, input.string() + ": there is no such file",
                  "check the name");
    }
    if (std::filesystem::is_directory(input, error)) {
      add_folder(input, pattern, list);
    } else {
      list.files.push_back({input, false, {}});
    }
  }
  name_files(list.files);
  return list;
}

std::vector<std::filesystem::path> paths_of(const std::vector<ListedFile>& files) {
  std::vector<std::filesystem::path> paths;
  paths.reserve(files.size());
  for (const ListedFile& file : files) paths.push_back(file.path);
  return paths;
}

std::uint64_t total_size(const std::vector<ListedFile>& files) {
  std::uint64_t total = 0;
  for (const ListedFile& file : files) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file.path, error);
    if (error) return 0;
    total += size;
  }
  return total;
}

}  // namespace tsmini
