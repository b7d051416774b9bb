#include "tsmini/map.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "tsmini/error.h"

#include "draw/decoded_png.h"
#include "draw/frame.h"
#include "draw/map_cases.h"
#include "draw/map_colours.h"
#include "draw/picture.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

class MapTest : public testing::Test {
 protected:
  std::string draw(const Map& map, const std::string& name) {
    summary_ = draw_map(map, folder_ / name);
    return read_file(folder_ / name);
  }
  std::string draw(const Dataset& data, const std::string& name, const MapOptions& options = {}) {
    summary_ = draw_map(data, folder_ / name, options);
    return read_file(folder_ / name);
  }

  TemporaryFolder folder_;
  MapSummary summary_;
};

Map map_of(const Dataset& data) {
  Map map;
  map.ground = data;
  return map;
}

// Places of a page: the numbers of its paths, pair by pair.
std::vector<Pixel> places_in(const std::vector<std::string>& paths) {
  std::vector<Pixel> places;
  const std::regex pair("[ML](-?[0-9.]+) (-?[0-9.]+)");
  for (const std::string& path : paths) {
    for (std::sregex_iterator i(path.begin(), path.end(), pair), end; i != end; ++i) {
      places.push_back({std::stod((*i)[1]), std::stod((*i)[2])});
    }
  }
  return places;
}

int count_of(const Image& image, const Rgb& colour, int top, int bottom) {
  int count = 0;
  for (int y = top; y < bottom; ++y) {
    for (int x = 0; x < image.width; ++x) count += image.at(x, y) == colour ? 1 : 0;
  }
  return count;
}

TEST_F(MapTest, DrawsASvg) {
  const Dataset data = dataset_of(some_trips({-8.61, 41.15}, 0.05));
  const Picture svg = picture_of(draw(data, "map.svg", {.title = "A & B <\"taxis\"> \x02"}));
  EXPECT_EQ(svg.elements.at("image"), 1);
  EXPECT_GE(svg.elements.at("text"), 10);
  EXPECT_EQ(svg.image.rfind("data:image/png;base64,iVBORw0KGgo", 0), 0u);
  for (const char* words : {"A & B <\"taxis\"> ?", "100 trajectories · 3,100 points", "° W", "° N",
                            " km", "trips per pixel", "99 % of the points lie within lon -8."}) {
    EXPECT_NE(svg.text.find(words), std::string::npos) << words;
  }
}

TEST_F(MapTest, CountsInWords) {
  const Picture svg = picture_of(draw(dataset_of({{{1, 2}}}), "map.svg"));
  EXPECT_NE(svg.text.find("1 trajectory · 1 point"), std::string::npos);
}

TEST_F(MapTest, PngHasWhatSvgHas) {
  const Dataset data = dataset_of(some_trips({-8.61, 41.15}, 0.05));
  const Image page = decoded(draw(data, "map.PNG", {.title = "MMMM"}));
  const PageColours& colours = page_colours(MapStyle::night);
  EXPECT_GT(page.width, 1200);
  EXPECT_GT(count_of(page, colours.ink, 20, 42), 100);       // the title
  EXPECT_GT(count_of(page, colours.faint_ink, 46, 64), 50);  // the counts
  EXPECT_EQ(count_of(page, colours.ink, 64, 76), 0);
  EXPECT_GT(count_of(page, colours.ink, page.height - 140, page.height - 76), 100);  // the scale
  EXPECT_GT(count_of(page, density_colours.back(), 76, page.height - 76), 0);        // trips
  const Image other = decoded(draw(data, "other.png", {.title = "I"}));
  EXPECT_LT(count_of(other, colours.ink, 20, 42), count_of(page, colours.ink, 20, 42) / 2);
}

TEST_F(MapTest, BroadMapsHaveEverythingLarger) {
  const Dataset data = dataset_of(some_trips({-8.61, 41.15}, 0.05));
  const Image small = decoded(draw(data, "small.png", {.title = "A", .width = 1200}));
  const Image large = decoded(draw(data, "large.png", {.title = "A", .width = 3600}));
  EXPECT_EQ(large.width, 3 * small.width);
  EXPECT_NEAR(large.height, 3 * small.height, 2);
}

