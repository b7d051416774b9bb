#include "store/selection.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "store/attribute_records.h"
#include "store/records.h"

namespace tsmini {
namespace {

std::vector<std::int64_t> rows_of(Database& database, const std::vector<std::string>& ids) {
  std::vector<std::int64_t> rows;
  for (const std::string& id : ids) {
    const std::int64_t row = row_of(database, id);
    if (row >= 0) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());  // an id may come twice
  return rows;
}

std::vector<std::int64_t> rows_within(Database& database, const SearchFilter& filter) {
  std::string sql = "SELECT row FROM trips WHERE 1";
  if (filter.box) sql += " AND min_lon >= ?1 AND min_lat >= ?2 AND max_lon <= ?3 AND max_lat <= ?4";
  if (filter.times) sql += " AND first_time >= ?5 AND last_time <= ?6";
  Statement select = database.prepared(sql);
  if (filter.box) {
    select.bind(1, filter.box->min_lon).bind(2, filter.box->min_lat);
    select.bind(3, filter.box->max_lon).bind(4, filter.box->max_lat);
  }
  if (filter.times) select.bind(5, filter.times->first).bind(6, filter.times->second);
  std::vector<std::int64_t> rows;
  while (select.step()) rows.push_back(select.integer(0));
  std::sort(rows.begin(), rows.end());
  return rows;
}

// Whether it names those that pass, and not only those that do not.
bool names_rows(const SearchFilter& filter) {
  return filter.ids || filter.box || filter.times || !filter.where.empty();
}

}  // namespace

RowSelection select_rows(Database& database, const SearchFilter& filter) {
  RowSelection selection;
  selection.excluded = rows_of(database, filter.excluded);
  if (!names_rows(filter)) return selection;
  std::vector<std::int64_t> rows;
  if (!filter.ids || filter.box || filter.times) rows = rows_within(database, filter);
  if (filter.ids) {
    std::vector<std::int64_t> named = rows_of(database, *filter.ids);
    if (filter.box || filter.times) {
      std::vector<std::int64_t> both;
      std::set_intersection(rows.begin(), rows.end(), named.begin(), named.end(),
                            std::back_inserter(both));
      named = std::move(both);
    }
    rows = std::move(named);
  }
  if (!filter.where.empty()) {
    rows = rows_where(database, layout_of(database), filter.where, rows);
  }
  selection.rows = shared(std::move(rows));
  return selection;
}

std::vector<std::int64_t> all_rows(Database& database) {
  return rows_within(database, {});
}

RowSelection RecentSelection::get(const Readers::Lease& lease, std::int64_t change,
                                  const SearchFilter& filter) {
  if (!names_rows(filter)) return select_rows(*lease, filter);
  const auto recent = [&] {
    const std::lock_guard lock(mutex_);
    return recent_;
  }();
  if (recent && recent->change == change && recent->ids == filter.ids &&
      recent->box == filter.box && recent->times == filter.times && recent->where == filter.where) {
    return {recent->rows, rows_of(*lease, filter.excluded)};
  }
  RowSelection selection = select_rows(*lease, filter);
  if (!lease.is_sound()) return selection;
  auto made = std::make_shared<const Recent>(
      Recent{change, filter.ids, filter.box, filter.times, filter.where, selection.rows});
  const std::lock_guard lock(mutex_);
  recent_ = std::move(made);
  return selection;
}

}  // namespace tsmini
