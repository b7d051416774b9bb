#include "data/attribute_json.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace tsmini {
namespace {

using Json = nlohmann::ordered_json;

Json json_from(const AttributeValue& value) {
  return std::visit(
      [](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::monostate>) {
          return Json();
        } else {
          return Json(held);
        }
      },
      value);
}

bool take_value(const Json& json, OwnedAttribute::Value& value) {
  if (json.is_string()) {
    value = json.get<std::string>();
  } else if (json.is_boolean()) {
    value = json.get<bool>();
  } else if (json.is_number_integer()) {
    value = json.get<std::int64_t>();
  } else if (json.is_number_float()) {
    value = json.get<double>();
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string json_of(std::span<const Attribute> attributes) {
  Json json = Json::object();
  for (const Attribute& attribute : attributes) {
    if (has_value(attribute.value)) json[std::string(attribute.name)] = json_from(attribute.value);
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool take_attributes(std::string_view json, std::vector<OwnedAttribute>& attributes) {
  attributes.clear();
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) return false;
  for (const auto& [name, value] : object.items()) {
    OwnedAttribute attribute;
    attribute.name = name;
    if (!take_value(value, attribute.value)) return false;
    attributes.push_back(std::move(attribute));
  }
  return true;
}

}  // namespace tsmini