TEST_F(MapTest, DoesNotDependOnThreads) {
  Map map = map_of(dataset_of(some_trips({116.4, 39.9}, 0.3)));
  map.lines = {{.trip = map.ground[3]}};
  for (const char* name : {"a.png", "a.svg", "a.html"}) {
    const std::string many = draw(map, name);
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    EXPECT_EQ(draw(map, name), many);
  }
}

TEST_F(MapTest, DrawsWhateverThereIs) {
  for (const auto& [name, data] : odd_datasets()) {
    SCOPED_TRACE(name);
    const Picture svg = picture_of(draw(data, "map.svg", {.width = 480}));
    EXPECT_EQ(svg.elements.at("image"), 1);
    EXPECT_EQ(summary_.points_outside, 0u);
    EXPECT_EQ(summary_.points, data.point_count());
    decoded(draw(data, "map.png", {.width = 480}));
    Map map = map_of(data);
    for (std::size_t i = 0; i < data.size(); ++i) map.lines.push_back({.trip = data[i]});
    picture_of(draw(map, "lines.svg"));
    EXPECT_EQ(summary_.points_outside, 0u);
  }
}

TEST_F(MapTest, FrameIsTrueToScale) {
  const Frame frame({-8.7, 59.9, -8.5, 60.1}, Coordinates::degrees, 1000);
  EXPECT_GE(frame.height(), 400);
  EXPECT_LE(frame.height(), 1400);
  const Pixel a = frame.pixel_of({-8.61, 60});
  const Pixel east = frame.pixel_of({-8.60, 60});
  const Pixel north = frame.pixel_of({-8.61, 60.01});
  EXPECT_TRUE(frame.contains(a));
  EXPECT_FALSE(frame.contains(frame.pixel_of({-3.61, 62.5})));
  EXPECT_NEAR((east.x - a.x) * frame.length_per_pixel(), 557.8, 1);
  EXPECT_NEAR((a.y - north.y) * frame.length_per_pixel(), 1114.1, 1);
  EXPECT_NEAR(east.y, a.y, 1e-9);
  EXPECT_NEAR(frame.unit().lon, 55780, 100);
  const Box box = frame.box();
  EXPECT_NEAR(frame.pixel_of({box.min_lon, box.max_lat}).x, 0, 1e-6);
  EXPECT_NEAR(frame.pixel_of({box.min_lon, box.max_lat}).y, 0, 1e-6);
  EXPECT_NEAR(frame.pixel_of({box.max_lon, box.min_lat}).y, frame.height(), 1e-6);
  const Box other = frame.resized(500).box();
  EXPECT_NEAR(other.min_lon, box.min_lon, 1e-3);
  EXPECT_NEAR(other.max_lat, box.max_lat, 1e-3);
}

TEST_F(MapTest, ShowsAllAndTellsWhereTheBulkIs) {
  const Trips trips = some_trips({-8.61, 41.15}, 0.05);
  draw(dataset_of(trips), "map.svg");
  for (const auto& trip : trips) {
    for (const Position& p : trip) EXPECT_TRUE(summary_.shown.contains(p)) << p.lon;
  }
  EXPECT_TRUE(summary_.is_dwarfed);
  EXPECT_LT(summary_.central.max_lon - summary_.central.min_lon, 0.5);
  EXPECT_TRUE(summary_.central.contains({-8.61, 41.15}));
  EXPECT_FALSE(summary_.central.contains(trips[50][7]));

  Trips sound = trips;
  sound.erase(sound.begin() + 50);
  draw(dataset_of(sound), "map.svg");
  EXPECT_FALSE(summary_.is_dwarfed);
}

