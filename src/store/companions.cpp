#include "store/companions.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tsmini/error.h"

#include "search/exact_part.h"
#include "store/index_record.h"
#include "store/model_record.h"
#include "store/records.h"

namespace tsmini {
namespace {

std::vector<IndexRecord> indexes_in_force(Database& database) {
  std::vector<IndexRecord> records;
  for (const ModelRecord& model : ModelRecord::read_all(database, Layout::current)) {
    records.push_back(IndexRecord::read(database, Layout::current, model.number));
  }
  return records;
}

// A file of exact search in force.
class FileInForce {
 public:
  FileInForce(const ExactOwner& owner, ExactRecord record) : record_(std::move(record)) {
    try {
      if (!record_.name.empty()) part_.emplace(record_.load(owner));
    } catch (const Error&) {
      // may hold anything
    }
  }

  bool may_hold(std::int64_t row) const {
    if (record_.name.empty() || row < record_.first_row || row >= record_.end_row) return false;
    try {
      return !part_ || part_->holds(row);
    } catch (const DamagedFile&) {
      return true;
    }
  }

 private:
  ExactRecord record_;
  std::optional<ExactPart> part_;
};

std::vector<FileInForce> files_in_force(const ExactOwner& owner, Database& database) {
  std::vector<FileInForce> files;
  for (const ExactRecord& record : ExactRecord::read_all(database, Layout::current)) {
    files.emplace_back(owner, record);
  }
  return files;
}

}  // namespace

void forget_removed(const ExactOwner& owner, Database& database) {
  Transaction writing(database, Transaction::Kind::write);
  const std::vector<IndexRecord> indexes = indexes_in_force(database);
  const std::vector<FileInForce> files = files_in_force(owner, database);
  std::vector<std::int64_t> forgotten;
  {
    Statement select = database.prepared("SELECT number, row FROM removed");
    while (select.step()) {
      const std::int64_t row = select.integer(1);
      const bool is_held =
          std::any_of(indexes.begin(), indexes.end(),
                      [&](const IndexRecord& index) { return index.holds(row); }) ||
          std::any_of(files.begin(), files.end(),
                      [&](const FileInForce& file) { return file.may_hold(row); });
      if (!is_held) forgotten.push_back(select.integer(0));
    }
  }
  if (forgotten.empty()) return;
  for (const std::int64_t number : forgotten) {
    database.prepared("DELETE FROM removed WHERE number = ?").bind(1, number).run();
  }
  CollectionState state = CollectionState::read(database);
  ++state.change;
  ++state.compactions;
  state.write(database);
  writing.commit();
}

void remove_unused_files(const IndexFilesLock& lock, const CollectionFolder& folder,
                         Database& database) {
  if (!lock.is_alone()) return;
  const Transaction reading(database, Transaction::Kind::read);
  std::vector<std::string> names;
  for (const IndexRecord& record : indexes_in_force(database)) names.push_back(record.name);
  for (const ExactRecord& record : ExactRecord::read_all(database, Layout::current)) {
    names.push_back(record.name);
  }
  folder.remove_other_companions(names);
}

}  // namespace tsmini
