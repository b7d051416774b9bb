#include "tsmini/where.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/text.h"
#include "base/utf8.h"
#include "data/csv_fields.h"

namespace tsmini {
namespace {

// The longer ones first: "<=" begins with "<".
constexpr std::array<std::pair<std::string_view, Comparison>, 6> operators{{
    {"!=", Comparison::unequal},
    {"<=", Comparison::at_most},
    {">=", Comparison::at_least},
    {"=", Comparison::equal},
    {"<", Comparison::less},
    {">", Comparison::greater},
}};

template <class T>
bool compares(const T& found, Comparison comparison, const T& wanted) {
  switch (comparison) {
    case Comparison::equal: return found == wanted;
    case Comparison::unequal: return found != wanted;
    case Comparison::less: return found < wanted;
    case Comparison::at_most: return found <= wanted;
    case Comparison::greater: return found > wanted;
    case Comparison::at_least: return found >= wanted;
  }
  return false;
}

std::optional<double> finite_from(std::string_view text) {
  const auto number = number_from(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

bool is_of_order(Comparison comparison) {
  return comparison != Comparison::equal && comparison != Comparison::unequal;
}

bool is_whole(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// Whether two integers, of which at least one does not fit into 64 bits, are compared as text: by =
// and !=, for which doubles round too much.
bool are_compared_by_digits(const Condition& condition, std::string_view text) {
  return !is_of_order(condition.comparison) && is_whole(condition.value) && is_whole(text);
}

}  // namespace

Condition condition_from(std::string_view text) {
  const std::size_t at = text.find_first_of("!=<>");
  for (const auto& [sign, comparison] : operators) {
    if (at == std::string_view::npos || !text.substr(at).starts_with(sign)) continue;
    Condition condition;
    condition.column = trimmed(text.substr(0, at));
    if (condition.column.empty()) break;
    condition.comparison = comparison;
    condition.value = trimmed(text.substr(at + sign.size()));
    condition.number = finite_from(condition.value);
    // A number may have a decimal comma, unless that may divide thousands.
    if (!condition.number) condition.number = decimal_comma_from(condition.value, true);
    condition.integer = integer_from(condition.value);
    return condition;
  }
  throw Error(ErrorCode::usage, fmt::format("'{}' is not a condition", printable(text)),
              "write COLUMN=VALUE, or !=, <, <=, >, >= in place of =", "where");
}

std::string text_of(const Condition& condition) {
  for (const auto& [sign, comparison] : operators) {
    if (comparison == condition.comparison) {
      return fmt::format("{}{}{}", condition.column, sign, condition.value);
    }
  }
  return {};
}

bool holds_for_text(const Condition& condition, std::string_view text) {
  const Comparison comparison = condition.comparison;
  if (text.empty()) {
    return comparison == (condition.value.empty() ? Comparison::equal : Comparison::unequal);
  }
  if (condition.integer) {
    if (const auto integer = integer_from(text))
      return compares(*integer, comparison, *condition.integer);
  }
  if (condition.number && !are_compared_by_digits(condition, trimmed(text))) {
    if (const auto number = finite_from(text))
      return compares(*number, comparison, *condition.number);
    if (is_of_order(comparison)) return false;  // what is no number is not above one, nor below
  }
  return compares(text, comparison, std::string_view(condition.value));
}

bool holds(const Condition& condition, const AttributeValue& value) {
  if (const auto* text = std::get_if<std::string_view>(&value)) {
    return holds_for_text(condition, *text);
  }
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer && condition.integer)
    return compares(*integer, condition.comparison, *condition.integer);
  const auto* number = std::get_if<double>(&value);
  if (number && condition.number) return compares(*number, condition.comparison, *condition.number);
  return holds_for_text(condition, text_of(value));
}

}  // namespace tsmini
