#include "data/attribute_types.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "base/text.h"

namespace tsmini {
namespace {

constexpr TypeSet text_set = set_of(AttributeType::text);
constexpr TypeSet number_set = set_of(AttributeType::number) | text_set;
constexpr TypeSet boolean_set = set_of(AttributeType::boolean) | text_set;

TypeSet set_of_integer(std::int64_t value) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;  // all of these are float64, too
  const bool is_number = value >= -exact && value <= exact;
  return set_of(AttributeType::integer) | (is_number ? number_set : text_set);
}

// Moves the front of `text` behind its digits; false where there are none.
bool take_digits(std::string_view& text) {
  const std::size_t before = text.size();
  while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
  return text.size() < before;
}

enum class Shape { other, integer, number };

// The shape by the grammar of JSON.
Shape shape_of(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const bool is_zero = text.starts_with('0');
  const std::size_t before = text.size();
  if (!take_digits(text) || (is_zero && before - text.size() > 1)) return Shape::other;
  if (text.empty()) return is_negative && is_zero ? Shape::number : Shape::integer;
  if (text.front() == '.') {
    text.remove_prefix(1);
    if (!take_digits(text)) return Shape::other;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    if (!take_digits(text)) return Shape::other;
  }
  return text.empty() ? Shape::number : Shape::other;
}

// A comma that a number has is its decimal one.
std::string with_decimal_point(std::string_view number) {
  std::string result(number);
  std::replace(result.begin(), result.end(), ',', '.');
  return result;
}

TypeSet types_of_text(std::string_view text) {
  switch (shape_of(text)) {
    case Shape::integer: {
      const auto value = integer_from(text);
      return value ? set_of_integer(*value) : text_set;
    }
    case Shape::number: return std::isfinite(*number_from(text)) ? number_set : text_set;
    case Shape::other: break;
  }
  const bool is_boolean = equal_ignoring_case(text, "true") || equal_ignoring_case(text, "false");
  return is_boolean ? boolean_set : text_set;
}

AttributeValue read_as(std::string_view text, AttributeType type) {
  switch (type) {
    case AttributeType::text: return text;
    case AttributeType::integer: return *integer_from(text);
    case AttributeType::number: return *number_from(with_decimal_point(text));
    case AttributeType::boolean: return equal_ignoring_case(text, "true");
  }
  return {};
}

}  // namespace

TypeSet types_of(const Attribute& attribute) {
  const AttributeValue& value = attribute.value;
  if (const auto* text = std::get_if<std::string_view>(&value)) {
    if (attribute.has_decimal_comma) return types_of_text(with_decimal_point(*text));
    return attribute.is_untyped ? types_of_text(*text) : text_set;
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return set_of_integer(*integer);
  if (std::holds_alternative<double>(value)) return number_set;
  return std::holds_alternative<bool>(value) ? boolean_set : all_types;
}

AttributeType narrowest(TypeSet types) {
  for (const AttributeType type :
       {AttributeType::boolean, AttributeType::integer, AttributeType::number}) {
    if ((types & set_of(type)) != 0) return type;
  }
  return AttributeType::text;
}

AttributeValue as_type(const AttributeValue& value, AttributeType type, std::string& memory) {
  if (const auto* text = std::get_if<std::string_view>(&value)) return read_as(*text, type);
  if (type == AttributeType::text) {
    memory = text_of(value);
    return std::string_view(memory);
  }
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer != nullptr && type == AttributeType::number) return static_cast<double>(*integer);
  return value;
}

}  // namespace tsmini
