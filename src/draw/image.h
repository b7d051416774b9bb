// Pictures in memory, row by row from the top.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tsmini {

struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;

  friend bool operator==(const Rgb&, const Rgb&) = default;
};

// A place on a picture: x to the right, y down, pixel (0, 0) covers [0, 1) × [0, 1).
struct Pixel {
  double x = 0;
  double y = 0;
};

// 8 bits a channel.
struct Image {
  Image(int image_width, int image_height)
      : width(image_width),
        height(image_height),
        pixels(static_cast<std::size_t>(image_width) * static_cast<std::size_t>(image_height)) {}

  Rgb& at(int x, int y) { return pixels[index_of(x, y)]; }
  const Rgb& at(int x, int y) const { return pixels[index_of(x, y)]; }

  int width;
  int height;
  std::vector<Rgb> pixels;

 private:
  std::size_t index_of(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
};

struct GreyImage {
  int width;
  int height;
  std::vector<std::uint8_t> levels;
};

}  // namespace tsmini
