#include "store/judgement_record.h"

#include <fmt/format.h>

#include "tsmini/error.h"

#include "store/records.h"

namespace tsmini {

std::optional<Judgement> read_judgement(Database& database, Layout layout, std::int64_t model) {
  if (layout == Layout::first) return std::nullopt;
  Statement select = database.prepared("SELECT judgement FROM judgements WHERE model = ?");
  if (!select.bind(1, model).step()) return std::nullopt;
  try {
    return Judgement::from_json(select.text(0));
  } catch (const Error& error) {
    throw DamagedFile(ErrorCode::bad_input,
                      fmt::format("{}: the judgement of a model was altered: {}",
                                  database.path().string(), error.what()),
                      "make it anew with `compact()`");
  }
}

void write_judgement(Database& database, std::int64_t model, const Judgement& judgement) {
  database.prepared("INSERT OR REPLACE INTO judgements VALUES (?, ?)")
      .bind(1, model)
      .bind(2, judgement.to_json())
      .run();
}

void forget_judgement(Database& database, std::int64_t model) {
  database.prepared("DELETE FROM judgements WHERE model = ?").bind(1, model).run();
}

std::vector<std::int64_t> spread_rows(Database& database, std::int64_t model, std::size_t count) {
  const auto end = static_cast<double>(CollectionState::read(database).next_row);
  const std::string sql = fmt::format(
      "SELECT row FROM embeddings_{} WHERE row >= ? AND row > ? ORDER BY row LIMIT 1", model);
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const double place = end * static_cast<double>(i) / static_cast<double>(count);
    Statement select = database.prepared(sql);
    select.bind(1, static_cast<std::int64_t>(place)).bind(2, rows.empty() ? -1 : rows.back());
    if (!select.step()) break;
    rows.push_back(select.integer(0));
  }
  return rows;
}

}  // namespace tsmini
