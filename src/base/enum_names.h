// The names of an enumeration's values. There is one table of them, in the order of its values:
// beside the enumeration, or with the only source that names them. Printing, reading, the lists in
// errors and in help, and the checks of choices that programs make all take that one; but a text of
// help that says something of each name may have them written out.
//
//   enum class Pool { mean, max };
//   inline constexpr std::array<std::string_view, 2> pool_names{"mean", "max"};
//
//   name_in(pool_names, Pool::max)               // "max"
//   value_in<Pool>(pool_names, "max")            // Pool::max; nothing where it is no name
//   named<Pool>(pool_names, "max", "pooling")    // the same, or an error that lists the names
//   named<Pool>(pool_names, "max", "pooling", "net.pooling")     // and is about that setting
//   listed(pool_names, "or")                     // "mean or max"
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/utf8.h"

namespace tsmini {

using NameList = std::span<const std::string_view>;

template <class Enum>
constexpr std::string_view name_in(NameList names, Enum value) {
  const auto place = static_cast<std::size_t>(value);
  assert(place < names.size());
  return names[place];
}

template <class Enum>
std::optional<Enum> value_in(NameList names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

// Throws Error(usage); `what` is the word for one of them, and the field where that has none of its
// own.
template <class Enum>
Enum named(NameList names, std::string_view name, std::string_view what,
           std::string_view field = {}) {
  if (const auto value = value_in<Enum>(names, name)) return *value;
  throw Error(ErrorCode::usage, fmt::format("unknown {} '{}'", what, printable(name)),
              fmt::format("it must be one of {}", fmt::join(names, ", ")),
              std::string(field.empty() ? what : field));
}

// At least two names as a list, with a word before the last: "dtw, edr and sspd".
inline std::string listed(NameList names, std::string_view word) {
  return fmt::format("{} {} {}", fmt::join(names.first(names.size() - 1), ", "), word,
                     names.back());
}

// The names in a table whose rows have more to them: names_of(subjects, &Subject::name).
template <class Table, class NameOf>
std::vector<std::string_view> names_of(const Table& table, const NameOf& name_of) {
  std::vector<std::string_view> names;
  names.reserve(std::size(table));
  for (const auto& row : table) names.push_back(std::invoke(name_of, row));
  return names;
}

}  // namespace tsmini