TEST_F(MapTest, ShowsABox) {
  const Trips trips = some_trips({-8.61, 41.15}, 0.05);
  Map map = map_of(dataset_of(trips));
  map.shown = Box{-8.62, 41.14, -8.60, 41.16};
  map.lines = {{.trip = map.ground[50]}};
  for (const char* name : {"map.svg", "map.png", "map.html"}) {
    draw(map, name);
    const Frame frame(*map.shown, Coordinates::degrees, map.width);
    std::uint64_t outside = 0;
    const auto count = [&](const std::vector<Position>& points) {
      for (const Position& p : points) outside += summary_.shown.contains(p) ? 0u : 1u;
    };
    for (const auto& trip : trips) count(trip);
    count(trips[50]);
    EXPECT_EQ(summary_.shown, frame.box());
    EXPECT_EQ(summary_.points_outside, outside) << name;
    EXPECT_EQ(summary_.points, 3131u);
    EXPECT_FALSE(summary_.is_dwarfed);
  }
  const Picture svg = picture_of(read_file(folder_ / "map.svg"));
  EXPECT_NE(svg.text.find("of 3,131 points"), std::string::npos) << svg.text;
  EXPECT_EQ(svg.elements.at("clipPath"), 1);
  for (const Pixel& p : places_in(svg.path_data)) {  // nothing far away
    EXPECT_GE(p.x, 0);
    EXPECT_LE(p.x, 1400);
    EXPECT_GE(p.y, 30);
    EXPECT_LE(p.y, 1900);
  }
}

TEST_F(MapTest, ABoxAroundTheAntimeridian) {
  Map map = map_of(dataset_of({{{179.9, -17}, {-179.9, -17.1}}, {{0, 0}}}));
  map.shown = Box{179.8, -17.2, 180.2, -16.9};
  draw(map, "map.svg");
  EXPECT_EQ(summary_.points_outside, 1u);
}

// Lines lie within the map, where their positions are, each in its colour.
TEST_F(MapTest, DrawsLinesOnTop) {
  const Trips trips{{{1, 1}, {2, 2}, {3, 1}}, {{1, 2}, {3, 3}}, {{2, 1.5}}};
  Map map = map_of(dataset_of(trips));
  map.lines = {{.trip = map.ground[0], .note = "a note", .width = 2},
               {.trip = map.ground[1], .label = "<second>", .width = 9, .ends = true},
               {.trip = map.ground[2], .badge = "x"}};
  const Picture svg = picture_of(draw(map, "map.svg"));
  for (const char* text : {"trip 0", "a note", "<second>", "trip 2", "x"}) {
    EXPECT_TRUE(has(svg, text)) << text << svg.text;
  }
  EXPECT_EQ(svg.elements.at("circle"), 3 + 2 * 2);  // ends, badges on the line and in the legend
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string colour = hex_of(line_colour(map.lines[i], i, MapStyle::day));
    EXPECT_EQ(svg.paths.at(colour), 2) << i;  // on the map and in the legend
  }
  // The broad one first.
  const Frame frame(summary_.shown, Coordinates::degrees, 1200);
  std::vector<std::string> lines;
  for (const std::string& path : svg.path_data) {
    if (places_in({path}).size() == 3) lines.push_back(path);
  }
  ASSERT_EQ(lines.size(), 2u);  // of three points: the first trip's rim and line
  EXPECT_EQ(lines[0], lines[1]);
  const std::vector<Pixel> pixels = places_in({lines[0]});
  EXPECT_NEAR(pixels[1].x - pixels[0].x, pixels[2].x - pixels[1].x, 0.3);
  EXPECT_GT(pixels[0].y, pixels[1].y);

  const Image png = decoded(draw(map, "map.png"));
  for (std::size_t i = 0; i < 3; ++i) {
    const MapLine& line = map.lines[i];
    const Rgb colour = line_colour(line, i, MapStyle::day);
    EXPECT_GT(count_of(png, colour, 0, png.height), i == 1 || i == 2 ? 50 : -1) << i;
  }
}

