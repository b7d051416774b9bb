#include "data/attribute_section.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/section_header.h"
#include "base/utf8.h"

namespace tsmini {
namespace {

[[noreturn]] void refuse_attributes(const std::string& name, std::string_view why) {
  throw Error(ErrorCode::bad_input, fmt::format("{}: {}", name, why),
              "make the file again from its source");
}

// The bytes of a section, of which pieces are taken only where they lie inside, and no more than
// there are: what a file claims bounds neither memory nor time, its size does.
class Pieces {
 public:
  Pieces(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  std::span<const std::byte> at(std::uint64_t offset, std::uint64_t size) {
    if (offset > bytes_.size() || size > bytes_.size() - offset) {
      refuse_attributes(name_, "a column of attributes lies outside its section");
    }
    if (size > left_) refuse_attributes(name_, "columns of attributes overlap");
    left_ -= size;
    return bytes_.subspan(offset, size);
  }

  std::span<const std::byte> aligned(std::uint64_t offset, std::uint64_t size) {
    if (offset % section_alignment != 0)
      refuse_attributes(name_, "a column of attributes is not aligned");
    return at(offset, size);
  }

 private:
  std::span<const std::byte> bytes_;
  std::uint64_t left_ = bytes_.size();
  const std::string& name_;
};

template <class T>
std::span<const T> array_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

bool bit_at(std::span<const std::uint8_t> bits, std::size_t index) {
  return (bits[index / 8] >> (index % 8) & 1) != 0;
}

std::uint64_t ones_in(std::span<const std::uint8_t> bits) {
  std::uint64_t count = 0;
  for (const std::uint8_t byte : bits) count += static_cast<std::uint64_t>(std::popcount(byte));
  return count;
}

bool has_bits_behind(std::span<const std::uint8_t> bits, std::uint64_t rows) {
  return rows % 8 != 0 && bits[rows / 8] >> (rows % 8) != 0;
}

bool are_offsets(std::span<const std::int64_t> offsets, std::uint64_t end) {
  return offsets.front() == 0 && static_cast<std::uint64_t>(offsets.back()) == end &&
         std::is_sorted(offsets.begin(), offsets.end());
}

AttributeColumn column_at(Pieces& pieces, const AttributeEntry& entry, std::uint64_t rows,
                          const std::string& name) {
  if (entry.type > static_cast<std::uint32_t>(AttributeType::boolean)) {
    refuse_attributes(name, fmt::format("an attribute is of the unknown type {}", entry.type));
  }
  const auto type = static_cast<AttributeType>(entry.type);
  auto storage = std::make_shared<AttributeColumn::Storage>();
  storage->count = entry.count;
  storage->validity = array_of<std::uint8_t>(pieces.aligned(entry.validity, bitmap_bytes(rows)));
  storage->values = pieces.aligned(entry.values, value_bytes(type, rows));
  storage->text = array_of<char>(pieces.aligned(entry.text, entry.text_size));
  const auto column_name = array_of<char>(pieces.at(entry.name, entry.name_size));
  if (type == AttributeType::text &&
      !are_offsets(array_of<std::int64_t>(storage->values), entry.text_size)) {
    refuse_attributes(name,
                      "the offsets of an attribute do not rise from 0 to the end of its text");
  }
  if (has_bits_behind(storage->validity, rows) ||
      (type == AttributeType::boolean &&
       has_bits_behind(array_of<std::uint8_t>(storage->values), rows))) {
    refuse_attributes(name, "an attribute has bits set behind the last trajectory");
  }
  if (ones_in(storage->validity) != entry.count) {
    refuse_attributes(name, "an attribute has more or fewer values than it says");
  }
  return {std::string(column_name.begin(), column_name.end()), type, std::move(storage)};
}

}  // namespace

std::uint64_t value_bytes(AttributeType type, std::uint64_t rows) {
  switch (type) {
    case AttributeType::text: return (rows + 1) * sizeof(std::int64_t);
    case AttributeType::integer: return rows * sizeof(std::int64_t);
    case AttributeType::number: return rows * sizeof(double);
    case AttributeType::boolean: return bitmap_bytes(rows);
  }
  return 0;
}

AttributeValue AttributeColumn::operator[](std::size_t index) const {
  if (!bit_at(storage_->validity, index)) return {};
  const std::span<const std::byte> values = storage_->values;
  switch (type_) {
    case AttributeType::text: {
      const auto offsets = array_of<std::int64_t>(values);
      const auto begin = static_cast<std::size_t>(offsets[index]);
      const auto end = static_cast<std::size_t>(offsets[index + 1]);
      return std::string_view(storage_->text.data() + begin, end - begin);
    }
    case AttributeType::integer: return array_of<std::int64_t>(values)[index];
    case AttributeType::number: return array_of<double>(values)[index];
    case AttributeType::boolean: return bit_at(array_of<std::uint8_t>(values), index);
  }
  return {};
}

std::uint64_t AttributeColumn::count() const {
  return storage_->count;
}

std::vector<AttributeColumn> attribute_columns(std::span<const std::byte> bytes, std::uint64_t rows,
                                               const std::string& name) {
  Pieces pieces(bytes, name);
  AttributeHead head;
  std::memcpy(&head, pieces.at(0, sizeof head).data(), sizeof head);
  if (head.columns > bytes.size() / sizeof(AttributeEntry)) {
    refuse_attributes(
        name, fmt::format("claims {} attributes, more than its section can hold", head.columns));
  }
  const auto table = pieces.at(sizeof head, head.columns * sizeof(AttributeEntry));
  std::vector<AttributeColumn> columns;
  std::set<std::string_view> names;
  columns.reserve(head.columns);
  for (const AttributeEntry& entry : array_of<AttributeEntry>(table)) {
    columns.push_back(column_at(pieces, entry, rows, name));
    if (!names.insert(columns.back().name()).second) {
      refuse_attributes(
          name, fmt::format("the attribute '{}' is there twice", printable(columns.back().name())));
    }
  }
  return columns;
}

void verify_columns(std::span<const AttributeColumn> columns, std::uint64_t rows,
                    const std::string& name) {
  for (const AttributeColumn& column : columns) {
    const auto fail = [&](std::string_view what) {
      refuse_attributes(name, fmt::format("the attribute '{}' {}", printable(column.name()), what));
    };
    if (!is_utf8(column.name())) fail("has a name that is not UTF-8");
    for (std::size_t i = 0; i < rows; ++i) {
      const AttributeValue value = column[i];
      const auto* text = std::get_if<std::string_view>(&value);
      if (text != nullptr && !is_utf8(*text)) fail("has a value that is not UTF-8");
      const auto* number = std::get_if<double>(&value);
      if (number != nullptr && !std::isfinite(*number)) fail("has a value that is not finite");
    }
  }
}

}  // namespace tsmini
