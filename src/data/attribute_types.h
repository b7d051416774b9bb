// Which types a value of an attribute can be kept as, and so which one a column gets.
//
//   TypeSet types = all_types;
//   for (const Attribute& a : values) types &= types_of(a);
//   AttributeType type = narrowest(types);  // the first of boolean, integer, number, text
//
// A value with a type keeps it; an integer of up to 53 bits is a number as well, and everything is
// text. Text without a type is an integer where it has no leading zero or plus and fits 64 bits, a
// number where JSON would take it for one ("007", "+5", ".5" and "inf" stay text, as do integers
// that a float64 cannot hold), and a boolean where it is true or false in whatever case. A number
// may have a decimal comma, where the file says so; as text it keeps it.
#pragma once

#include <cstdint>
#include <string>

#include "tsmini/attributes.h"

namespace tsmini {

using TypeSet = std::uint8_t;  // a bit for each AttributeType
inline constexpr TypeSet all_types = 0b1111;
constexpr TypeSet set_of(AttributeType type) {
  return static_cast<TypeSet>(1u << static_cast<unsigned>(type));
}

TypeSet types_of(const Attribute& attribute);
AttributeType narrowest(TypeSet types);

// The value as one of the types it can be kept as. Text that is made for it lies in `memory`.
AttributeValue as_type(const AttributeValue& value, AttributeType type, std::string& memory);

}  // namespace tsmini
