// Gathers the attributes of trips, row by row, and writes them as columns (attribute_section.h).
//
//   AttributeCollector collector(path);    // memory does not grow: the rest is in a hidden file
//   collector.add(trip, attributes);       // of every trip
//   if (collector.any()) collector.write([&](std::span<const std::byte> bytes) { use(bytes); });
//
// Columns are in the order in which their names first came, with a value or without; those that
// never got one are not written. Types are decided when all values are known (attribute_types.h).
// What is kept of a column meanwhile are its values, each with the number of empty rows before it,
// so that rare columns cost little.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tsmini/attributes.h"
#include "tsmini/trajectory.h"

#include "data/attribute_section.h"
#include "data/attribute_types.h"
#include "data/spill.h"

namespace tsmini {

class AttributeCollector {
 public:
  AttributeCollector() = default;  // all in memory
  explicit AttributeCollector(std::filesystem::path path) : spill_(std::move(path)) {}

  // Adds the attributes of the next trip; where a name comes twice, the first that has a value
  // counts. Throws Error(bad_input) for a name or text that is not UTF-8, and for more columns than
  // `max_columns`.
  void add(const Trajectory& trip, std::span<const Attribute> attributes);
  bool any() const { return any_; }

  static constexpr std::size_t max_columns = 1024;

  using Sink = std::function<void(std::span<const std::byte>)>;
  // Writes all bytes in order. Nothing can be added after.
  void write(const Sink& sink);

 private:
  struct Column {
    std::string name;
    TypeSet types = all_types;
    std::uint64_t count = 0;
    std::uint64_t next_row = 0;  // behind the last value
    Spill::Stream values;
  };

  Column& column_of(std::string_view name);
  void drop_empty_columns();
  void add_value(Column& column, const Attribute& attribute);
  std::uint64_t text_bytes(const Column& column);
  template <class Visit>
  void for_each_value(const Column& column, const Visit& visit);
  template <class Out>
  void write_validity(const Column& column, Out& out);
  template <class Out>
  void write_values(const Column& column, Out& out);
  template <class Out>
  void write_text(const Column& column, Out& out);

  Spill spill_;
  std::deque<Column> columns_;
  std::unordered_map<std::string_view, Column*> by_name_;
  std::vector<Column*> row_;  // while one is added
  std::uint64_t rows_ = 0;
  bool any_ = false;
};

}  // namespace tsmini
