#include "draw/stroke.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "draw/colour.h"
#include "draw/letters.h"

namespace tsmini {
namespace {

constexpr Rgb ink{250, 250, 250};

// Every pixel, one after the other.
void draw_naively(Image& image, const std::vector<Segment>& segments, double thickness,
                  double opacity) {
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      double cover = 0;
      for (const auto& [a, b] : segments) {
        const double dx = b.x - a.x, dy = b.y - a.y, px = x + 0.5 - a.x, py = y + 0.5 - a.y;
        const double length2 = dx * dx + dy * dy;
        const double t = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0;
        const double distance = std::hypot(px - t * dx, py - t * dy);
        cover = std::max(cover, std::clamp(thickness / 2 + 0.5 - distance, 0.0, 1.0));
      }
      image.at(x, y) = blended(image.at(x, y), ink, opacity * cover);
    }
  }
}

TEST(Stroker, CoversWhatIsNear) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> place(-20, 80), size(0.3, 15);
  for (int round = 0; round < 200; ++round) {
    std::vector<Segment> segments;
    Pixel at{place(random), place(random)};
    for (int i = 0; i < 1 + round % 4; ++i) {
      Pixel next{place(random), place(random)};
      if (round % 7 == 0) next.x = at.x;
      if (round % 11 == 0) next.y = at.y;
      segments.push_back({at, next});
      at = next;
    }
    const double thickness = size(random);
    Image fast(60, 50), naive(60, 50);
    Stroker stroker(fast);
    for (const Segment& s : segments) stroker.add(s.from, s.to, thickness);
    stroker.paint(ink, 0.7);
    draw_naively(naive, segments, thickness, 0.7);
    for (std::size_t i = 0; i < fast.pixels.size(); ++i) {
      ASSERT_NEAR(fast.pixels[i].r, naive.pixels[i].r, 1) << round << ' ' << i;
    }
    const Image before = fast;
    stroker.paint(ink);  // nothing was added
    EXPECT_EQ(fast.pixels, before.pixels);
  }
}

TEST(Stroker, LeavesOutWhatIsOutside) {
  Image image(40, 40);
  Stroker stroker(image);
  stroker.clip(10, 12, 30, 20);
  stroker.add({-1e9, 15}, {1e9, 15.5}, 60);
  stroker.paint(ink);
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 40; ++x) {
      const bool inside = x >= 10 && x < 30 && y >= 12 && y < 20;
      ASSERT_EQ(image.at(x, y), inside ? ink : Rgb()) << x << ' ' << y;
    }
  }
  stroker.unclip();
  stroker.add({5, 5}, {5, 5}, 4);
  stroker.paint(ink);
  EXPECT_EQ(image.at(5, 5), ink);
}

TEST(Letters, EveryCharacterIsDrawn) {
  std::string all;
  for (char c = '!'; c <= '~'; ++c) all += c;
  for (const char c : all) {
    const std::string text(1, c);
    const auto strokes = letter_strokes(text, {0, 100}, 10);
    ASSERT_FALSE(strokes.empty()) << c;
    for (const Segment& s : strokes) {
      for (const Pixel& p : {s.from, s.to}) {
        EXPECT_GE(p.x, 0) << c;
        EXPECT_LE(p.x, letters_width(text, 10) + 1e-9) << c;
        EXPECT_GE(p.y, 100 - 7.2 - 1e-9) << c;
        EXPECT_LE(p.y, 100 + 2.4 + 1e-9) << c;
      }
    }
  }
  // No two look alike, but for the letter O and zero.
  const auto look = [](char c) {
    std::string numbers;
    for (const Segment& s : letter_strokes(std::string(1, c), {0, 0}, 100)) {
      for (const double value : {s.from.x, s.from.y, s.to.x, s.to.y}) {
        numbers += std::to_string(std::lround(value)) + " ";
      }
    }
    return numbers;
  };
  for (const char a : all) {
    for (const char b : all) {
      if (a != b && std::string{a, b} != "0O" && std::string{a, b} != "O0") {
        EXPECT_NE(look(a), look(b)) << a << b;
      }
    }
  }
}

TEST(Letters, FallBack) {
  const auto same = [](std::string_view a, std::string_view b) {
    const auto x = letter_strokes(a, {}, 10), y = letter_strokes(b, {}, 10);
    return x.size() == y.size() && letters_width(a, 10) == letters_width(b, 10);
  };
  EXPECT_TRUE(same("São Félix Łódź", "Sao Felix Lodz"));
  EXPECT_TRUE(same("a\x01\x7f", "a??"));
  EXPECT_TRUE(same("\xff\xfe", "??"));
  EXPECT_EQ(letter_strokes("北", {}, 10).size(), 4u);  // a box
  EXPECT_EQ(letter_strokes("😀", {}, 10).size(), 4u);
  EXPECT_FALSE(same("·", "北"));
  EXPECT_EQ(letters_width("", 10), 0);
  EXPECT_TRUE(letter_strokes(" ", {}, 10).empty());
  EXPECT_GT(letters_width("a a", 10), letters_width("aa", 10));
}

}  // namespace
}  // namespace tsmini
