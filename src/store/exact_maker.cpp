#include "store/exact_maker.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "tsmini/error.h"

#include "base/file.h"
#include "search/exact_part.h"
#include "store/companions.h"
#include "store/exact_view.h"
#include "store/records.h"

namespace tsmini {
namespace {

constexpr std::int64_t few_unlaid = 4096;    // are laid out in no time
constexpr std::int64_t tolerated_worn = 10;  // a tenth

// Which trips have to be laid out, and in which state of things that was found.
struct Plan {
  std::vector<ExactRecord> records;
  std::int64_t compactions = 0;
  std::int64_t first_row = 0, end_row = 0;

  static Plan make(const ExactOwner& owner, Database& database, IndexWork work) {
    const Transaction reading(database, Transaction::Kind::read);
    const CollectionState state = CollectionState::read(database);
    Plan plan;
    plan.records = ExactRecord::read_all(database, Layout::current);
    plan.compactions = state.compactions;
    plan.end_row = state.next_row;
    const ExactBacklog backlog = ExactBacklog::read(owner, database, Layout::current);
    const bool is_worn = backlog.removed * tolerated_worn > backlog.held;
    if (work == IndexWork::anew || is_worn) return plan;
    plan.first_row = state.next_row - backlog.rows;
    plan.take_smaller(owner.most_trips);
    return plan;
  }

  // The files before that are not larger than what follows them.
  void take_smaller(std::size_t most_trips) {
    for (auto r = records.rbegin(); r != records.rend() && first_row < end_row; ++r) {
      if (r->end_row > first_row) continue;
      const bool fits = end_row - r->first_row <= static_cast<std::int64_t>(most_trips);
      if (!fits || r->rows() > end_row - first_row) return;
      first_row = r->first_row;
    }
  }

  bool still_holds(Database& database) const {
    return CollectionState::read(database).compactions == compactions &&
           ExactRecord::read_all(database, Layout::current) == records;
  }
};

// Makes a file of rows from the first on, as many as there is room for.
ExactRecord make_file(const ExactOwner& owner, Database& database, std::int64_t first_row,
                      std::int64_t end_row, const Heartbeat& heartbeat) {
  const TripsInPlane trips = [&] {
    const Transaction reading(database, Transaction::Kind::read);
    return TripsInPlane::read(owner, database, Layout::current, first_row, end_row, heartbeat);
  }();
  ExactRecord record{first_row, trips.end_row, ""};
  if (trips.rows.empty()) return record;
  record.name = CollectionFolder::new_exact_name();
  const std::filesystem::path file = owner.folder.path() / record.name;
  SearchTablesFile::save(file, SearchTables::of(trips.points), trips.rows,
                         exact_mark(owner, record.name));
  make_durable(file);
  return record;
}

// False where others got ahead and have not done what is asked for.
bool try_to_make(const ExactOwner& owner, Database& database, IndexWork work,
                 const Progress& progress) {
  const Plan plan = Plan::make(owner, database, work);
  const Heartbeat heartbeat(progress, static_cast<std::uint64_t>(plan.end_row - plan.first_row));
  std::vector<ExactRecord> made;
  for (std::int64_t row = plan.first_row; row < plan.end_row; row = made.back().end_row) {
    made.push_back(make_file(owner, database, row, plan.end_row, heartbeat));
    heartbeat.advance(static_cast<std::uint64_t>(made.back().rows()));
  }
  if (made.empty() && plan.records.empty()) return true;
  Transaction writing(database, Transaction::Kind::write);
  if (!plan.still_holds(database)) return work == IndexWork::extend;
  if (made.empty() && plan.records.back().end_row == plan.first_row) return true;
  database.prepared("DELETE FROM exact_files WHERE first_row >= ?").bind(1, plan.first_row).run();
  for (const ExactRecord& record : made) record.insert(database);
  count_change(database);
  writing.commit();
  return true;
}

}  // namespace

ExactBacklog ExactBacklog::read(const ExactOwner& owner, Database& database, Layout layout) {
  ExactBacklog backlog;
  std::int64_t end_row = 0;
  const std::vector<std::int64_t> removed = removed_rows(database);
  for (const ExactRecord& record : ExactRecord::read_all(database, layout)) {
    try {
      if (!record.name.empty()) {
        const ExactPart part(record.load(owner));
        backlog.held += static_cast<std::int64_t>(part.size());
        const auto first = std::lower_bound(removed.begin(), removed.end(), record.first_row);
        const auto last = std::lower_bound(first, removed.end(), record.end_row);
        backlog.removed +=
            std::count_if(first, last, [&](std::int64_t r) { return part.holds(r); });
      }
    } catch (const Error&) {
      break;  // all behind it are made anew with it
    }
    end_row = record.end_row;
  }
  backlog.rows = CollectionState::read(database).next_row - end_row;
  return backlog;
}

bool ExactBacklog::is_large() const {
  return rows > few_unlaid || removed > std::max(few_unlaid, held / tolerated_worn);
}

void make_exact_files(const ExactOwner& owner, Database& database, IndexWork work,
                      const Progress& progress) {
  const IndexFilesLock files(owner.folder);
  while (!try_to_make(owner, database, work, progress)) {
  }
  remove_unused_files(files, owner.folder, database);
}

}  // namespace tsmini
