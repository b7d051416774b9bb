#include "measure/matrix_part.h"

#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/file.h"

namespace tsmini {
namespace {

constexpr const char* rows_done_key = "rows_done";

MatrixPart::Json read_json(const std::filesystem::path& path) {
  const MappedFile file(path);
  const auto* text = reinterpret_cast<const char*>(file.bytes().data());
  return MatrixPart::Json::parse(text, text + file.bytes().size(), nullptr, false);
}

void write_json(const std::filesystem::path& path, const MatrixPart::Json& json) {
  OutputFile file(path);
  file.write(json.dump(2, ' ', false, MatrixPart::Json::error_handler_t::replace) + "\n");
  file.commit();
}

}  // namespace

MatrixPart::MatrixPart(std::filesystem::path path, const NpyHeader& header, Json request,
                       bool restart)
    : path_(std::move(path)), request_(std::move(request)) {
  const OutputFile probe(path_);  // complains where the finished file could not be written
  if (is_begun(restart)) {
    file_.emplace(NpyWriter::reopen(beside(".part"), header));
    rows_done_ = read_json(beside(".part.json"))[rows_done_key].get<std::size_t>();
  } else {
    file_.emplace(NpyWriter::create(beside(".part"), header));
    write_record();
  }
  since_saved_.restart();
}

std::filesystem::path MatrixPart::beside(const char* ending) const {
  return std::filesystem::path(path_) += ending;
}

bool MatrixPart::is_begun(bool restart) const {
  const auto part = beside(".part"), record = beside(".part.json");
  if (restart || !std::filesystem::exists(part) || !std::filesystem::exists(record)) return false;
  Json begun = read_json(record);
  if (begun.is_object() && begun.contains(rows_done_key)) {
    const Json rows_done = begun[rows_done_key];
    begun.erase(rows_done_key);
    const bool sane = rows_done.is_number_unsigned() && rows_done <= request_["rows"];
    if (sane && begun == request_) return true;
  }
  throw Error(ErrorCode::bad_input,
              fmt::format("{}: another request began this matrix (see {})", part.string(),
                          record.filename().string()),
              "repeat that request to finish it, remove the file, or begin again with `restart`");
}

void MatrixPart::set_rows_done(std::size_t rows) {
  rows_done_ = rows;
  if (since_saved_.seconds() >= 20 * saving_) save();
}

void MatrixPart::save() {
  since_saved_.restart();
  file_->sync();
  write_record();
  saving_ = since_saved_.restart();
}

void MatrixPart::write_record() const {
  Json record = request_;
  record[rows_done_key] = rows_done_;
  write_json(beside(".part.json"), record);
}

void MatrixPart::finish(std::span<const std::string> ids, std::span<const std::string> column_ids) {
  Json record = request_;
  if (!ids.empty()) record["ids"] = ids;
  if (!column_ids.empty()) record["column_ids"] = column_ids;
  write_json(beside(".json"), record);
  file_.reset();
  std::filesystem::rename(beside(".part"), path_);
  std::filesystem::remove(beside(".part.json"));
}

}  // namespace tsmini
