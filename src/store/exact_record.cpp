#include "store/exact_record.h"

#include <fmt/format.h>

#include "tsmini/error.h"

namespace tsmini {

std::vector<ExactRecord> ExactRecord::read_all(Database& database, Layout layout) {
  std::vector<ExactRecord> records;
  if (layout == Layout::first) return records;  // had none
  Statement select =
      database.prepared("SELECT first_row, end_row, name FROM exact_files ORDER BY first_row");
  while (select.step()) {
    records.push_back({select.integer(0), select.integer(1), std::string(select.text(2))});
    const std::int64_t before = records.size() == 1 ? 0 : records.end()[-2].end_row;
    if (records.back().first_row == before && records.back().rows() > 0) continue;
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: its list of files was altered", database.path().string()),
                "restore the folder from a copy, or make the collection again");
  }
  return records;
}

void ExactRecord::insert(Database& database) const {
  database.prepared("INSERT INTO exact_files VALUES (?, ?, ?)")
      .bind(1, first_row)
      .bind(2, end_row)
      .bind(3, name)
      .run();
}

std::shared_ptr<const SearchTablesFile> ExactRecord::load(const ExactOwner& owner) const {
  const std::filesystem::path path = owner.folder.path() / name;
  auto file = std::make_shared<const SearchTablesFile>(path);
  const std::size_t count = file->rows().size();
  if (file->owner() != exact_mark(owner, name) || file->rows()[0] < first_row ||
      file->rows()[count - 1] >= end_row) {
    throw Error(ErrorCode::bad_input, fmt::format("{}: is not of this collection", path.string()),
                "make it anew with `compact()`");
  }
  return file;
}

std::string exact_mark(const ExactOwner& owner, const std::string& name) {
  return fmt::format("{}/{}", owner.identity, name);
}

}  // namespace tsmini
