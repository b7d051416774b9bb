#include "draw/raster.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "draw/colour.h"
#include "draw/tone.h"

namespace tsmini {
namespace {

double total(const DensityRaster& raster) {
  double sum = 0;
  for (int y = 0; y < raster.height(); ++y) {
    for (int x = 0; x < raster.width(); ++x) sum += raster.density(x, y);
  }
  return sum;
}

void expect_same(const DensityRaster& a, const DensityRaster& b, double tolerance = 0) {
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) {
      ASSERT_NEAR(a.density(x, y), b.density(x, y), tolerance) << x << ' ' << y;
    }
  }
}

std::vector<Pixel> random_pixels(int count, double low, double high) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> place(low, high);
  std::vector<Pixel> pixels;
  for (int i = 0; i < count; ++i) pixels.push_back({place(random), place(random)});
  return pixels;
}

TEST(Raster, ALineAddsItsLength) {
  const auto p = random_pixels(200, 3, 97);
  for (std::size_t i = 0; i + 1 < p.size(); ++i) {
    DensityRaster raster(100, 100);
    raster.add_line(p[i], p[i + 1]);
    EXPECT_NEAR(total(raster), std::hypot(p[i + 1].x - p[i].x, p[i + 1].y - p[i].y), 2e-3);
  }
}

TEST(Raster, ALineLiesWhereItShould) {
  DensityRaster raster(20, 9);
  raster.add_line({5, 4.5}, {15, 4.5});
  EXPECT_DOUBLE_EQ(raster.density(10, 4), 0.75);
  EXPECT_DOUBLE_EQ(raster.density(10, 3), 0.125);
  EXPECT_DOUBLE_EQ(raster.density(10, 5), 0.125);
  EXPECT_EQ(raster.density(10, 2), 0);
  EXPECT_EQ(raster.density(4, 4), 0);
  EXPECT_EQ(raster.density(15, 4), 0);
}

TEST(Raster, DirectionAndAxesDoNotMatter) {
  const auto p = random_pixels(100, -20, 60);
  DensityRaster forward(40, 40), backward(40, 40), transposed(40, 40), turned(40, 40);
  for (std::size_t i = 0; i + 1 < p.size(); ++i) {
    forward.add_line(p[i], p[i + 1]);
    backward.add_line(p[i + 1], p[i]);
    transposed.add_line({p[i].y, p[i].x}, {p[i + 1].y, p[i + 1].x});
    turned.add_line({40 - p[i].x, 40 - p[i].y}, {40 - p[i + 1].x, 40 - p[i + 1].y});
  }
  expect_same(forward, backward, 1e-3);
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 40; ++x) {
      EXPECT_EQ(forward.density(x, y), transposed.density(y, x));
      EXPECT_NEAR(forward.density(x, y), turned.density(39 - x, 39 - y), 1e-3);
    }
  }
}

TEST(Raster, ManyPiecesCountAsOneLine) {
  DensityRaster whole(60, 60), pieces(60, 60);
  const Pixel a{5.3, 7.1}, b{52.7, 38.4};
  whole.add_line(a, b);
  constexpr int count = 500;
  const auto at = [&](int i) {
    const double t = static_cast<double>(i) / count;
    return Pixel{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
  };
  for (int i = 0; i < count; ++i) pieces.add_line(at(i), at(i + 1));
  expect_same(whole, pieces, 0.06);
  EXPECT_NEAR(total(whole), total(pieces), 0.02);
}

TEST(Raster, ClippingChangesNothingInside) {
  // A window into a larger raster, which needs no clipping.
  DensityRaster large(300, 300), window(100, 100);
  const auto p = random_pixels(200, 5, 295);
  for (std::size_t i = 0; i + 1 < p.size(); ++i) {
    large.add_line(p[i], p[i + 1]);
    window.add_line({p[i].x - 100, p[i].y - 100}, {p[i + 1].x - 100, p[i + 1].y - 100});
  }
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 100; ++x) {
      ASSERT_NEAR(window.density(x, y), large.density(x + 100, y + 100), 1e-3) << x << ' ' << y;
    }
  }
}

