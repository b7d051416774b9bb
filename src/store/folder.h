// What lies in the folder of a collection.
//
//   collection.db          the truth: trips, embeddings, what was removed, which files belong to it
//   model-….safetensors    a model, by its number; of tsmini 0.1 model.safetensors
//   index-…                an EmbeddingIndex, made anew where it is missing
//   exact-…                a SearchTablesFile: trips laid out for exact search, likewise
//
// SQLite adds collection.db-wal and collection.db-shm while somebody writes. Before there is a
// database, see creation.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace tsmini {

class CollectionFolder {
 public:
  explicit CollectionFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path database() const { return path_ / "collection.db"; }
  static std::string model_name(std::int64_t number);
  // The number in such a name; none for another name.
  static std::optional<std::int64_t> model_number(std::string_view name);

  // Names that no other file has.
  static std::string new_index_name();
  static std::string new_exact_name();
  // Removes all such files but these, also those that were never finished. What cannot be removed
  // stays.
  void remove_other_companions(const std::vector<std::string>& kept) const;

 private:
  std::filesystem::path path_;
};

// The names of everything in a folder; of what could be read where `error` is set.
std::vector<std::string> names_in(const std::filesystem::path& folder, std::error_code& error);

// `count` random hexadecimal digits.
std::string random_digits(std::size_t count);

}  // namespace tsmini
