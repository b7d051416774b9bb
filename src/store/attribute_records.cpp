#include "store/attribute_records.h"

#include <string_view>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/checksum.h"
#include "base/find_name.h"
#include "base/utf8.h"
#include "data/attribute_json.h"

namespace tsmini {
namespace {

std::uint64_t checksum_of_record(std::int64_t row, std::int64_t part, std::string_view record) {
  return Checksum()
      .piece(std::as_bytes(std::span(&row, 1)))
      .piece(std::as_bytes(std::span(&part, 1)))
      .piece(record)
      .value();
}

[[noreturn]] void throw_damaged(const Database& database, std::int64_t row, std::string_view how) {
  throw Error(ErrorCode::bad_input,
              fmt::format("{}: the attributes of row {} {}", database.path().string(), row, how),
              "restore the collection from a copy, or remove the trip and add it again");
}

[[noreturn]] void throw_altered(const Database& database, std::int64_t row) {
  throw_damaged(database, row, "were altered");
}

// Columns of such a row, which were compared with their checksum: row, checksum, part, record.
struct Known {
  Known(const Database& database, const Statement& columns)
      : row(columns.integer(0)), part(columns.integer(2)), record(columns.text(3)) {
    const auto checksum = static_cast<std::uint64_t>(columns.integer(1));
    const bool is_part = part >= 0 && part <= static_cast<std::int64_t>(Part::test);
    if (!is_part || checksum_of_record(row, part, record) != checksum) throw_altered(database, row);
  }

  std::int64_t row, part;
  std::string_view record;  // until the next step
};

// Calls `visit` with what is known of each of these trips, rising. Throws for a trip of which the
// database has no such row, and, after the last, for a row of no such trip where `no_others`.
template <class Visit>
void for_each_known(Database& database, const std::vector<std::int64_t>& rows, bool no_others,
                    const Visit& visit) {
  Statement select =
      database.prepared("SELECT row, checksum, part, record FROM attributes ORDER BY row");
  auto expected = rows.begin();
  while ((expected != rows.end() || no_others) && select.step()) {
    const std::int64_t row = select.integer(0);
    if (expected != rows.end() && *expected < row) break;
    const bool is_one = expected != rows.end() && *expected == row;
    if (!is_one && no_others) throw_altered(database, row);
    if (!is_one) continue;
    visit(Known(database, select));
    ++expected;
  }
  if (expected != rows.end()) throw_damaged(database, *expected, "are lost");
}

// The conditions, with the names to the letter.
std::vector<Condition> with_names(std::span<const Condition> conditions,
                                  const std::vector<std::string>& names) {
  std::vector<Condition> result(conditions.begin(), conditions.end());
  for (Condition& condition : result) {
    if (const auto found = find_name(names, condition.column)) {
      condition.column = names[*found];
      continue;
    }
    throw Error(ErrorCode::bad_input,
                fmt::format("there is no attribute '{}'", printable(condition.column)),
                names.empty()
                    ? "the trips of the collection have no attributes"
                    : fmt::format("the attributes are {}",
                                  printable(fmt::format("{}", fmt::join(names, ", ")), 400)));
  }
  return result;
}

}  // namespace

void insert_attributes(Database& database, std::int64_t row, Part part,
                       std::span<const Attribute> attributes) {
  const std::string record = json_of(attributes);
  const auto number = static_cast<std::int64_t>(part);
  database.prepared("INSERT INTO attributes VALUES (?, ?, ?, ?)")
      .bind(1, row)
      .bind(2, static_cast<std::int64_t>(checksum_of_record(row, number, record)))
      .bind(3, number)
      .bind(4, std::string_view(record))
      .run();
}

void insert_attribute_names(Database& database, std::span<const AttributeColumn> columns) {
  for (const AttributeColumn& column : columns) {
    database.prepared("INSERT OR IGNORE INTO attribute_names (name) VALUES (?)")
        .bind(1, std::string_view(column.name()))
        .run();
  }
}

void delete_attributes(Database& database, std::int64_t row) {
  database.prepared("DELETE FROM attributes WHERE row = ?").bind(1, row).run();
}

void read_attributes(Database& database, Layout layout, StoredTrip& trip) {
  if (layout == Layout::first) return;
  const auto row = static_cast<std::int64_t>(trip.row);
  Statement select =
      database.prepared("SELECT row, checksum, part, record FROM attributes WHERE row = ?");
  if (!select.bind(1, row).step()) throw_damaged(database, row, "are lost");
  const Known known(database, select);
  trip.part = static_cast<Part>(known.part);
  if (!take_attributes(known.record, trip.attributes)) throw_altered(database, row);
}

std::vector<std::string> attribute_names(Database& database, Layout layout) {
  std::vector<std::string> names;
  if (layout == Layout::first) return names;
  Statement select = database.prepared("SELECT name FROM attribute_names ORDER BY number");
  while (select.step()) names.emplace_back(select.text(0));
  return names;
}

std::vector<std::int64_t> rows_where(Database& database, Layout layout,
                                     std::span<const Condition> conditions,
                                     const std::vector<std::int64_t>& rows) {
  const std::vector<Condition> named = with_names(conditions, attribute_names(database, layout));
  std::vector<AttributeLookup> lookups;
  lookups.reserve(named.size());
  for (const Condition& condition : named) lookups.emplace_back(condition.column);
  std::vector<std::int64_t> fitting;
  for_each_known(database, rows, false, [&](const Known& known) {
    AttributeValue value;
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (!lookups[i].find(known.record, value)) throw_altered(database, known.row);
      if (!holds(named[i], value)) return;
    }
    fitting.push_back(known.row);
  });
  return fitting;
}

void check_attributes(Database& database, Layout layout, const std::vector<std::int64_t>& rows) {
  if (layout == Layout::first) return;
  std::vector<OwnedAttribute> attributes;
  for_each_known(database, rows, true, [&](const Known& known) {
    if (!take_attributes(known.record, attributes)) throw_altered(database, known.row);
  });
}

}  // namespace tsmini
