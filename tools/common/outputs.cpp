#include "common/outputs.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tsmini/error.h"

#include "base/text.h"

namespace tsmini::cli {
namespace {

namespace fs = std::filesystem;

// What a file is, whatever its name. One that does not exist yet is its folder and its name in it.
using Identity = std::tuple<dev_t, ino_t, std::string>;

// Nothing for devices and pipes, which keep nothing that could be lost, and where there is none.
std::optional<Identity> identity_of(const fs::path& path, int standard_stream) {
  struct stat status {};
  const int failed =
      path == "-" ? ::fstat(standard_stream, &status) : ::stat(path.c_str(), &status);
  if (failed != 0 || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) return std::nullopt;
  return Identity{status.st_dev, status.st_ino, ""};
}

std::optional<Identity> identity_of_output(const fs::path& path) {
  std::error_code unknown;
  if (path == "-" || fs::exists(path, unknown)) return identity_of(path, STDOUT_FILENO);
  auto folder = identity_of(path.has_parent_path() ? path.parent_path() : ".", STDOUT_FILENO);
  if (folder) std::get<std::string>(*folder) = path.filename().string();
  return folder;
}

using Known = std::map<Identity, fs::path>;

void add_input(const fs::path& path, Known& known) {
  if (const auto identity = identity_of(path, STDIN_FILENO)) known.emplace(*identity, path);
  std::error_code unreadable;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, unreadable)) {
    if (const auto identity = identity_of(entry.path(), STDIN_FILENO)) {
      known.emplace(*identity, entry.path());
    }
  }
}

std::string name_of(const fs::path& path, const char* standard_stream) {
  return path == "-" ? standard_stream : path.string();
}

// The collection whose folder the path lies in, at any depth; empty where there is none.
fs::path collection_around(const fs::path& path) {
  std::error_code unknown;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, unknown), unknown);
  for (fs::path folder = whole.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (fs::exists(folder / "collection.db", unknown)) return folder;
  }
  return {};
}

// Endings of files that are read and written, but for data sets.
constexpr std::array<std::string_view, 19> other_endings{
    ".csv", ".tsv", ".txt", ".json",        ".jsonl", ".geojson", ".mfjson",
    ".gpx", ".plt", ".wkt", ".xml",         ".gz",    ".html",    ".svg",
    ".png", ".npy", ".db",  ".safetensors", ".zip"};

}  // namespace

void check_dataset_name(const fs::path& output) {
  const std::string ending = lower_case(output.extension().string());
  if (std::find(other_endings.begin(), other_endings.end(), ending) == other_endings.end()) return;
  throw Error(ErrorCode::usage,
              fmt::format("{} would be a data set, which is no {} file", output.string(), ending),
              "end its name in .tsd; 'tsmini export' then writes it in other formats");
}

void check_outputs(const std::vector<fs::path>& inputs, const std::vector<fs::path>& outputs) {
  Known read, written;
  for (const fs::path& input : inputs) {
    if (!input.empty()) add_input(input, read);
  }
  for (const fs::path& output : outputs) {
    if (output.empty()) continue;
    const std::string name = name_of(output, "standard output");
    const auto identity = identity_of_output(output);
    if (const auto same = identity ? read.find(*identity) : read.end(); same != read.end()) {
      const std::string input = name_of(same->second, "standard input");
      throw Error(ErrorCode::usage,
                  input == name ? fmt::format("{} is an input and would be written over", name)
                                : fmt::format("{} is the same file as the input {} and would be "
                                              "written over",
                                              name, input),
                  "choose another name for the output");
    }
    if (output == "-") continue;
    if (const fs::path collection = collection_around(output); !collection.empty()) {
      throw Error(ErrorCode::usage,
                  fmt::format("{} lies inside the collection {}", name, collection.string()),
                  "the folder of a collection holds nothing else; choose another place");
    }
    if (!identity) continue;
    if (const auto [same, is_new] = written.emplace(*identity, output); !is_new) {
      throw Error(ErrorCode::usage,
                  fmt::format("{} and {} are one file, and both would be written",
                              same->second.string(), name),
                  "choose different names for the outputs");
    }
  }
}

}  // namespace tsmini::cli
