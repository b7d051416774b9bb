#include "draw/png.h"

#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <zlib.h>

namespace tsmini {
namespace {

constexpr std::size_t channels = 3;
constexpr char filter_sub = 1;
constexpr char filter_up = 2;

void append_big_endian(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

void append_chunk(std::string& out, std::string_view type, std::string_view data) {
  append_big_endian(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t begin = out.size();
  out += type;
  out += data;
  const auto* bytes = reinterpret_cast<const Bytef*>(out.data() + begin);
  append_big_endian(out, static_cast<std::uint32_t>(crc32(crc32(0, nullptr, 0), bytes,
                                                          static_cast<uInt>(out.size() - begin))));
}

std::string bytes_of_row(const Image& image, int y) {
  std::string row;
  row.reserve(static_cast<std::size_t>(image.width) * channels);
  for (int x = 0; x < image.width; ++x) {
    const Rgb& colour = image.at(x, y);
    for (const std::uint8_t value : {colour.r, colour.g, colour.b}) row += static_cast<char>(value);
  }
  return row;
}

struct FilteredRow {
  std::string bytes;  // the filter's type, then the differences
  long cost = 0;      // sum of absolute differences, a good guess of the size when deflated
};

FilteredRow difference(char filter, std::string_view row, std::string_view prediction) {
  FilteredRow result;
  result.bytes.reserve(row.size() + 1);
  result.bytes += filter;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto value = static_cast<signed char>(row[i] - prediction[i]);
    result.cost += std::abs(value);
    result.bytes += static_cast<char>(value);
  }
  return result;
}

std::string filtered(const Image& image) {
  std::string out;
  std::string above(static_cast<std::size_t>(image.width) * channels, '\0');
  for (int y = 0; y < image.height; ++y) {
    std::string row = bytes_of_row(image, y);
    const std::string left = std::string(channels, '\0') + row;
    const FilteredRow sub = difference(filter_sub, row, left);
    const FilteredRow up = difference(filter_up, row, above);
    out += sub.cost < up.cost ? sub.bytes : up.bytes;
    above = std::move(row);
  }
  return out;
}

std::string deflated(const std::string& data) {
  uLongf size = compressBound(static_cast<uLong>(data.size()));
  std::string out(size, '\0');
  [[maybe_unused]] const int status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(data.data()), static_cast<uLong>(data.size()), 6);
  assert(status == Z_OK);  // the buffer is large enough by construction
  out.resize(size);
  return out;
}

}  // namespace

std::string png_from(const Image& image) {
  std::string header;
  append_big_endian(header, static_cast<std::uint32_t>(image.width));
  append_big_endian(header, static_cast<std::uint32_t>(image.height));
  header += {8, 2, 0, 0, 0};  // bits a channel, RGB, deflate, adaptive filters, not interlaced

  std::string out = "\x89PNG\r\n\x1a\n";
  append_chunk(out, "IHDR", header);
  append_chunk(out, "IDAT", deflated(filtered(image)));
  append_chunk(out, "IEND", {});
  return out;
}

}  // namespace tsmini
