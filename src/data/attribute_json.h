// The attributes of a trip as one line of JSON: {"taxi":17,"rain":true,"fare":5.0}.
//
// A number always has a point or an exponent, which an integer never has, so that each comes back
// as what it was; attributes without a value are left out.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/attributes.h"

namespace tsmini {

std::string json_of(std::span<const Attribute> attributes);

// The inverse. False, with `attributes` of no use, where the text is not an object of texts,
// numbers and booleans.
bool take_attributes(std::string_view json, std::vector<OwnedAttribute>& attributes);

}  // namespace tsmini
