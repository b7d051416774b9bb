// A condition on an attribute of a trip: which ones are wanted.
//
//   const Condition busy = condition_from("occupied=1");
//   if (holds(busy, value)) use(trip);
//
// "COLUMN=VALUE", "!=", "<", "<=", ">", ">="; of several operators in a text the first counts.
// Where the value of the condition and that of the trip both are finite numbers (text that reads as
// one among them), they are compared as numbers, otherwise as text, byte by byte; but text that is
// no number is neither above a number nor below it. Booleans are "true" and "false". Integers of 64
// bits are compared exactly, and whether larger ones are equal is a matter of their digits, so that
// long ids are never taken for one another. A trip without a value fits "!=" and an "=" of nothing,
// and no other condition.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tsmini/attributes.h"

namespace tsmini {

enum class Comparison { equal, unequal, less, at_most, greater, at_least };

struct Condition {
  std::string column;
  Comparison comparison = Comparison::equal;
  std::string value;
  std::optional<double> number;         // the value, where it reads as a finite one
  std::optional<std::int64_t> integer;  // the value, where it reads as one

  friend bool operator==(const Condition&, const Condition&) = default;
};

// Throws Error(usage) that shows the form.
Condition condition_from(std::string_view text);
std::string text_of(const Condition& condition);

bool holds(const Condition& condition, const AttributeValue& value);
// The same for text that has no type yet.
bool holds_for_text(const Condition& condition, std::string_view text);

}  // namespace tsmini
