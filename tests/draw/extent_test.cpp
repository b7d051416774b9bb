#include "draw/extent.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "draw/map_cases.h"
#include "draw/page_line.h"
#include "geo/wgs84.h"

namespace tsmini {
namespace {

bool holds(const Box& box, const Position& p) {
  return box.contains(p) || box.contains({p.lon + 360, p.lat});
}

// Points around a place, which may be the antimeridian; as points and as a data set.
TEST(Extent, HoldsAllTheShorterWay) {
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> any(-180, 180), lat(-80, 80);
  for (int round = 0; round < 300; ++round) {
    const double centre = any(random), reach = round % 3 == 0 ? 170 : 20;
    std::uniform_real_distribution<double> near(-reach, reach);
    std::vector<Position> points;
    for (int i = 0; i < 1 + round % 30; ++i) {
      points.push_back({wrapped_degrees(centre + near(random)), lat(random)});
    }
    Extent one, other, both;
    for (std::size_t i = 0; i < points.size(); ++i) (i % 2 == 0 ? one : other).add(points[i]);
    both.merge(one);
    both.merge(other);
    Extent whole;
    whole.add(dataset_of({points}), {});
    for (const Extent& extent : {both, whole}) {
      const Box box = *extent.box(Coordinates::degrees);
      for (const Position& p : points) ASSERT_TRUE(holds(box, p)) << p.lon;
      EXPECT_LE(box.max_lon - box.min_lon, reach == 20 ? 40 : 360);
    }
  }
}

// A header's box over the zero meridian and a line beyond the antimeridian.
TEST(Extent, JoinsBoxesAndPoints) {
  Extent extent;
  extent.add(dataset_of({{{-8, 1}, {5, 2}, {10, 3}}}), {});
  extent.add(Position{-175, 0});
  const Box box = *extent.box(Coordinates::degrees);
  for (const Position& p : {Position{-8, 1}, {5, 2}, {10, 3}, {-175, 0}}) {
    EXPECT_TRUE(holds(box, p)) << p.lon;
  }
  EXPECT_FALSE(Extent().box(Coordinates::degrees));
  Extent planar;
  planar.add(dataset_of({{{-500, 0}, {500, 1}}}, Coordinates::planar), {});
  EXPECT_EQ(*planar.box(Coordinates::planar), (Box{-500, 0, 500, 1}));
}

// A line drawn in pieces within its place covers what all of it does there.
TEST(PageLine, KeepsWhatIsSeen) {
  std::mt19937_64 random(13);
  std::normal_distribution<double> place(0, 3);
  const Frame frame({-1, -1, 1, 1}, Coordinates::planar, 500);
  const Place on_page{60, 76, 500, static_cast<double>(frame.height())};
  for (int round = 0; round < 100; ++round) {
    std::vector<Position> points;
    for (int i = 0; i < 1 + round % 20; ++i) points.push_back({place(random), place(random)});
    const PageLine line({"", points, {}}, frame, on_page);
    const Path path = line.path();
    std::size_t inside = 0, found = 0;
    for (const Position& p : points) {
      const Pixel pixel = frame.pixel_of(p);
      if (!frame.contains(pixel)) continue;
      ++inside;
      for (const auto& piece : path) {
        found +=
            static_cast<std::size_t>(std::count_if(piece.begin(), piece.end(), [&](const Pixel& q) {
              return q.x == on_page.x + pixel.x && q.y == on_page.y + pixel.y;
            }));
      }
    }
    EXPECT_EQ(found, inside);
    for (const auto& piece : path) {
      for (const Pixel& q : piece) {
        EXPECT_TRUE(q.x >= 20 && q.x <= 600 && q.y >= 36 && q.y <= on_page.bottom() + 40);
      }
    }
  }
  EXPECT_TRUE(PageLine({"", {}, {}}, frame, on_page).path().empty());
}

TEST(PageLine, HasAMiddle) {
  const Frame frame({0, 0, 10, 10}, Coordinates::planar, 540);
  const std::vector<Position> points{{0, 0}, {4, 0}, {4, 0}, {4, 4}};
  const PageLine line({"", points, {}}, frame, {0, 0, 540, 540});
  EXPECT_NEAR(line.at(0.5).x, frame.pixel_of({4, 0}).x, 1e-9);
  EXPECT_NEAR(line.at(0.75).y, frame.pixel_of({4, 2}).y, 1e-9);
  EXPECT_EQ(line.at(0).x, line.first().x);
  EXPECT_NEAR(line.at(1).y, line.last().y, 1e-9);
}

}  // namespace
}  // namespace tsmini
