#include "store/index_record.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

namespace tsmini {

std::string IndexOwner::mark(std::string_view name) const {
  return fmt::format("{}/{}", identity, name);
}

IndexSettings IndexOwner::settings(IndexKind kind) const {
  IndexSettings settings;
  settings.dimension = dimension;
  settings.metric = metric;
  settings.kind = kind;
  return settings;
}

IndexRecord IndexRecord::read(Database& database, Layout layout, std::int64_t model) {
  IndexRecord record;
  Statement select = database.prepared(
      layout == Layout::first ? "SELECT name, end_row, rows FROM current_index WHERE only_row = ?"
                              : "SELECT name, end_row, rows FROM indexes WHERE model = ?");
  select.bind(1, model);
  if (!select.step()) return record;
  record.name = select.text(0);
  record.end_row = select.integer(1);
  const std::span<const std::byte> bytes = select.bytes(2);
  record.rows.resize(bytes.size() / sizeof(std::int64_t));
  if (!record.rows.empty()) {
    std::memcpy(record.rows.data(), bytes.data(), record.rows.size() * sizeof(std::int64_t));
  }
  if (!std::is_sorted(record.rows.begin(), record.rows.end())) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: its list of rows was altered", database.path().string()),
                "make the index anew with `compact()`");
  }
  return record;
}

void IndexRecord::write(Database& database, std::int64_t model) const {
  if (name.empty()) {
    return database.prepared("DELETE FROM indexes WHERE model = ?").bind(1, model).run();
  }
  Statement insert = database.prepared("INSERT OR REPLACE INTO indexes VALUES (?, ?, ?, ?)");
  insert.bind(1, model).bind(2, name).bind(3, end_row);
  if (!rows.empty()) insert.bind_bytes(4, std::as_bytes(std::span(rows)));
  insert.run();
}

bool IndexRecord::holds(std::int64_t row) const {
  if (rows.empty()) return !name.empty() && row < end_row;
  return std::binary_search(rows.begin(), rows.end(), row);
}

std::int64_t IndexRecord::row_at(std::size_t position) const {
  return rows.empty() ? static_cast<std::int64_t>(position) : rows[position];
}

LoadedIndex LoadedIndex::load(const IndexOwner& owner, IndexRecord record) {
  const std::filesystem::path file = owner.folder.path() / record.name;
  EmbeddingIndex index = EmbeddingIndex::load(file);
  const std::size_t rows =
      record.rows.empty() ? static_cast<std::size_t>(record.end_row) : record.rows.size();
  if (index.owner() != owner.mark(record.name) || index.size() != rows ||
      index.settings().dimension != owner.dimension || index.settings().metric != owner.metric) {
    throw Error(ErrorCode::bad_input,
                fmt::format("{}: is not the index of this collection", file.string()),
                "make it anew with `compact()`");
  }
  return {std::move(record), std::move(index)};
}

std::size_t LoadedIndex::position_of(std::int64_t row) const {
  if (record.rows.empty()) return std::min(static_cast<std::size_t>(row), index.size());
  const auto place = std::lower_bound(record.rows.begin(), record.rows.end(), row);
  return place != record.rows.end() && *place == row
             ? static_cast<std::size_t>(place - record.rows.begin())
             : index.size();
}

}  // namespace tsmini
