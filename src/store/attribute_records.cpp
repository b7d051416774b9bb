#include "store/attribute_records.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/checksum.h"
#include "base/text.h"
#include "data/attribute_json.h"
#include "data/attribute_names.h"

namespace tsmini {
namespace {

std::uint64_t checksum_of_record(std::int64_t row, std::string_view record) {
  return Checksum().piece(std::as_bytes(std::span(&row, 1))).piece(record).value();
}

[[noreturn]] void throw_altered(const Database& database, std::int64_t row) {
  throw Error(
      ErrorCode::bad_input,
      fmt::format("{}: the attributes of row {} were altered", database.path().string(), row),
      "restore the collection from a copy, or remove the trip and add it again");
}

// Goes through the attributes of all trips, in the order of their rows.
class AttributeScan {
 public:
  AttributeScan(Database& database, Layout layout) : database_(database) {
    if (layout == Layout::first) return;  // it has no such table
    statement_.emplace(database, "SELECT row, checksum, record FROM attributes ORDER BY row");
  }

  // False behind the last.
  bool next() {
    if (!statement_ || !statement_->use.step()) return false;
    row_ = statement_->use.integer(0);
    take(statement_->use);
    return true;
  }

  std::int64_t row() const { return row_; }
  const std::vector<OwnedAttribute>& attributes() const { return attributes_; }

  // The current ones out of such columns.
  void take(const Statement& columns) {
    const std::string_view record = columns.text(2);
    if (checksum_of_record(columns.integer(0), record) !=
            static_cast<std::uint64_t>(columns.integer(1)) ||
        !take_attributes(record, attributes_)) {
      throw_altered(database_, columns.integer(0));
    }
  }

 private:
  struct Use {
    Use(Database& database, std::string_view sql) : use(database.prepared(sql)) {}
    Statement use;
  };

  Database& database_;
  std::optional<Use> statement_;
  std::int64_t row_ = -1;
  std::vector<OwnedAttribute> attributes_;
};

bool fits(std::span<const Condition> conditions, std::span<const OwnedAttribute> attributes) {
  return std::all_of(conditions.begin(), conditions.end(), [&](const Condition& condition) {
    const auto found = std::find_if(
        attributes.begin(), attributes.end(),
        [&](const OwnedAttribute& attribute) { return attribute.name == condition.column; });
    return holds(condition, found == attributes.end() ? AttributeValue() : found->view().value);
  });
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

void insert_attributes(Database& database, std::int64_t row,
                       std::span<const Attribute> attributes) {
  const bool has_any = std::any_of(attributes.begin(), attributes.end(),
                                   [](const Attribute& a) { return has_value(a.value); });
  if (!has_any) return;
  const std::string record = json_of(attributes);
  database.prepared("INSERT INTO attributes VALUES (?, ?, ?)")
      .bind(1, row)
      .bind(2, static_cast<std::int64_t>(checksum_of_record(row, record)))
      .bind(3, std::string_view(record))
      .run();
}

void insert_attribute_names(Database& database, std::span<const AttributeColumn> columns) {
  for (const AttributeColumn& column : columns) {
    database.prepared("INSERT OR IGNORE INTO attribute_names VALUES (?)")
        .bind(1, std::string_view(column.name()))
        .run();
  }
}

void delete_attributes(Database& database, std::int64_t row) {
  database.prepared("DELETE FROM attributes WHERE row = ?").bind(1, row).run();
}

std::vector<OwnedAttribute> read_attributes(Database& database, Layout layout, std::int64_t row) {
  if (layout == Layout::first) return {};
  Statement select =
      database.prepared("SELECT row, checksum, record FROM attributes WHERE row = ?");
  if (!select.bind(1, row).step()) return {};
  AttributeScan one(database, Layout::first);
  one.take(select);
  return one.attributes();
}

std::vector<std::string> attribute_names(Database& database, Layout layout) {
  std::vector<std::string> names;
  if (layout == Layout::first) return names;
  Statement select = database.prepared("SELECT name FROM attribute_names ORDER BY name");
  while (select.step()) names.emplace_back(select.text(0));
  return names;
}

std::vector<std::int64_t> rows_where(Database& database, Layout layout,
                                     std::span<const Condition> conditions,
                                     const std::vector<std::int64_t>& rows) {
  const std::vector<Condition> named = with_names(conditions, attribute_names(database, layout));
  std::vector<std::int64_t> fitting;
  AttributeScan scan(database, layout);
  bool is_there = scan.next();
  for (const std::int64_t row : rows) {
    while (is_there && scan.row() < row) is_there = scan.next();
    const bool has_some = is_there && scan.row() == row;
    if (fits(named, has_some ? std::span(scan.attributes()) : std::span<const OwnedAttribute>())) {
      fitting.push_back(row);
    }
  }
  return fitting;
}

void check_attributes(Database& database, Layout layout, const std::vector<std::int64_t>& rows) {
  AttributeScan scan(database, layout);
  while (scan.next()) {
    if (!std::binary_search(rows.begin(), rows.end(), scan.row()))
      throw_altered(database, scan.row());
  }
}

}  // namespace tsmini
