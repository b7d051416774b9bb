// Values of an enumeration by their names.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"

namespace tsmini {

// names[i] is the name of the value i. Throws Error(usage) that lists the names; `what` is the word
// for one of them.
template <class Enum, std::size_t count>
Enum named(std::string_view name, const std::array<std::string_view, count>& names,
           std::string_view what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<Enum>(found - names.begin());
  throw Error(ErrorCode::usage, fmt::format("unknown {} '{}'", what, printable(name)),
              fmt::format("it must be one of {}", fmt::join(names, ", ")));
}

}  // namespace tsmini
