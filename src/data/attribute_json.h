// The attributes of a trip as one line of JSON: {"taxi":17,"rain":true,"fare":5.0}.
//
// A number always has a point or an exponent, which an integer never has, so that each comes back
// as what it was; attributes without a value are left out. The one place in which a value becomes
// JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tsmini/attributes.h"

#include "base/json.h"

namespace tsmini {

// The JSON of all attributes.
std::string json_of(std::span<const Attribute> attributes);

// The inverse, of what json_of() writes: texts, numbers and booleans, without blanks between them.
// False, with `attributes` of no use, for anything else.
bool take_attributes(std::string_view json, std::vector<OwnedAttribute>& attributes);

// Looks up one attribute in many such texts, without making anything of the others: about 0.1
// microseconds a text.
//
//   AttributeLookup taxi("taxi");
//   AttributeValue value;
//   if (taxi.find(json_of(attributes), value)) use(value);
class AttributeLookup {
 public:
  explicit AttributeLookup(std::string_view name) : key_(json_quoted(name)) {}

  // Nothing where the object has no such name. Texts are valid until the next call and as long as
  // `json` is. False, with `value` of no use, where json_of() cannot have written the text.
  bool find(std::string_view json, AttributeValue& value);

 private:
  std::string key_;
  std::string memory_;  // of a text in which something was escaped
};

}  // namespace tsmini
