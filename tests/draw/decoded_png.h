// What a test sees of a PNG file: its pixels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <zlib.h>

#include "draw/image.h"

namespace tsmini {

inline std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// A decoder for what the encoder may write, straight from the standard. Grey has one channel.
inline Image decoded(std::string_view png, std::size_t channels = 3) {
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::string header, data;
  std::string_view last;
  for (png.remove_prefix(8); !png.empty();) {
    const std::size_t size = big_endian(png);
    const std::string_view type = png.substr(4, 4);
    const std::string_view content = png.substr(8, size);
    const auto* checked = reinterpret_cast<const Bytef*>(png.data() + 4);
    EXPECT_EQ(big_endian(png.substr(8 + size)), crc32(0, checked, static_cast<uInt>(size + 4)));
    if (type == "IHDR") header = content;
    if (type == "IDAT") data += content;
    last = type;
    png.remove_prefix(12 + size);
  }
  EXPECT_EQ(last, "IEND");
  const std::string kind =
      channels == 1 ? std::string("\x08\0\0\0\0", 5) : std::string("\x08\x02\0\0\0", 5);
  EXPECT_EQ(header.substr(8), kind);
  Image image(static_cast<int>(big_endian(header)),
              static_cast<int>(big_endian(std::string_view(header).substr(4))));

  const std::size_t row_size = static_cast<std::size_t>(image.width) * channels;
  std::string rows((row_size + 1) * static_cast<std::size_t>(image.height), '\0');
  uLongf size = static_cast<uLongf>(rows.size());
  EXPECT_EQ(
      uncompress(reinterpret_cast<Bytef*>(rows.data()), &size,
                 reinterpret_cast<const Bytef*>(data.data()), static_cast<uLong>(data.size())),
      Z_OK);
  EXPECT_EQ(size, rows.size());
  std::string above(row_size, '\0');
  for (int y = 0; y < image.height; ++y) {
    const std::size_t begin = static_cast<std::size_t>(y) * (row_size + 1);
    const char filter = rows[begin];
    std::string row = rows.substr(begin + 1, row_size);
    for (std::size_t i = 0; i < row_size; ++i) {
      const char left = i < channels ? '\0' : row[i - channels];
      EXPECT_TRUE(filter == 1 || filter == 2);
      row[i] = static_cast<char>(row[i] + (filter == 1 ? left : above[i]));
    }
    for (int x = 0; x < image.width; ++x) {
      const auto at = [&](std::size_t channel) {
        const std::size_t first = static_cast<std::size_t>(x) * channels;
        return static_cast<std::uint8_t>(row[first + std::min(channel, channels - 1)]);
      };
      image.at(x, y) = {at(0), at(1), at(2)};
    }
    above = row;
  }
  return image;
}

}  // namespace tsmini
