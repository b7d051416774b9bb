#include "tsmini/pick.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/find_name.h"
#include "base/utf8.h"

namespace tsmini {
namespace {

std::string names_of(std::span<const AttributeColumn> columns) {
  std::string names;
  for (const AttributeColumn& column : columns) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", printable(column.name()));
  }
  return names;
}

const AttributeColumn& column_of(const Dataset& data, const Condition& condition) {
  const auto columns = data.attributes();
  const auto found = find_name(columns, condition.column, &AttributeColumn::name);
  if (found) return columns[*found];
  const std::string names = names_of(columns);
  throw Error(ErrorCode::bad_input,
              fmt::format("there is no attribute '{}'", printable(condition.column)),
              names.empty() ? "the data set has no attributes" : "the attributes are " + names);
}

// Keeps the indices for which `wanted` holds.
template <class Wanted>
void keep_if(std::vector<std::size_t>& indices, const Wanted& wanted) {
  std::erase_if(indices, [&](std::size_t i) { return !wanted(i); });
}

std::vector<std::size_t> with_ids(const Dataset& data, const std::vector<std::string>& ids) {
  std::unordered_map<std::string_view, bool> found;
  for (const std::string& id : ids) found.emplace(id, false);
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto entry = found.find(data[i].id);
    if (entry == found.end()) continue;
    entry->second = true;
    indices.push_back(i);
  }
  for (const std::string& id : ids) {
    if (found[id]) continue;
    throw Error(ErrorCode::bad_input, fmt::format("there is no trajectory '{}'", printable(id)),
                "ids are those of the data set, to the letter");
  }
  return indices;
}

}  // namespace

bool Picking::is_everything() const {
  return ids.empty() && !part && !box && where.empty() && !limit;
}

std::vector<std::size_t> pick(const Dataset& data, const Picking& picking) {
  std::vector<std::size_t> indices;
  if (picking.ids.empty()) {
    indices.resize(data.size());
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
  } else {
    indices = with_ids(data, picking.ids);
  }
  if (picking.part) keep_if(indices, [&](std::size_t i) { return data.part(i) == *picking.part; });
  for (const Condition& condition : picking.where) {
    const AttributeColumn& column = column_of(data, condition);
    keep_if(indices, [&](std::size_t i) { return holds(condition, column[i]); });
  }
  if (picking.box) {
    keep_if(indices, [&](std::size_t i) {
      const auto points = data[i].points;
      return std::all_of(points.begin(), points.end(),
                         [&](const Position& p) { return picking.box->contains(p); });
    });
  }
  if (picking.limit && *picking.limit < indices.size()) indices.resize(*picking.limit);
  return indices;
}

Dataset subset(const Dataset& data, std::span<const std::size_t> indices) {
  DatasetBuilder builder(data.info().coordinates);
  for (const std::size_t i : indices) {
    builder.add(data[i], data.part(i), attributes_of(data, i));
  }
  return builder.finish(data.info().provenance);
}

}  // namespace tsmini
