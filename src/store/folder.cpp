#include "store/folder.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"

namespace tsmini {
namespace {

constexpr std::string_view index_prefix = "index-", exact_prefix = "exact-";

constexpr std::size_t digits_of_name = 12;
constexpr std::size_t length_of_name = index_prefix.size() + digits_of_name;

// Just the names that we give: what else lies in the folder is not ours to remove.
bool is_companion(std::string_view name) {
  return name.size() == length_of_name &&
         (name.starts_with(index_prefix) || name.starts_with(exact_prefix)) &&
         name.find_first_not_of("0123456789abcdef", index_prefix.size()) == std::string_view::npos;
}

// Whether OutputFile gives such a name to what is not complete yet.
bool is_unfinished(std::string_view name) {
  return name.starts_with('.') && is_companion(name.substr(1, length_of_name)) &&
         name.ends_with(".tmp");
}

}  // namespace

std::string random_digits(std::size_t count) {
  std::random_device device;
  std::string digits;
  while (digits.size() < count) digits += fmt::format("{:08x}", device());
  digits.resize(count);
  return digits;
}

std::string CollectionFolder::new_index_name() {
  return std::string(index_prefix) + random_digits(digits_of_name);
}

std::string CollectionFolder::new_exact_name() {
  return std::string(exact_prefix) + random_digits(digits_of_name);
}

std::string CollectionFolder::model_name(std::int64_t number) {
  return fmt::format("model-{}.safetensors", number);
}

std::optional<std::int64_t> CollectionFolder::model_number(std::string_view name) {
  constexpr std::string_view first = "model-", last = ".safetensors";
  if (!name.starts_with(first) || !name.ends_with(last)) return std::nullopt;
  const auto number =
      integer_from(name.substr(first.size(), name.size() - first.size() - last.size()));
  return number && model_name(*number) == name ? number : std::nullopt;
}

void CollectionFolder::remove_other_companions(const std::vector<std::string>& kept) const {
  std::error_code ignored;
  for (const std::string& name : names_in(path_, ignored)) {
    const bool is_kept = std::find(kept.begin(), kept.end(), name) != kept.end();
    if (is_unfinished(name) || (is_companion(name) && !is_kept)) {
      std::filesystem::remove(path_ / name, ignored);
    }
  }
}

std::vector<std::string> names_in(const std::filesystem::path& folder, std::error_code& error) {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  return names;
}

}  // namespace tsmini
