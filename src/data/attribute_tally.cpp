#include "data/attribute_tally.h"

#include <algorithm>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"

namespace tsmini {

ColumnUse& AttributeTally::of(std::string_view name) {
  auto found = places_.find(name);
  if (found == places_.end()) {
    found = places_.emplace(name, all_.size()).first;
    all_.push_back({std::string(name)});
  }
  return all_[found->second];
}

void AttributeTally::add(const TrackBatch& batch, const RowColumns& columns,
                         const CleanedBatch& cleaned) {
  const std::string_view text = batch.attribute_text;
  for (const TrackAttribute& a : batch.attributes) of(text.substr(a.name_begin, a.name_size));
  for (std::size_t c = 0; c < columns.columns.size(); ++c) {
    of(columns.columns[c].name).changes += cleaned.changes[c];
  }
}

std::vector<ColumnUse> AttributeTally::uses() const {
  std::vector<ColumnUse> result = all_;
  std::erase_if(result, [](const ColumnUse& use) { return use.kept == 0 && use.changes == 0; });
  return result;
}

void AttributeTally::require(const ReadOptions& options) const {
  for (const Condition& condition : options.where) require(condition.column);
  for (const std::string& name : options.attributes.value_or(std::vector<std::string>())) {
    require(name);
  }
}

void AttributeTally::require(std::string_view name) const {
  std::string names;
  for (const ColumnUse& use : all_) {
    if (equal_ignoring_case(use.name, name)) return;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", use.name);
  }
  throw Error(ErrorCode::bad_input, fmt::format("no trip has an attribute '{}'", printable(name)),
              names.empty() ? "the input has none" : "there are: " + printable(names, 200));
}

}  // namespace tsmini
