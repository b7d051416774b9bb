// The part of a split in files that have no place of their own for it: an attribute of this name,
// whose values are "train", "validation" and "test". Export writes it, and an import makes a part
// of it again; any other value is a bad record there.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/dataset.h"

#include "base/enum_names.h"

namespace tsmini {

inline constexpr std::string_view part_attribute = "tsmini:part";

// Removes it from the attributes and gives the part that it names; `part` stays where there is
// none, or no value of it. Gives the value, and removes nothing, where that is no part.
inline std::optional<std::string> take_part(std::vector<Attribute>& attributes, Part& part) {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [](const Attribute& a) { return a.name == part_attribute; });
  if (found == attributes.end()) return std::nullopt;
  const std::string value = text_of(found->value);
  if (!value.empty()) {
    const auto named = value_in<Part>(part_names, value);
    if (!named || named == Part::none) return value;
    part = *named;
  }
  attributes.erase(found);
  return std::nullopt;
}

}  // namespace tsmini
