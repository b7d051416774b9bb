#include "tsmini/attributes.h"

#include <utility>

#include <fmt/format.h>

namespace tsmini {

std::string_view name_of(AttributeType type) {
  switch (type) {
    case AttributeType::text: return "text";
    case AttributeType::integer: return "integer";
    case AttributeType::number: return "number";
    case AttributeType::boolean: return "boolean";
  }
  return "text";
}

std::string text_of(const AttributeValue& value) {
  if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? "true" : "false";
  return {};
}

class AttributeColumn::Storage {};

AttributeColumn::AttributeColumn(std::string name, AttributeType type,
                                 std::shared_ptr<const Storage> storage)
    : name_(std::move(name)), type_(type), storage_(std::move(storage)) {}

AttributeValue AttributeColumn::operator[](std::size_t /*index*/) const {
  return {};
}

}  // namespace tsmini