TEST_F(MapTest, LinesWithoutAGround) {
  const std::vector<Position> points{{4, 4}, {9, 5}};
  Map map;
  map.coordinates = Coordinates::planar;
  map.lines = {{.trip = {"a", points, {}}}, {.trip = {"empty", {}, {}}}};
  for (const char* name : {"a.svg", "a.png", "a.html"}) draw(map, name);
  EXPECT_EQ(summary_.points, 2u);
  EXPECT_EQ(extent_of(map.lines, Coordinates::planar), (Box{4, 4, 9, 5}));
  EXPECT_EQ(shown_box(map), summary_.shown);
}

TEST_F(MapTest, ManyLinesAndLongTrips) {
  std::vector<Position> points;
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> place(0, 1);
  for (int i = 0; i < 100'000; ++i) points.push_back({1e-5 * i, 0.01 * place(random)});
  const Dataset data = dataset_of({points});
  Map map = map_of(data);
  for (int i = 0; i < 200; ++i) {
    map.lines.push_back({.trip = {"some long name of a line of the legend", points, {}}});
    map.lines.back().trip.points = map.lines.back().trip.points.first(50);
  }
  map.lines[0].trip = data[0];
  const Picture svg = picture_of(draw(map, "map.svg"));
  EXPECT_NE(svg.text.find("more"), std::string::npos);
  EXPECT_NE(svg.text.find("…"), std::string::npos);
  decoded(draw(map, "map.png"));
  EXPECT_LT(draw(map, "map.html").size(), 2'000'000u);
}

TEST_F(MapTest, RefusesBadRequests) {
  const Dataset data = dataset_of({{{1, 2}, {3, 4}}});
  for (const char* name : {"map", "map.jpg", "map.svg.gz"}) {
    expect_error(ErrorCode::usage, "cannot draw", "html", [&] { draw_map(data, folder_ / name); });
    expect_error(ErrorCode::usage, "cannot draw", "html", [&] { check_map_name(name); });
  }
  check_map_name("a.HTML");
  for (const int width : {-1, 0, 479, 4097}) {
    expect_error(ErrorCode::usage, "pixels wide", "480",
                 [&] { draw_map(data, folder_ / "a.png", {.width = width}); });
  }
  Map map = map_of(data);
  for (const Box& box : {Box{3, 0, 2, 1}, Box{0, 1, 1, 0}, Box{0, 0, std::nan(""), 1}}) {
    map.shown = box;
    expect_error(ErrorCode::usage, "cannot show", "first",
                 [&] { draw_map(map, folder_ / "a.svg"); });
  }
  expect_error(ErrorCode::bad_input, "no points", "", [&] { draw_map(Map(), folder_ / "a.svg"); });
  expect_error(ErrorCode::bad_input, "too large", "", [&] {
    draw_map(dataset_of({{{-1.7e308, 0}, {1.7e308, 1}}}, Coordinates::planar), folder_ / "a.svg");
  });
  expect_error(ErrorCode::failure, "", "", [&] { draw_map(data, folder_ / "missing/a.svg"); });
  EXPECT_EQ(folder_.names().size(), 0u);
}

TEST_F(MapTest, ReportsProgressAndStops) {
  const Dataset data = dataset_of(Trips(10'000, {{1, 2}, {1.1, 2.1}}));
  for (const char* name : {"a.png", "a.html"}) {
    std::uint64_t last = 0;
    draw_map(data, folder_ / name, {}, [&](const ProgressState& state) {
      EXPECT_GE(state.done, last);
      EXPECT_EQ(state.total, 10'000u);
      last = state.done;
    });
    EXPECT_EQ(last, 10'000u);
  }
  struct Stop {};
  for (const char* name : {"b.png", "b.svg", "b.html"}) {
    EXPECT_THROW(draw_map(data, folder_ / name, {}, [](const ProgressState&) { throw Stop(); }),
                 Stop);
    EXPECT_FALSE(std::filesystem::exists(folder_ / name));
  }
}

}  // namespace
}  // namespace tsmini
