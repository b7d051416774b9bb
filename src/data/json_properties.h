// The properties of a JSON object as attributes of a trip, typed as JSON types them: strings,
// integers, numbers, booleans. Null is no value; objects and arrays are kept as their JSON text, as
// are numbers that neither an int64 nor a float64 can hold.
//
//   JsonProperties properties;
//   properties.add(key, value);          // simdjson's
//   properties.add_to(builder);
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "data/track_batch.h"

namespace tsmini {

// A string without its quotes, or a number as it stands there; of other values nothing.
std::string scalar_text(simdjson::ondemand::value value);

class JsonProperties {
 public:
  // Throws simdjson_error where the value is not JSON.
  void add(std::string_view key, simdjson::ondemand::value value);
  void add_all(simdjson::ondemand::object object);
  void add_to(TrackBuilder& builder) const;

  // Removes one of that name, and gives its text; empty where there is none or it is no scalar.
  std::string take(std::string_view key);
  void clear();

 private:
  // Name and text lie in `text_`; other values are in `value` itself.
  struct Property {
    std::size_t name_begin = 0, name_size = 0, text_begin = 0, text_size = 0;
    AttributeValue value;
    bool is_scalar = true;
  };
  std::string_view name_of(const Property& property) const {
    return std::string_view(text_).substr(property.name_begin, property.name_size);
  }
  std::string_view text_in(const Property& property) const {
    return std::string_view(text_).substr(property.text_begin, property.text_size);
  }

  std::vector<Property> properties_;
  std::string text_;
};

}  // namespace tsmini
