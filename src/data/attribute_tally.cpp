#include "data/attribute_tally.h"

#include <algorithm>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/find_name.h"
#include "base/text.h"
#include "base/utf8.h"
#include "data/part_attribute.h"

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
  for (const std::string& name : columns.names) of(name);
  for (std::size_t c = 0; c < columns.columns.size(); ++c) {
    of(columns.columns[c].name).changes += cleaned.changes[c];
  }
  took_other_case_.resize(cleaned.took_other_case.size());
  for (std::size_t k = 0; k < took_other_case_.size(); ++k) {
    took_other_case_[k] |= cleaned.took_other_case[k];
  }
}

std::vector<ColumnUse> AttributeTally::uses() const {
  std::vector<ColumnUse> result = all_;
  std::erase_if(result, [](const ColumnUse& use) {
    return use.changes == 0 && (use.kept == 0 || use.name == part_attribute);
  });
  return result;
}

bool AttributeTally::has_several(std::string_view name) const {
  return std::count_if(all_.begin(), all_.end(), [&](const ColumnUse& use) {
           return equal_ignoring_case(use.name, name);
         }) > 1;
}

void AttributeTally::require_wanted(const ReadOptions& options) const {
  for (const std::string& name : options.attributes.value_or(std::vector<std::string>())) {
    const bool is_there = std::any_of(all_.begin(), all_.end(), [&](const ColumnUse& use) {
      return equal_ignoring_case(use.name, name);
    });
    if (!is_there) refuse(fmt::format("no trip has an attribute '{}'", printable(name)));
  }
}

void AttributeTally::require_conditions(const ReadOptions& options) const {
  for (std::size_t k = 0; k < options.where.size(); ++k) {
    const std::string& name = options.where[k].column;
    if (!find_name(all_, name, &ColumnUse::name)) {
      refuse(fmt::format("no trip has an attribute '{}'", printable(name)));
    }
    if (k < took_other_case_.size() && took_other_case_[k] != 0 && has_several(name)) {
      refuse(fmt::format("the trips have '{}' in different cases", printable(name)));
    }
  }
}

void AttributeTally::refuse(const std::string& what) const {
  std::string names;
  for (const ColumnUse& use : all_) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", use.name);
  }
  throw Error(ErrorCode::bad_input, what,
              names.empty() ? "the input has none" : "there are: " + printable(names, 200));
}

}  // namespace tsmini
