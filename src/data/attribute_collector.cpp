#include "data/attribute_collector.h"

#include <array>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tsmini/error.h"

#include "base/section_header.h"
#include "base/text.h"
#include "base/utf8.h"

namespace tsmini {
namespace {

// A record of a stream: the number of rows without a value before it, the kind of the value, and
// its bytes; of a text its size and its bytes.
enum class Kind : char { text, untyped, integer, number, boolean };

template <class T>
void append_raw(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T take_raw(std::string_view& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

// Seven bits a byte, the lowest first.
void append_size(std::string& bytes, std::uint64_t value) {
  for (; value >= 128; value >>= 7) bytes += static_cast<char>(value | 128);
  bytes += static_cast<char>(value);
}

std::uint64_t take_size(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = take_raw<std::uint8_t>(bytes);
    value |= std::uint64_t{byte & 127u} << shift;
    if (byte < 128) return value;
  }
}

void append_value(std::string& bytes, const Attribute& attribute) {
  const AttributeValue& value = attribute.value;
  if (const auto* text = std::get_if<std::string_view>(&value)) {
    append_raw(bytes, attribute.is_untyped ? Kind::untyped : Kind::text);
    append_size(bytes, text->size());
    bytes += *text;
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    append_raw(bytes, Kind::integer);
    append_raw(bytes, *integer);
  } else if (const auto* number = std::get_if<double>(&value)) {
    append_raw(bytes, Kind::number);
    append_raw(bytes, *number);
  } else {
    append_raw(bytes, Kind::boolean);
    append_raw(bytes, std::get<bool>(value));
  }
}

AttributeValue take_value(std::string_view& bytes) {
  switch (take_raw<Kind>(bytes)) {
    case Kind::integer: return take_raw<std::int64_t>(bytes);
    case Kind::number: return take_raw<double>(bytes);
    case Kind::boolean: return take_raw<bool>(bytes);
    case Kind::text:
    case Kind::untyped: break;
  }
  const std::uint64_t size = take_size(bytes);
  const std::string_view text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return text;
}

bool is_empty(const Attribute& attribute) {
  if (const auto* text = std::get_if<std::string_view>(&attribute.value)) {
    return attribute.is_untyped && text->empty();
  }
  const auto* number = std::get_if<double>(&attribute.value);
  return !has_value(attribute.value) || (number != nullptr && !std::isfinite(*number));
}

void check_text(const Trajectory& trip, const Attribute& attribute) {
  const auto* text = std::get_if<std::string_view>(&attribute.value);
  if (is_utf8(attribute.name) && (text == nullptr || is_utf8(*text))) return;
  throw Error(ErrorCode::bad_input,
              fmt::format("the attribute '{}' of trajectory '{}' is not UTF-8 text",
                          printable(attribute.name), printable(trip.id)),
              "convert the file, for example: iconv -f latin1 -t utf-8");
}

// Bytes on their way to a sink, in pieces that are worth a call.
class ByteStream {
 public:
  explicit ByteStream(const AttributeCollector::Sink& sink) : sink_(sink) {}

  void bytes(std::string_view bytes) {
    constexpr std::size_t enough = std::size_t{1} << 16;
    buffer_ += bytes;
    size_ += bytes.size();
    if (buffer_.size() >= enough) flush();
  }
  template <class T>
  void raw(const T& value) {
    bytes({reinterpret_cast<const char*>(&value), sizeof value});
  }
  template <class T>
  void repeat(const T& value, std::uint64_t count) {
    for (; count > 0; --count) raw(value);
  }
  void align() { repeat('\0', section_aligned(size_) - size_); }

  void flush() {
    sink_(std::as_bytes(std::span(buffer_)));
    buffer_.clear();
  }

 private:
  const AttributeCollector::Sink& sink_;
  std::string buffer_;
  std::uint64_t size_ = 0;
};

// A bit a row, those that are set in rising order.
class BitStream {
 public:
  explicit BitStream(ByteStream& out) : out_(out) {}

  void set(std::uint64_t row) {
    fill_to(row / 8);
    byte_ = static_cast<std::uint8_t>(byte_ | 1u << (row % 8));
  }
  void end(std::uint64_t rows) { fill_to(bitmap_bytes(rows)); }

 private:
  void fill_to(std::uint64_t index) {
    if (index == index_) return;
    out_.raw(std::exchange(byte_, std::uint8_t{0}));
    out_.repeat(std::uint8_t{0}, index - index_ - 1);
    index_ = index;
  }

  ByteStream& out_;
  std::uint64_t index_ = 0;
  std::uint8_t byte_ = 0;
};

}  // namespace

AttributeCollector::Column& AttributeCollector::column_of(std::string_view name) {
  const auto found = by_name_.find(name);
  if (found != by_name_.end()) return *found->second;
  if (columns_.size() == max_columns) {
    throw Error(ErrorCode::bad_input,
                fmt::format("more than {} different attributes: '{}' is one too many",
                            with_thousands(max_columns), printable(name)),
                "take those that you need, or put what has so many names into one, as text");
  }
  Column& column = columns_.emplace_back();
  column.name = name;
  by_name_.emplace(column.name, &column);
  return column;
}

void AttributeCollector::add(const Trajectory& trip, std::span<const Attribute> attributes) {
  row_.clear();
  for (const Attribute& attribute : attributes) {  // first what may throw
    check_text(trip, attribute);
    row_.push_back(&column_of(attribute.name));
  }
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const bool is_new = row_[i]->next_row <= rows_;
    if (is_new && !is_empty(attributes[i])) add_value(*row_[i], attributes[i]);
  }
  ++rows_;
}

void AttributeCollector::add_value(Column& column, const Attribute& attribute) {
  thread_local std::string record;
  record.clear();
  append_size(record, rows_ - column.next_row);
  append_value(record, attribute);
  spill_.append(column.values, record);
  column.types &= types_of(attribute);
  column.next_row = rows_ + 1;
  ++column.count;
  any_ = true;
}

void AttributeCollector::drop_empty_columns() {
  by_name_.clear();
  std::erase_if(columns_, [](const Column& column) { return column.count == 0; });
}

// Calls visit(row, value) for each value, which is of the type of the column.
template <class Visit>
void AttributeCollector::for_each_value(const Column& column, const Visit& visit) {
  const AttributeType type = narrowest(column.types);
  std::string memory;
  std::uint64_t row = 0;
  spill_.for_each_block(column.values, [&](std::string_view records) {
    while (!records.empty()) {
      row += take_size(records);
      const AttributeValue value = take_value(records);
      visit(row++, as_type(value, type, memory));
    }
  });
}

std::uint64_t AttributeCollector::text_bytes(const Column& column) {
  if (narrowest(column.types) != AttributeType::text) return 0;
  std::uint64_t bytes = 0;
  for_each_value(column, [&](std::uint64_t /*row*/, const AttributeValue& value) {
    bytes += std::get<std::string_view>(value).size();
  });
  return bytes;
}

template <class Out>
void AttributeCollector::write_validity(const Column& column, Out& out) {
  BitStream bits(out);
  for_each_value(column, [&](std::uint64_t row, const AttributeValue&) { bits.set(row); });
  bits.end(rows_);
}

template <class Out>
void AttributeCollector::write_values(const Column& column, Out& out) {
  const AttributeType type = narrowest(column.types);
  if (type == AttributeType::boolean) {
    BitStream bits(out);
    for_each_value(column, [&](std::uint64_t row, const AttributeValue& value) {
      if (std::get<bool>(value)) bits.set(row);
    });
    return bits.end(rows_);
  }
  // Eight bytes a row: the value, or 0; of a text where it ends, which is where the next begins.
  std::uint64_t next = 0;
  std::int64_t end = 0;
  if (type == AttributeType::text) out.raw(end);
  for_each_value(column, [&](std::uint64_t row, const AttributeValue& value) {
    out.repeat(end, row - next);
    if (const auto* text = std::get_if<std::string_view>(&value)) {
      end += static_cast<std::int64_t>(text->size());
      out.raw(end);
    } else if (const auto* number = std::get_if<double>(&value)) {
      out.raw(*number);
    } else {
      out.raw(std::get<std::int64_t>(value));
    }
    next = row + 1;
  });
  out.repeat(end, rows_ - next);
}

template <class Out>
void AttributeCollector::write_text(const Column& column, Out& out) {
  for_each_value(column, [&](std::uint64_t /*row*/, const AttributeValue& value) {
    out.bytes(std::get<std::string_view>(value));
  });
}

void AttributeCollector::write(const Sink& sink) {
  drop_empty_columns();
  ByteStream out(sink);
  AttributeHead head;
  head.columns = columns_.size();
  out.raw(head);
  std::uint64_t name = sizeof head + columns_.size() * sizeof(AttributeEntry);
  std::uint64_t at = name;
  for (const Column& column : columns_) at += column.name.size();
  const auto take = [&](std::uint64_t bytes) {
    const std::uint64_t begin = section_aligned(at);
    at = begin + bytes;
    return begin;
  };
  for (const Column& column : columns_) {
    AttributeEntry entry;
    const AttributeType type = narrowest(column.types);
    entry.type = static_cast<std::uint32_t>(type);
    entry.count = column.count;
    entry.name = std::exchange(name, name + column.name.size());
    entry.name_size = column.name.size();
    entry.validity = take(bitmap_bytes(rows_));
    entry.values = take(value_bytes(type, rows_));
    entry.text_size = text_bytes(column);
    if (type == AttributeType::text) entry.text = take(entry.text_size);
    out.raw(entry);
  }
  for (const Column& column : columns_) out.bytes(column.name);
  for (const Column& column : columns_) {
    out.align();
    write_validity(column, out);
    out.align();
    write_values(column, out);
    if (narrowest(column.types) != AttributeType::text) continue;
    out.align();
    write_text(column, out);
  }
  out.flush();
}

}  // namespace tsmini
