#include "data/other_columns.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/find_name.h"
#include "base/text.h"
#include "data/attribute_names.h"

namespace tsmini {
namespace {

class OtherColumns {
 public:
  OtherColumns(const CsvHeader& header, const std::vector<NamedColumn>& named,
               const ReadOptions& options, CsvColumns& columns)
      : header_(header), named_(named), options_(options), columns_(columns), known_(named) {}

  void choose() {
    for (const NamedColumn& column : named_) add_attribute(column);
    if (columns_.has_header) add_header();
    RowColumns& others = columns_.others;
    for (const NamedColumn& column : known_) {
      if (column.place < columns_.least) others.names.push_back(column.name);
    }
    for (const Condition& condition : options_.where) {
      others.where.push_back(needed(condition.column));
    }
    if (!options_.cut_on.empty()) others.cut_on = needed(options_.cut_on);
  }

 private:
  std::string header_name(std::size_t place) const {
    return attribute_name(header_.names()[place], place);
  }

  // For each column of the header whether it has a role or was named.
  std::vector<char> taken_columns() const {
    std::vector<char> taken(header_.names().size());
    taken[columns_.lon] = taken[columns_.lat] = 1;
    for (const auto* places : {&columns_.id, &columns_.time, &columns_.places}) {
      for (const std::size_t place : *places) taken[place] = 1;
    }
    return taken;
  }

  void add_header() {
    std::vector<std::string> names;
    std::vector<std::size_t> places;
    for (const NamedColumn& column : named_) {
      names.push_back(column.name);
      places.push_back(column.place);
    }
    const std::vector<char> taken = taken_columns();
    for (std::size_t i = 0; i < taken.size(); ++i) {
      known_.push_back({header_name(i), i});
      if (taken[i] != 0) continue;
      names.push_back(header_name(i));
      places.push_back(i);
    }
    const std::vector<std::string> distinct = distinct_names(names);
    for (std::size_t k = named_.size(); k < places.size(); ++k) {
      if (distinct[k] != names[k]) known_.push_back({distinct[k], places[k]});
      if (options_.attributes) require_clear(names[k], places[k]);
      add_attribute({distinct[k], places[k]});
    }
  }

  // A column that is asked for by its name is the only one of it.
  void require_clear(const std::string& name, std::size_t place) const {
    const bool is_named = std::any_of(named_.begin(), named_.end(),
                                      [&](const NamedColumn& c) { return c.name == name; });
    if (is_wanted(name, options_) && !is_named) header_.require_single(place);
  }

  // A blank column without a name holds nothing.
  void add_attribute(const NamedColumn& column) {
    if (column.place >= columns_.least || !is_wanted(column.name, options_)) return;
    columns_.others.columns.push_back({column.name, true, false});
    columns_.places.push_back(column.place);
  }

  // A column that every value is needed of: one of the others, or any of the file.
  std::size_t needed(std::string_view name) {
    auto& all = columns_.others.columns;
    const std::size_t place = place_of(name);
    const auto read = std::find(columns_.places.begin(), columns_.places.end(), place);
    if (read != columns_.places.end()) {
      const auto at = static_cast<std::size_t>(read - columns_.places.begin());
      all[at].is_needed = true;
      return at;
    }
    all.push_back({std::string(name), false, true});
    columns_.places.push_back(place);
    return all.size() - 1;
  }

  std::size_t place_of(std::string_view name) const {
    const auto found = find_name(known_, name, &NamedColumn::name);
    if (!found) return header_.place_of(name);
    const std::size_t place = known_[*found].place;
    const std::size_t behind_header = named_.size() + header_.names().size();
    if (*found >= named_.size() && *found < behind_header) header_.require_single(place);
    return place;
  }

  const CsvHeader& header_;
  const std::vector<NamedColumn>& named_;
  const ReadOptions& options_;
  CsvColumns& columns_;
  // Columns that were named, those of the header, and again those of the header that got another
  // name.
  std::vector<NamedColumn> known_;
};

}  // namespace

void choose_other_columns(const CsvHeader& header, const std::vector<NamedColumn>& named,
                          const ReadOptions& options, CsvColumns& columns) {
  OtherColumns(header, named, options, columns).choose();
}

}  // namespace tsmini
