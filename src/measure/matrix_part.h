// A matrix that is not finished: PATH.part, and PATH.part.json that says how far it is.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "base/npy.h"
#include "base/stopwatch.h"

namespace tsmini {

class MatrixPart {
 public:
  using Json = nlohmann::ordered_json;

  // Goes on with what the same `request` has begun, or begins. Throws Error(bad_input) where
  // another request has begun, unless `restart`.
  MatrixPart(std::filesystem::path path, const NpyHeader& header, Json request, bool restart);

  template <class T>
  std::span<T> values() const {
    return file_->values<T>();
  }

  std::size_t rows_done() const { return rows_done_; }

  // The first `rows` are complete. That is put on record at once, or a little later where waiting
  // for the disk would slow down the work by more than a twentieth.
  void set_rows_done(std::size_t rows);
  void save();

  // Gives the matrix its name, and writes PATH.json: the request, and the names of rows and columns
  // where they have any.
  void finish(std::span<const std::string> ids = {}, std::span<const std::string> column_ids = {});

 private:
  std::filesystem::path beside(const char* ending) const;
  bool is_begun(bool restart) const;
  void write_record() const;

  std::filesystem::path path_;
  Json request_;
  std::size_t rows_done_ = 0;
  std::optional<NpyWriter> file_;
  Stopwatch since_saved_;
  double saving_ = 0;  // seconds that the last save took
};

}  // namespace tsmini
