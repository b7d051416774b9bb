#include "data/json_properties.h"

#include "base/text.h"
#include "data/attribute_types.h"

namespace tsmini {
namespace {

namespace json = simdjson::ondemand;

std::string_view number_text(json::value& value) {
  const std::string_view token = value.raw_json_token();
  return token.substr(0, token.find_first_of(" \t\r\n"));
}

// What the text of a number is, where its letters are those of one.
AttributeValue number_in(std::string_view text) {
  if (text.find_first_not_of("-+.0123456789eE") != std::string_view::npos) {
    throw simdjson::simdjson_error(simdjson::TAPE_ERROR);
  }
  std::string unused;
  return as_type(text, narrowest(types_of({{}, text, true})), unused);
}

std::string_view raw_text(json::value& value) {
  if (value.type() == json::json_type::array) {
    json::array array = value.get_array();
    return trimmed(array.raw_json());
  }
  json::object object = value.get_object();
  return trimmed(object.raw_json());
}

}  // namespace

std::string scalar_text(json::value value) {
  const json::json_type type = value.type();
  if (type == json::json_type::string) return std::string(std::string_view(value.get_string()));
  return type == json::json_type::number ? std::string(number_text(value)) : std::string();
}

void JsonProperties::add(std::string_view key, json::value value) {
  Property property;
  property.name_begin = text_.size();
  property.name_size = key.size();
  text_ += key;
  property.text_begin = text_.size();
  switch (value.type()) {
    case json::json_type::string:
      property.value = std::string_view(value.get_string());
      text_ += std::get<std::string_view>(property.value);
      break;
    case json::json_type::number:
      property.value = number_in(number_text(value));
      text_ += number_text(value);
      break;
    case json::json_type::boolean: property.value = bool(value.get_bool()); break;
    case json::json_type::null:
      if (!value.is_null()) throw simdjson::simdjson_error(simdjson::TAPE_ERROR);
      break;
    case json::json_type::array:
    case json::json_type::object:
      property.value = raw_text(value);
      property.is_scalar = false;
      text_ += std::get<std::string_view>(property.value);
      break;
  }
  property.text_size = text_.size() - property.text_begin;
  properties_.push_back(property);
}

void JsonProperties::add_all(json::object object) {
  for (auto member : object) {
    const std::string_view key = member.unescaped_key();
    add(key, member.value());
  }
}

void JsonProperties::add_to(TrackBuilder& builder) const {
  for (const Property& property : properties_) {
    const bool is_text = std::holds_alternative<std::string_view>(property.value);
    builder.add_attribute(
        {name_of(property), is_text ? AttributeValue(text_in(property)) : property.value});
  }
}

std::string JsonProperties::take(std::string_view key) {
  for (auto property = properties_.begin(); property != properties_.end(); ++property) {
    if (name_of(*property) != key || !property->is_scalar) continue;
    std::string text(text_in(*property));
    properties_.erase(property);
    return text;
  }
  return {};
}

void JsonProperties::clear() {
  properties_.clear();
  text_.clear();
}

}  // namespace tsmini
