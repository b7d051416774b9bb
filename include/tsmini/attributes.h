// What is known of trips besides points and times: a table with a row a trip and typed columns.
//
// Columns of a CSV file and properties of a GeoJSON feature become attributes; they are kept in the
// data set, trips are picked by them (tsmini/where.h), and they are written again by export. A trip
// need not have a value in every column. Names are unique; a data set has at most 1,024 columns.
//
//   for (const AttributeColumn& column : data.attributes()) {
//     std::cout << column.name() << ' ' << name_of(column.type()) << '\n';
//   }
//   if (const AttributeColumn* taxi = data.attribute("taxi")) use((*taxi)[trip]);
//
// Values are views into the data set, and stay valid as long as it does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tsmini {

enum class AttributeType : std::uint8_t { text = 0, integer = 1, number = 2, boolean = 3 };
std::string_view name_of(AttributeType type);

// Nothing, or a value of one of the types.
using AttributeValue = std::variant<std::monostate, std::string_view, std::int64_t, double, bool>;

inline bool has_value(const AttributeValue& value) {
  return !std::holds_alternative<std::monostate>(value);
}
// The value as export writes it: numbers with the fewest digits that read back, and a point or an
// exponent; "true" and "false"; empty where there is none.
std::string text_of(const AttributeValue& value);
// The value as JSON: null where there is none, or a number that is not finite.
std::string json_text(const AttributeValue& value);

// One attribute of one trip, on its way into a data set.
struct Attribute {
  std::string_view name;
  AttributeValue value;
  // Text out of a file without types: a column of which all values are integers, numbers or
  // booleans when read as such becomes one, any other stays text (docs/formats.md). Empty text is
  // no value then.
  bool is_untyped = false;
  // Untyped text that is a number with a decimal comma, such as "9,5": its column may still become
  // one of numbers.
  bool has_decimal_comma = false;
};

// One attribute of a trip that is in no data set: it owns its text.
struct OwnedAttribute {
  using Value = std::variant<std::monostate, std::string, std::int64_t, double, bool>;

  std::string name;
  Value value;

  OwnedAttribute() = default;
  OwnedAttribute(const Attribute& attribute);  // NOLINT(google-explicit-constructor): a copy
  Attribute view() const;
  friend bool operator==(const OwnedAttribute&, const OwnedAttribute&) = default;
};
std::vector<Attribute> views_of(std::span<const OwnedAttribute> attributes);

// One column of a data set: a value for each of its trips.
class AttributeColumn {
 public:
  const std::string& name() const { return name_; }
  AttributeType type() const { return type_; }
  // The value of a trajectory, by its index in the data set. Constant time.
  AttributeValue operator[](std::size_t index) const;
  // How many trajectories have a value.
  std::uint64_t count() const;

  class Storage;
  AttributeColumn(std::string name, AttributeType type, std::shared_ptr<const Storage> storage);

 private:
  std::string name_;
  AttributeType type_;
  std::shared_ptr<const Storage> storage_;
};

}  // namespace tsmini
