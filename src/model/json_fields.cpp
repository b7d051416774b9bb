#include "model/json_fields.h"

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/json.h"
#include "base/utf8.h"

namespace tsmini {
namespace {

using Json = nlohmann::json;

const Json& checked(const Json& object, const char* key, bool (*fits)(const Json&),
                    std::string_view type) {
  const Json& value = field(object, key);
  if (!fits(value)) {
    refuse_field(key, fmt::format("must be {}, not {}", type, printable(value.dump())));
  }
  return value;
}

bool is_point(const Json& value) {
  return value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number();
}

}  // namespace

void refuse_field(std::string_view key, std::string_view what) {
  throw Error(ErrorCode::bad_input, fmt::format("'{}' {}", printable(key), what),
              "the file is damaged or altered; copy or write it again");
}

const Json& field(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) refuse_field(key, "is missing");
  return *found;
}

bool flag_field(const Json& object, const char* key) {
  return checked(
             object, key, [](const Json& v) { return v.is_boolean(); }, "true or false")
      .get<bool>();
}

double number_field(const Json& object, const char* key) {
  return checked(
             object, key, [](const Json& v) { return v.is_number(); }, "a number")
      .get<double>();
}

std::size_t count_field(const Json& object, const char* key) {
  return checked(
             object, key, [](const Json& v) { return v.is_number_unsigned(); },
             "a whole number from 0 up")
      .get<std::size_t>();
}

std::string text_field(const Json& object, const char* key) {
  return checked(
             object, key, [](const Json& v) { return v.is_string(); }, "a text")
      .get<std::string>();
}

Planar point_field(const Json& object, const char* key) {
  const Json& value = checked(object, key, is_point, "two numbers");
  return {value[0].get<double>(), value[1].get<double>()};
}

const Json& object_field(const Json& object, const char* key) {
  return checked(
      object, key, [](const Json& v) { return v.is_object(); }, "an object");
}

Json provenance_json(const std::string& text) {
  if (text.empty()) return Json::object();
  Json json = strict_json(text, json_depth - 1);
  if (!json.is_object()) refuse_field("provenance", "must be a JSON object");
  return json;
}

}  // namespace tsmini
