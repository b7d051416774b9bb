// Which thing a user means by a name: the one that is called so to the letter, else the only one
// whose name differs in the case of ASCII letters alone.
//
//   const auto at = find_name(attributes, "taxi", &Attribute::name);
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "base/text.h"

namespace tsmini {

// The place of the first of that name; nothing where there is none, or where several names differ
// from it, and from one another, in case.
template <class All, class NameOf = std::identity>
std::optional<std::size_t> find_name(const All& all, std::string_view wanted,
                                     const NameOf& name_of = {}) {
  std::optional<std::size_t> similar;
  bool is_ambiguous = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string_view name = std::invoke(name_of, all[i]);
    if (name == wanted) return i;
    if (!equal_ignoring_case(name, wanted)) continue;
    if (!similar) similar = i;
    is_ambiguous |= name != std::string_view(std::invoke(name_of, all[*similar]));
  }
  return is_ambiguous ? std::nullopt : similar;
}

}  // namespace tsmini