// Pixel by pixel these lines would take hours, and the test its time limit.
TEST(Raster, AbsurdLinesCostLittle) {
  DensityRaster raster(1000, 1000);
  for (int i = 0; i < 2000; ++i) {
    raster.add_line({-1e9, 500.5}, {1e9, 500.5});
    raster.add_line({500.5, -1e9}, {500.5, 1e9});
    raster.add_line({-1e9, 2e9}, {1e9, 3e9});
    raster.add_line({-1e9, -1e9}, {1e9, 1e9});
  }
  EXPECT_NEAR(raster.density(100, 500), 1500, 1);
  EXPECT_NEAR(raster.density(500, 900), 1500, 1);
  EXPECT_EQ(raster.density(100, 700), 0);
  EXPECT_GT(raster.density(700, 700), 1000);
}

TEST(Raster, LinesOnTheEdgesAreSafe) {
  DensityRaster raster(10, 10);
  for (const double a : {-2.0, -1.0, 0.0, 5.0, 10.0, 11.0, 12.0}) {
    for (const double b : {-2.0, -1.0, 0.0, 5.0, 10.0, 11.0, 12.0}) {
      for (const double c : {-1.0, 0.0, 10.0, 11.0}) {
        raster.add_line({a, b}, {c, a});
        raster.add_line({a, c}, {b, c});
        raster.add_line({c, a}, {c, b});
        raster.add_dot({a, c});
      }
    }
  }
  EXPECT_GT(total(raster), 0);
}

TEST(Raster, DotsAreRound) {
  DensityRaster raster(11, 11);
  raster.add_dot({5.5, 5.5});
  raster.add_dot({1e12, 5.5});
  EXPECT_EQ(raster.density(5, 5), 1);
  EXPECT_EQ(raster.density(4, 5), raster.density(5, 6));
  EXPECT_EQ(raster.density(4, 4), raster.density(6, 6));
  EXPECT_NEAR(total(raster), 9, 2.5);
}

TEST(Raster, MergeAdds) {
  const auto p = random_pixels(40, 0, 50);
  DensityRaster all(50, 50), even(50, 50), odd(50, 50);
  for (std::size_t i = 0; i + 1 < p.size(); ++i) {
    all.add_line(p[i], p[i + 1]);
    (i % 2 == 0 ? even : odd).add_line(p[i], p[i + 1]);
  }
  odd.merge(even);
  expect_same(all, odd);
}

TEST(Tone, UsesTheWholeRangeOfColours) {
  DensityRaster raster(60, 60);
  EXPECT_EQ(Tone(raster).image_of(raster, density_colours).at(0, 0), density_colours.front());
  raster.add_line({5, 30.5}, {55, 30.5});
  const Tone sparse(raster);
  EXPECT_EQ(sparse.top(), 1);
  EXPECT_GT(sparse.level_of(raster.density(20, 30)), 0.8);
  for (int i = 0; i < 5000; ++i) raster.add_line({30.5, 5}, {30.5, 55});
  const Tone dense(raster);
  EXPECT_GT(dense.top(), 1000);
  EXPECT_EQ(dense.level_of(0), 0);
  EXPECT_DOUBLE_EQ(dense.level_of(dense.top()), 1);
  // The single line is faint, but there.
  EXPECT_GT(dense.level_of(0.75), 0.04);
  EXPECT_LT(dense.level_of(0.75), 0.2);
}

TEST(Colour, LightnessRises) {
  const auto lightness = [](const Rgb& c) { return 0.21 * c.r + 0.72 * c.g + 0.07 * c.b; };
  for (int i = 0; i < 100; ++i) {
    EXPECT_LT(lightness(colour_between(density_colours, i / 100.0)),
              lightness(colour_between(density_colours, (i + 1) / 100.0)) + 0.5);
  }
  EXPECT_EQ(colour_between(density_colours, -1), density_colours.front());
  EXPECT_EQ(colour_between(density_colours, 7), density_colours.back());
  EXPECT_EQ(hex_of({1, 255, 16}), "#01ff10");
}

}  // namespace
}  // namespace tsmini
