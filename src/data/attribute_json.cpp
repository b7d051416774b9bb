#include "data/attribute_json.h"

#include <charconv>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.h"

namespace tsmini {
namespace {

using Json = nlohmann::ordered_json;

// Where the text in quotes that begins the JSON ends, behind its quote; npos where it does not.
std::size_t end_of_text(std::string_view json) {
  if (!json.starts_with('"')) return std::string_view::npos;
  for (std::size_t at = 1; at < json.size(); ++at) {
    if (json[at] == '"') return at + 1;
    if (json[at] == '\\') ++at;  // what is escaped is no end
  }
  return std::string_view::npos;
}

// The same for any value.
std::size_t end_of_value(std::string_view json) {
  return json.starts_with('"') ? end_of_text(json) : json.find_first_of(",}");
}

template <class Number>
bool take_number(std::string_view json, AttributeValue& value) {
  Number number{};
  const auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), number);
  value = number;
  return error == std::errc() && end == json.data() + json.size();
}

// What stands between quotes: in `json` itself, or where something is escaped, in `memory`.
bool take_text(std::string_view json, std::string& memory, std::string_view& text) {
  text = json.substr(1, json.size() - 2);
  if (text.find('\\') == std::string_view::npos) return true;
  const Json parsed = Json::parse(json, nullptr, false);
  if (!parsed.is_string()) return false;
  memory = parsed.get<std::string>();
  text = memory;
  return true;
}

bool take_value(std::string_view json, std::string& memory, AttributeValue& value) {
  if (json.starts_with('"')) {
    std::string_view text;
    const bool is_text = take_text(json, memory, text);
    value = text;
    return is_text;
  }
  if (json == "true" || json == "false") {
    value = json == "true";
    return true;
  }
  const bool is_integer = json.find_first_of(".eE") == std::string_view::npos;
  return is_integer ? take_number<std::int64_t>(json, value) : take_number<double>(json, value);
}

enum class Next { goes_on, is_found, is_wrong };

// Calls visit(key, value) with the texts of both, quotes and all, until it says otherwise. False
// where the text is none of json_of().
template <class Visit>
bool for_each_member(std::string_view json, const Visit& visit) {
  if (json == "{}") return true;
  if (!json.starts_with('{')) return false;
  while (!json.starts_with('}')) {
    json.remove_prefix(1);  // a brace or comma
    const std::size_t key = end_of_text(json);
    if (key == std::string_view::npos || key == json.size() || json[key] != ':') return false;
    const std::string_view name = json.substr(0, key);
    json.remove_prefix(key + 1);
    const std::size_t end = end_of_value(json);
    if (end >= json.size() || (json[end] != ',' && json[end] != '}')) return false;
    const Next next = visit(name, json.substr(0, end));
    if (next != Next::goes_on) return next == Next::is_found;
    json.remove_prefix(end);
  }
  return json.size() == 1;
}

}  // namespace

std::string json_of(std::span<const Attribute> attributes) {
  std::string json = "{";
  for (const Attribute& attribute : attributes) {
    if (!has_value(attribute.value)) continue;
    if (json.size() > 1) json += ',';
    json += json_quoted(attribute.name);
    json += ':';
    json += json_text(attribute.value);
  }
  return json + "}";
}

bool take_attributes(std::string_view json, std::vector<OwnedAttribute>& attributes) {
  attributes.clear();
  std::string name_memory, value_memory;
  return for_each_member(json, [&](std::string_view key, std::string_view text) {
    Attribute attribute;
    if (!take_text(key, name_memory, attribute.name) ||
        !take_value(text, value_memory, attribute.value)) {
      return Next::is_wrong;
    }
    attributes.emplace_back(attribute);
    return Next::goes_on;
  });
}

bool AttributeLookup::find(std::string_view json, AttributeValue& value) {
  value = {};
  return for_each_member(json, [&](std::string_view key, std::string_view text) {
    if (key != key_) return Next::goes_on;
    return take_value(text, memory_, value) ? Next::is_found : Next::is_wrong;
  });
}

}  // namespace tsmini
