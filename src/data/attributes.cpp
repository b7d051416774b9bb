#include "tsmini/attributes.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/enum_names.h"
#include "base/json.h"

namespace tsmini {
namespace {

// The number with a point or an exponent, so that it is read as a number and not as an integer.
std::string text_of_number(double number) {
  std::string text = fmt::format("{}", number);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::string_view name_of(AttributeType type) {
  constexpr std::array<std::string_view, 4> names{"text", "integer", "number", "boolean"};
  return name_in(names, type);
}

std::string text_of(const AttributeValue& value) {
  if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* number = std::get_if<double>(&value)) return text_of_number(*number);
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? "true" : "false";
  return {};
}

AttributeColumn::AttributeColumn(std::string name, AttributeType type,
                                 std::shared_ptr<const Storage> storage)
    : name_(std::move(name)), type_(type), storage_(std::move(storage)) {}

std::string json_text(const AttributeValue& value) {
  const auto* number = std::get_if<double>(&value);
  if (!has_value(value) || (number != nullptr && !std::isfinite(*number))) return "null";
  const auto* text = std::get_if<std::string_view>(&value);
  return text != nullptr ? json_quoted(*text) : text_of(value);
}

}  // namespace tsmini
