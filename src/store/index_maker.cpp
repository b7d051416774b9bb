#include "store/index_maker.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "tsmini/error.h"

#include "base/file.h"
#include "store/companions.h"
#include "store/judgement_record.h"
#include "store/model_record.h"
#include "store/records.h"

namespace tsmini {
namespace {

constexpr std::size_t few_rows = 1000;  // are scanned in no time
constexpr std::size_t longest_tail = 50'000;
constexpr std::size_t tolerated_share = 10;  // a tenth

std::int64_t last_removal(Database& database) {
  Statement select = database.prepared("SELECT ifnull(max(number), 0) FROM removed");
  return select.step() ? select.integer(0) : 0;
}

std::size_t removed_from(Database& database, const LoadedIndex& loaded) {
  std::size_t count = 0;
  Statement select = database.prepared("SELECT row FROM removed");
  while (select.step()) {
    if (loaded.holds(select.integer(0))) ++count;
  }
  return count;
}

// The index in force, where it is sound, more rows can be added to it and it would be good then.
std::optional<LoadedIndex> extensible(const IndexOwner& owner, Database& database,
                                      IndexKind wanted) {
  IndexRecord record = IndexRecord::read(database, Layout::current, owner.model);
  if (record.name.empty()) return std::nullopt;
  try {
    LoadedIndex loaded = LoadedIndex::load(owner, std::move(record));
    loaded.index.verify();
    const bool is_worn = removed_from(database, loaded) * tolerated_share > loaded.index.size();
    if (is_worn || loaded.index.settings().kind != wanted) return std::nullopt;
    return loaded;
  } catch (const Error&) {
    return std::nullopt;  // whatever is wrong with it ends with the new one
  }
}

// The rows it does not hold, put down in its record; returns their embeddings.
std::vector<float> take_rows(const IndexOwner& owner, Database& database, LoadedIndex& loaded,
                             const CollectionState& state) {
  IndexRecord& record = loaded.record;
  std::vector<std::int64_t> rows(loaded.index.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = record.row_at(i);
  std::vector<float> embeddings;
  EmbeddingScan scan(database, Layout::current, owner.model, owner.dimension, record.end_row);
  while (scan.next()) {
    rows.push_back(scan.row());
    embeddings.insert(embeddings.end(), scan.embedding().begin(), scan.embedding().end());
  }
  record.end_row = state.next_row;
  const bool is_dense = static_cast<std::int64_t>(rows.size()) == record.end_row;
  record.rows = is_dense ? std::vector<std::int64_t>() : std::move(rows);
  return embeddings;
}

// What tells whether another process made an index meanwhile. The name alone does not: an index of
// no rows has none, and a compaction may have led to that.
struct InForce {
  std::string name;
  std::int64_t compactions = 0;

  static InForce read(const IndexOwner& owner, Database& database) {
    return {IndexRecord::read(database, Layout::current, owner.model).name,
            CollectionState::read(database).compactions};
  }
  friend bool operator==(const InForce&, const InForce&) = default;
};

// Whether the index in force holds a row that was removed, up to that number.
bool holds_removed(const IndexOwner& owner, Database& database, std::int64_t number) {
  const IndexRecord record = IndexRecord::read(database, Layout::current, owner.model);
  Statement select = database.prepared("SELECT row FROM removed WHERE number <= ?");
  select.bind(1, number);
  while (select.step()) {
    if (record.holds(select.integer(0))) return true;
  }
  return false;
}

bool is_complete(const IndexOwner& owner, Database& database, const CollectionState& state) {
  for (const ModelRecord& record : ModelRecord::read_all(database, Layout::current)) {
    if (record.number == owner.model) return record.is_complete(state.next_row);
  }
  return false;
}

// False where another got ahead and has not done what is asked for.
bool try_to_make(const IndexOwner& owner, Database& database, std::optional<IndexKind> kind,
                 IndexWork work, const Progress& progress) {
  std::optional<LoadedIndex> loaded;
  std::vector<float> embeddings;
  InForce before;
  std::int64_t removals = 0;
  bool is_new = false;
  {
    const Transaction reading(database, Transaction::Kind::read);
    const CollectionState state = CollectionState::read(database);
    if (!is_complete(owner, database, state)) return true;
    const IndexKind wanted = kind.value_or(index_kind_for(static_cast<std::size_t>(state.trips)));
    before = InForce::read(owner, database);
    removals = last_removal(database);
    if (work == IndexWork::extend) loaded = extensible(owner, database, wanted);
    is_new = !loaded;
    if (is_new) loaded = LoadedIndex{{}, EmbeddingIndex(owner.settings(wanted))};
    const bool is_in_force = !loaded->record.name.empty();
    embeddings = take_rows(owner, database, *loaded, state);
    if (is_in_force && embeddings.empty()) return true;
  }
  loaded->index.add(embeddings, progress);
  IndexRecord& record = loaded->record;
  const bool is_empty = loaded->index.size() == 0;
  record.name = is_empty ? "" : CollectionFolder::new_index_name();
  const std::filesystem::path file = owner.folder.path() / record.name;
  if (!is_empty) {
    loaded->index.save(file, owner.mark(record.name));
    make_durable(file);
  }
  Transaction writing(database, Transaction::Kind::write);
  if (!is_complete(owner, database, CollectionState::read(database))) return true;  // was removed
  // One that another extended is as good as ours, unless it holds what was removed.
  if (InForce::read(owner, database) != before) {
    return work == IndexWork::extend || !holds_removed(owner, database, removals);
  }
  record.write(database, owner.model);
  if (is_new) forget_judgement(database, owner.model);
  count_change(database);
  writing.commit();
  return true;
}

}  // namespace

bool is_index_wanted(std::size_t indexed, std::size_t removed, std::size_t tail) {
  const std::size_t share = indexed / tolerated_share;
  return tail > std::min(std::max(share, few_rows), longest_tail) ||
         removed > std::max(share, few_rows);
}

void make_index(const IndexOwner& owner, Database& database, std::optional<IndexKind> kind,
                IndexWork work, const Progress& progress) {
  const IndexFilesLock files(owner.folder);
  while (!try_to_make(owner, database, kind, work, progress)) {
  }
  remove_unused_files(files, owner.folder, database);
}

}  // namespace tsmini
