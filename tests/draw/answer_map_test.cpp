#include "draw/answer_map.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "draw/picture.h"
#include "support/datasets.h"

namespace tsmini {
namespace {

// Parallels to a line through Porto, one a hundredth of a degree further than the other.
std::vector<OwnedTrajectory> parallels(std::size_t count) {
  std::vector<OwnedTrajectory> trips;
  for (std::size_t i = 0; i < count; ++i) {
    const double lat = 41.1 + 0.001 * static_cast<double>(i);
    trips.push_back({"trip " + std::to_string(i), {{-8.6, lat}, {-8.55, lat}, {-8.5, lat}}, {}});
  }
  return trips;
}

AnswerMap map_of(const std::vector<OwnedTrajectory>& trips) {
  AnswerMap map;
  map.title = "nearest";
  map.subtitle = "of a few";
  map.query = trips[0].view();
  for (std::size_t i = 1; i < trips.size(); ++i) {
    map.answers.push_back({trips[i].view(), std::to_string(111 * i) + " m"});
  }
  map.nearby = built(trips);
  return map;
}

TEST(AnswerMapTest, ShowsQueryAndAnswers) {
  const std::vector<OwnedTrajectory> trips = parallels(6);
  const AnswerMap map = map_of(trips);
  const Picture svg = picture_of(svg_of(map));
  EXPECT_EQ(svg.elements.at("image"), 1);
  EXPECT_EQ(svg.elements.at("path"), 1 + 5 + 2);    // lines, and the scale bar twice
  EXPECT_EQ(svg.elements.at("circle"), 2 + 5 * 2);  // ends of the query, ranks and legend
  for (const char* words : {"nearest", "of a few", "query", "trip 0", "trip 5", "555 m", "1 km"}) {
    EXPECT_NE(svg.text.find(words), std::string::npos) << words;
  }
  const Box box = shown_box(map);
  for (const OwnedTrajectory& trip : trips) {
    for (const Position& p : trip.points) EXPECT_TRUE(box.contains(p));
  }
  EXPECT_EQ(svg_of(map), svg_of(map));
}

TEST(AnswerMapTest, OfLittleAndOfMuch) {
  std::vector<OwnedTrajectory> trips = parallels(60);
  trips[1].id = "<&\"> \x01 " + std::string(40, 'x') + "é";
  AnswerMap map = map_of(trips);
  const Picture many = picture_of(svg_of(map));
  EXPECT_NE(many.text.find("more"), std::string::npos);
  EXPECT_NE(many.text.find("…xxxx"), std::string::npos);

  map.answers.clear();
  map.nearby = Dataset();
  EXPECT_EQ(picture_of(svg_of(map)).elements.at("circle"), 2);

  const OwnedTrajectory point{"p", {{5, 5}}, {}};
  map.query = point.view();
  map.coordinates = Coordinates::planar;
  map.answers.push_back({point.view(), "0"});
  picture_of(svg_of(map));
}

}  // namespace
}  // namespace tsmini
