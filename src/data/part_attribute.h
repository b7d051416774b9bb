// The part of a split in files that have no place of their own for it: an attribute of this name,
// whose values are "train", "validation" and "test". Export writes it, and an import makes a part
// of it again.
#pragma once

#include <string_view>
#include <vector>

#include "tsmini/dataset.h"

namespace tsmini {

inline constexpr std::string_view part_attribute = "tsmini:part";

// The part that one of the attributes names, which is then removed; else `otherwise`.
inline Part take_part(std::vector<Attribute>& attributes, Part otherwise) {
  for (auto a = attributes.begin(); a != attributes.end(); ++a) {
    if (a->name != part_attribute) continue;
    for (const Part part : {Part::train, Part::validation, Part::test}) {
      if (a->value != AttributeValue(name_of(part))) continue;
      attributes.erase(a);
      return part;
    }
  }
  return otherwise;
}

}  // namespace tsmini
