// Trips of the ground that belong to lines have their colours.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/map.h"

#include "draw/decoded_png.h"
#include "draw/density.h"
#include "draw/map_cases.h"
#include "draw/map_colours.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

// Three trips side by side; the first two belong to one line, the third to another, the fourth to
// none. Only the second line has a trip of its own.
Map grouped_map() {
  static const Dataset ground =
      dataset_of({{{0, 0}, {10, 0}}, {{0, 1}, {10, 1}}, {{0, 2}, {10, 2}}, {{0, 3}, {10, 3}}},
                 Coordinates::planar);
  Map map;
  map.title = "groups";
  map.ground = ground;
  map.lines = {{.trip = {}, .label = "taxi 1", .note = "2 trips"},
               {.trip = ground[2], .label = "taxi 2", .note = "1 trip"}};
  map.line_of_trip = {0, 0, 1, Map::no_line};
  return map;
}

Rgb colour_of(const Map& map, std::size_t line, MapStyle style = MapStyle::day) {
  return line_colour(map.lines[line], line, style);
}

TEST(MapGroups, APixelHasTheTintOfMostTrips) {
  Map map = grouped_map();
  map.ground =
      dataset_of({{{0, 0}, {10, 0}}, {{0, 0}, {10, 0}}, {{5, 0}, {5, 4}}, {{0, 4}, {10, 4}}},
                 Coordinates::planar);
  const GroundTints tints(map);
  ASSERT_EQ(tints.count(), 2u);
  EXPECT_EQ(tints.colour(1, MapStyle::day), colour_of(map, 0));
  EXPECT_EQ(tints.colour(2, MapStyle::night), colour_of(map, 1, MapStyle::night));
  const Frame frame({0, 0, 10, 4}, Coordinates::planar, 480);
  const GroundDensity density = ground_density(map.ground, tints, frame, {});
  const auto at = [&](double x, double y) {
    const Pixel p = frame.pixel_of({x, y});
    return std::pair(static_cast<int>(p.x), static_cast<int>(p.y));
  };
  const auto [crossing_x, crossing_y] = at(5, 0);
  EXPECT_EQ(density.tint_at(crossing_x, crossing_y), 1) << "two against one";
  const auto [alone_x, alone_y] = at(5, 2);
  EXPECT_EQ(density.tint_at(alone_x, alone_y), 2);
  const auto [plain_x, plain_y] = at(2, 4);
  EXPECT_EQ(density.tint_at(plain_x, plain_y), 0);
  EXPECT_GT(density.plain.density(plain_x, plain_y), 0.5);
  EXPECT_EQ(density.tinted.density(plain_x, plain_y), 0);
  EXPECT_EQ(density.plain.density(crossing_x, crossing_y), 0);
  EXPECT_GT(tint_strength(1, Tone(density.tinted)), 0.5);
  EXPECT_EQ(tint_strength(0, Tone(density.tinted)), 0);
}

TEST(MapGroups, LinesOfOneColourAreOneTint) {
  Map map = grouped_map();
  map.lines.resize(12, map.lines[0]);
  map.line_of_trip = {0, 10, 11, Map::no_line};
  const GroundTints tints(map);
  EXPECT_EQ(tints.count(), 2u) << "colours repeat after ten";
  EXPECT_EQ(tints.of_line(0), tints.of_line(10));
  EXPECT_EQ(tints.of_line(5), 0);
  EXPECT_EQ(tints.of_trip(3), 0);
}

class MapGroupFiles : public testing::Test {
 protected:
  std::string drawn(const Map& map, const char* name) {
    summary_ = draw_map(map, folder_ / name);
    return read_file(folder_ / name);
  }
  TemporaryFolder folder_;
  MapSummary summary_;
};

bool is_like(const Rgb& a, const Rgb& b) {
  return std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b) < 120;
}

TEST_F(MapGroupFiles, EveryTripHasItsColour) {
  const Map map = grouped_map();
  const Image png = decoded(drawn(map, "m.png"));
  // A trip is some thousand pixels long: of the first two groups two and one.
  const auto count = [&](std::size_t line) {
    return std::count_if(png.pixels.begin(), png.pixels.end(),
                         [&](const Rgb& pixel) { return is_like(pixel, colour_of(map, line)); });
  };
  EXPECT_GT(count(0), 1800);
  EXPECT_GT(count(1), 900);
  EXPECT_EQ(summary_.points_outside, 0u);
  const std::string svg = drawn(map, "m.svg");
  EXPECT_TRUE(matches(svg, "taxi 1")) << "in the legend, without a line";
  EXPECT_TRUE(matches(svg, "2 trips"));
}

TEST_F(MapGroupFiles, WithoutLinesTheyAreAsBefore) {
  Map map = grouped_map();
  map.line_of_trip.clear();
  const std::string before = drawn(map, "a.png");
  map.line_of_trip.assign(4, Map::no_line);
  EXPECT_EQ(drawn(map, "b.png"), before);
}

TEST_F(MapGroupFiles, LinesThatAreNotThereAreRefused) {
  Map map = grouped_map();
  map.line_of_trip[1] = 2;
  const auto refused = [&] {
    expect_error(ErrorCode::usage, "lines that it does not have", "no_line",
                 [&] { draw_map(map, folder_ / "m.svg"); });
  };
  refused();
  map.line_of_trip = {0};
  refused();
}

}  // namespace
}  // namespace tsmini
