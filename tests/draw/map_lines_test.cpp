#include "tsmini/map_lines.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "draw/map_colours.h"
#include "draw/picture.h"
#include "support/datasets.h"
#include "support/files.h"

namespace tsmini {
namespace {

// Parallels to a line through Porto, one a thousandth of a degree further than the other.
std::vector<OwnedTrajectory> parallels(std::size_t count) {
  std::vector<OwnedTrajectory> trips;
  for (std::size_t i = 0; i < count; ++i) {
    const double lat = 41.1 + 0.001 * static_cast<double>(i);
    trips.push_back({"trip " + std::to_string(i), {{-8.6, lat}, {-8.55, lat}, {-8.5, lat}}, {}});
  }
  return trips;
}

Map answer_map(const std::vector<OwnedTrajectory>& trips) {
  std::vector<AnswerLine> answers;
  for (std::size_t i = 1; i < trips.size(); ++i) {
    answers.push_back({trips[i].view(), std::to_string(111 * i) + " m"});
  }
  Map map;
  map.title = "nearest";
  map.subtitle = "of a few";
  map.lines = answer_lines(trips[0].view(), answers);
  map.shown = extent_of(map.lines, map.coordinates);
  map.ground = built(trips);
  return map;
}

Picture svg_of(const Map& map) {
  const TemporaryFolder folder;
  draw_map(map, folder / "map.svg");
  return picture_of(read_file(folder / "map.svg"));
}

TEST(MapLines, OfAnswers) {
  const std::vector<OwnedTrajectory> trips = parallels(6);
  const Map map = answer_map(trips);
  ASSERT_EQ(map.lines.size(), 6u);
  const Picture svg = svg_of(map);
  EXPECT_EQ(svg.elements.at("image"), 1);
  EXPECT_EQ(svg.elements.at("circle"), 3 + 5 * 2 * 2);  // ends of the query, ranks and legend
  for (const char* words : {"nearest", "of a few", "query", "trip 0", "trip 5", "555 m", "1 km"}) {
    EXPECT_TRUE(has(svg, words)) << words;
  }
  EXPECT_EQ(svg.text.find("outside"), std::string::npos);
  const Box box = shown_box(map);
  for (const OwnedTrajectory& trip : trips) {
    for (const Position& p : trip.points) EXPECT_TRUE(box.contains(p));
  }
  // Each in its colour: a path on the map; the query's one in the legend too.
  for (std::size_t i = 1; i < 6; ++i) {
    EXPECT_EQ(svg.paths.at(hex_of(line_colour(map.lines[i], i, MapStyle::day))), 1) << i;
  }
}

TEST(MapLines, OfLittleAndOfMuch) {
  std::vector<OwnedTrajectory> trips = parallels(60);
  trips[1].id = "<&\"> \x01 " + std::string(40, 'x') + "é";
  const Picture many = svg_of(answer_map(trips));
  EXPECT_NE(many.text.find("more"), std::string::npos);
  EXPECT_NE(many.text.find("…xxxx"), std::string::npos);
  trips.resize(1);
  EXPECT_EQ(svg_of(answer_map(trips)).elements.at("circle"), 3);

  const OwnedTrajectory point{"p", {{5, 5}}, {}};
  const Picture one = svg_of(answer_map({point, point}));
  EXPECT_TRUE(has(one, "111 m"));
}

TEST(MapLines, OfRoutesAreAsBroadAsTheirTrips) {
  const std::vector<OwnedTrajectory> trips = parallels(4);
  const std::vector<RouteLine> routes{{trips[0].view(), 400},
                                      {trips[1].view(), 100},
                                      {trips[2].view(), 1, "the rest"},
                                      {trips[3].view(), 0}};
  const std::vector<MapLine> lines = route_lines(routes);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_DOUBLE_EQ(lines[0].width, 2 * lines[1].width);
  EXPECT_GT(lines[1].width, lines[2].width);
  EXPECT_EQ(lines[2].width, lines[3].width);  // still to be seen
  EXPECT_EQ(lines[0].label, "group 1");
  EXPECT_EQ(lines[0].note, "400 trips");
  EXPECT_EQ(lines[2].label, "the rest");
  EXPECT_EQ(lines[2].note, "1 trip");
  EXPECT_TRUE(route_lines({}).empty());
}

TEST(MapLines, OfOddTripsAreBesideTheirNearest) {
  const std::vector<OwnedTrajectory> trips = parallels(3);
  const std::vector<OddLine> odd{{trips[0].view(), trips[1].view(), "2 km"},
                                 {trips[2].view(), {}, "∞"}};
  const std::vector<MapLine> lines = odd_lines(odd);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].badge, "1");
  EXPECT_EQ(lines[0].note, "2 km");
  EXPECT_EQ(lines[1].trip.id, "trip 1");
  EXPECT_GT(lines[0].width, lines[1].width);
  EXPECT_EQ(line_colour(lines[0], 0, MapStyle::day), line_colour(lines[1], 1, MapStyle::day));
  EXPECT_FALSE(line_colour(lines[0], 0, MapStyle::day) == line_colour(lines[2], 2, MapStyle::day));
  EXPECT_EQ(lines[2].badge, "2");
}

}  // namespace
}  // namespace tsmini
