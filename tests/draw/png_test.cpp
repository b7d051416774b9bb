#include "draw/png.h"

#include <cstdint>
#include <random>

#include <gtest/gtest.h>

#include "draw/decoded_png.h"

namespace tsmini {
namespace {

TEST(Png, DecodesToTheSamePixels) {
  std::mt19937 random(5);
  for (const auto& [width, height] : {std::pair{1, 1}, {7, 3}, {3, 7}, {257, 65}}) {
    Image noise(width, height);
    Image gradient(width, height);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const auto any = [&] { return static_cast<std::uint8_t>(random()); };
        noise.at(x, y) = {any(), any(), any()};
        gradient.at(x, y) = {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), 9};
      }
    }
    EXPECT_EQ(decoded(png_from(noise)).pixels, noise.pixels);
    EXPECT_EQ(decoded(png_from(gradient)).pixels, gradient.pixels);
  }
}

TEST(Png, DecodesToTheSameLevels) {
  std::mt19937 random(6);
  for (const auto& [width, height] : {std::pair{1, 1}, {7, 3}, {64, 65}}) {
    GreyImage noise{width, height, {}};
    for (int i = 0; i < width * height; ++i) {
      noise.levels.push_back(static_cast<std::uint8_t>(random()));
    }
    const Image image = decoded(png_from(noise), 1);
    ASSERT_EQ(image.pixels.size(), noise.levels.size());
    for (std::size_t i = 0; i < noise.levels.size(); ++i) {
      ASSERT_EQ(image.pixels[i].g, noise.levels[i]);
    }
  }
}

TEST(Png, IsSmallForSmoothPictures) {
  Image image(512, 512);
  for (int y = 0; y < 512; ++y) {
    for (int x = 0; x < 512; ++x) image.at(x, y).g = static_cast<std::uint8_t>(x / 2);
  }
  EXPECT_LT(png_from(image).size(), 10'000u);
}

}  // namespace
}  // namespace tsmini
