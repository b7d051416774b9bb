#include "store/model_record.h"

#include <algorithm>

#include "store/records.h"

namespace tsmini {
namespace {

std::optional<IndexKind> kind_from(std::string_view name) {
  if (name.empty()) return std::nullopt;
  return index_kind_from(name);
}

}  // namespace

std::vector<ModelRecord> ModelRecord::read_all(Database& database, Layout layout) {
  if (layout == Layout::first) {
    return {{1, "model", "model.safetensors", fact(database, "model"),
             kind_from(fact(database, "index_kind")), CollectionState::read(database).next_row}};
  }
  std::vector<ModelRecord> records;
  Statement select = database.prepared(
      "SELECT number, name, file, checksum, index_kind, embedded FROM models ORDER BY number");
  while (select.step()) {
    records.push_back({select.integer(0), std::string(select.text(1)), std::string(select.text(2)),
                       std::string(select.text(3)), kind_from(select.text(4)), select.integer(5)});
  }
  return records;
}

void ModelRecord::insert(Database& database) const {
  database
      .prepared(
          "INSERT INTO models (name, file, checksum, index_kind, embedded) VALUES (?, ?, ?, ?, ?)")
      .bind(1, name)
      .bind(2, file)
      .bind(3, checksum)
      .bind(4, kind ? name_of(*kind) : "")
      .bind(5, embedded)
      .run();
}

void set_embedded(Database& database, std::int64_t before, std::int64_t next_row) {
  database.prepared("UPDATE models SET embedded = ? WHERE embedded = ?")
      .bind(1, next_row)
      .bind(2, before)
      .run();
}

void set_embedded_by(Database& database, std::int64_t model, std::int64_t next_row) {
  database.prepared("UPDATE models SET embedded = ? WHERE number = ?")
      .bind(1, next_row)
      .bind(2, model)
      .run();
}

std::vector<std::int64_t> numbers_of(const std::vector<ModelRecord>& records) {
  std::vector<std::int64_t> numbers(records.size());
  std::transform(records.begin(), records.end(), numbers.begin(),
                 [](const ModelRecord& record) { return record.number; });
  return numbers;
}

}  // namespace tsmini
