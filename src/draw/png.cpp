#include "draw/png.h"

#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <zlib.h>

namespace tsmini {
namespace {

// The pixels of an image, grey or in colour: as many bytes a pixel as there are channels.
struct Pixels {
  int width, height;
  std::size_t channels;
  std::string_view bytes;

  std::string_view row(int y) const {
    const std::size_t size = static_cast<std::size_t>(width) * channels;
    return bytes.substr(static_cast<std::size_t>(y) * size, size);
  }
};

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

std::string filtered(const Pixels& pixels) {
  std::string out;
  const std::string nothing(pixels.row(0).size(), '\0');
  std::string_view above = nothing;
  for (int y = 0; y < pixels.height; ++y) {
    const std::string_view row = pixels.row(y);
    const std::string left = std::string(pixels.channels, '\0').append(row);
    const FilteredRow sub = difference(filter_sub, row, left);
    const FilteredRow up = difference(filter_up, row, above);
    out += sub.cost < up.cost ? sub.bytes : up.bytes;
    above = row;
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

std::string png_of(const Pixels& pixels) {
  constexpr char grey = 0, rgb = 2;
  std::string header;
  append_big_endian(header, static_cast<std::uint32_t>(pixels.width));
  append_big_endian(header, static_cast<std::uint32_t>(pixels.height));
  // Bits a channel, channels, deflate, adaptive filters, not interlaced.
  header += {8, pixels.channels == 1 ? grey : rgb, 0, 0, 0};

  std::string out = "\x89PNG\r\n\x1a\n";
  append_chunk(out, "IHDR", header);
  append_chunk(out, "IDAT", deflated(filtered(pixels)));
  append_chunk(out, "IEND", {});
  return out;
}

}  // namespace

std::string png_from(const Image& image) {
  static_assert(sizeof(Rgb) == 3);
  const auto* bytes = reinterpret_cast<const char*>(image.pixels.data());
  return png_of({image.width, image.height, 3, {bytes, image.pixels.size() * 3}});
}

std::string png_from(const GreyImage& image) {
  const auto* bytes = reinterpret_cast<const char*>(image.levels.data());
  return png_of({image.width, image.height, 1, {bytes, image.levels.size()}});
}

}  // namespace tsmini
