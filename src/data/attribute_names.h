// Which attributes of a file are to be kept.
#pragma once

#include <algorithm>
#include <string_view>

#include "tsmini/import.h"

#include "base/text.h"
#include "data/part_attribute.h"

namespace tsmini {

// Whether ReadOptions::attributes keeps the attribute of that name. The case of letters does not
// matter, so that nothing asked for is lost.
inline bool is_wanted(std::string_view name, const ReadOptions& options) {
  const auto& wanted = options.attributes;
  return !wanted || name == part_attribute ||
         std::any_of(wanted->begin(), wanted->end(),
                     [&](std::string_view w) { return equal_ignoring_case(w, name); });
}

}  // namespace tsmini
