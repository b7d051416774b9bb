// The attributes of a data set as bytes: a table of columns, and the columns in the layout of Arrow
// (docs/formats.md has the specification). A .tsd file has these bytes as a section, a data set in
// memory has them in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tsmini/attributes.h"

namespace tsmini {

struct AttributeHead {
  std::uint64_t columns = 0;
  std::array<std::uint64_t, 7> reserved{};
};
static_assert(sizeof(AttributeHead) == 64);

// Offsets are in bytes from the head, and multiples of 64 but for the name's.
struct AttributeEntry {
  std::uint32_t type = 0;  // AttributeType
  std::uint32_t reserved = 0;
  std::uint64_t count = 0;  // how many rows have a value
  std::uint64_t name = 0, name_size = 0;
  std::uint64_t validity = 0;  // a bit a row, from the lowest on
  std::uint64_t values = 0;    // int64, float64, a bit a row, or rows + 1 × int64: offsets
  std::uint64_t text = 0, text_size = 0;  // 0 where the type is not text
};
static_assert(sizeof(AttributeEntry) == 64);

inline std::uint64_t bitmap_bytes(std::uint64_t rows) {
  return (rows + 7) / 8;
}
// How many bytes the values of a column take, without its text.
std::uint64_t value_bytes(AttributeType type, std::uint64_t rows);

class AttributeColumn::Storage {
 public:
  std::uint64_t count = 0;
  std::span<const std::uint8_t> validity;
  std::span<const std::byte> values;
  std::span<const char> text;
};

// Views of the bytes, which must be aligned to 8 and outlive them. Throws Error(bad_input), which
// begins with `name`, where the bytes are not as they should be.
std::vector<AttributeColumn> attribute_columns(std::span<const std::byte> bytes, std::uint64_t rows,
                                               const std::string& name);

// What attribute_columns does not look at: UTF-8 and finite numbers.
void verify_columns(std::span<const AttributeColumn> columns, std::uint64_t rows,
                    const std::string& name);

}  // namespace tsmini
