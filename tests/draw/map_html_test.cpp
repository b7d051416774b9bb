#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/map.h"

#include "draw/decoded_png.h"
#include "draw/map_cases.h"
#include "draw/svg.h"
#include "draw/trip_code.h"
#include "geo/wgs84.h"
#include "support/files.h"

namespace tsmini {
namespace {

using Json = nlohmann::json;

std::string from_base64(std::string_view text) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(digits.find(c));
    count += 6;
    if (count >= 8) out += static_cast<char>(bits >> (count -= 8) & 0xff);
  }
  return out;
}

using Cells = std::vector<TripGrid::Cell>;

// As the page's script reads them.
std::vector<Cells> trips_from(std::string_view bytes) {
  std::size_t at = 0;
  const auto number = [&] {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      value |= std::uint64_t{byte & 127u} << shift;
      if (byte < 128) return value;
    }
  };
  const auto step = [&] {
    const std::uint64_t value = number();
    return value % 2 == 0 ? static_cast<std::int64_t>(value / 2)
                          : -static_cast<std::int64_t>(value / 2) - 1;
  };
  std::vector<Cells> trips;
  TripGrid::Cell last;
  while (at < bytes.size()) {
    trips.emplace_back(number());
    for (TripGrid::Cell& cell : trips.back()) {
      last.x += step();
      last.y += step();
      cell = last;
    }
  }
  return trips;
}

class MapHtml : public testing::Test {
 protected:
  std::string draw(const Map& map) {
    summary_ = draw_map(map, folder_ / "map.html");
    return read_file(folder_ / "map.html");
  }

  // The JSON between the tags of its element.
  static Json data_of(const std::string& page) {
    constexpr std::string_view mark = "<script type=\"application/json\" id=\"map\">";
    const std::size_t begin = page.find(mark) + mark.size();
    return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  }

  TemporaryFolder folder_;
  MapSummary summary_;
};

Map map_of(const Dataset& data) {
  Map map;
  map.title = "a title";
  map.ground = data;
  return map;
}

// Every point is where it was, to half a quantum, but for those equal to the one before.
void expect_same(const Cells& cells, std::span<const Position> points, const Json& page) {
  const double quantum = page["quantum"][1].get<double>() / page["unit"][1].get<double>();
  const Position origin{page["origin"][0], page["origin"][1]};
  const bool degrees = page["degrees"];
  std::size_t k = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto off = [&](const TripGrid::Cell& cell) {
      const double lon = points[i].lon - origin.lon - static_cast<double>(cell.x) * quantum;
      return std::max(std::abs(degrees ? wrapped_degrees(lon) : lon),
                      std::abs(points[i].lat - origin.lat - static_cast<double>(cell.y) * quantum));
    };
    while (k < cells.size() && off(cells[k]) > 0.5001 * quantum) ++k;
    ASSERT_LT(k, cells.size()) << "point " << i;
  }
  EXPECT_EQ(k + 1, cells.size());
}

TEST_F(MapHtml, HoldsTheDataItself) {
  for (const auto& [name, data] : odd_datasets()) {
    SCOPED_TRACE(name);
    const Json page = data_of(draw(map_of(data)));
    const std::vector<Cells> trips = trips_from(from_base64(page["trips"].get<std::string>()));
    ASSERT_EQ(trips.size(), data.size());
    for (std::size_t i = 0; i < trips.size(); ++i) expect_same(trips[i], data[i].points, page);
    EXPECT_EQ(summary_.trips_left_out, 0u);
    EXPECT_TRUE(page["rasters"].empty());
  }
}

TEST_F(MapHtml, HoldsATown) {
  const Dataset data = dataset_of(some_trips({-8.61, 41.15}, 0.05));
  Map map = map_of(data);
  map.lines = {{.trip = data[7], .note = "12 km", .badge = "1", .ends = true}, {.trip = data[50]}};
  const std::string text = draw(map);
  const Json page = data_of(text);
  const auto trips = trips_from(from_base64(page["trips"].get<std::string>()));
  ASSERT_EQ(trips.size(), data.size());
  for (std::size_t i = 0; i < trips.size(); ++i) expect_same(trips[i], data[i].points, page);
  const auto paths = trips_from(from_base64(page["paths"].get<std::string>()));
  ASSERT_EQ(paths.size(), 2u);
  expect_same(paths[0], data[7].points, page);
  expect_same(paths[1], data[50].points, page);
  EXPECT_EQ(page["title"], "a title");
  EXPECT_EQ(page["subtitle"], "100 trajectories · 3,100 points");
  EXPECT_EQ(page["style"], "day");
  EXPECT_EQ(page["lines"][0]["label"], "trip 7");
  EXPECT_EQ(page["lines"][0]["note"], "12 km");
  EXPECT_EQ(page["lines"][0]["badge"], "1");
  EXPECT_EQ(page["lines"][0]["ends"], true);
  EXPECT_NE(page["lines"][0]["colour"], page["lines"][1]["colour"]);

  // All of it is in the first view, and the bulk in the second, true to scale where the bulk is.
  EXPECT_TRUE(summary_.is_dwarfed);
  const auto whole = page["views"]["whole"].get<std::vector<double>>();
  const auto bulk = page["views"]["bulk"].get<std::vector<double>>();
  const double qx = page["quantum"][0], qy = page["quantum"][1];
  for (const Cells& trip : trips) {
    for (const TripGrid::Cell& cell : trip) {
      const double x = static_cast<double>(cell.x) * qx, y = static_cast<double>(cell.y) * qy;
      EXPECT_TRUE(x >= whole[0] && y >= whole[1] && x <= whole[2] && y <= whole[3]);
    }
  }
  EXPECT_LT(bulk[2] - bulk[0], 0.1 * (whole[2] - whole[0]));
  EXPECT_NEAR(page["unit"][0].get<double>() / degree_length_at(41.15).lon, 1, 0.01);
}

TEST_F(MapHtml, NeedsNoNetworkAndRunsNoIds) {
  const std::string hostile = "</script><script>alert(1)</script><!-- \" ' & \\ @page_data@";
  const std::string broken("\xff nul \0 here", 12);
  const std::vector<Position> points{{1, 1}, {2, 2}};
  Map map;
  map.title = hostile;
  map.subtitle = hostile;
  map.lines = {{.trip = {hostile, points, {}}, .note = hostile, .badge = "<b>"},
               {.trip = {broken, points, {}}, .label = broken}};
  const std::string page = draw(map);
  const Json data = data_of(page);
  EXPECT_EQ(data["title"], hostile);
  EXPECT_EQ(data["lines"][0]["label"], hostile);
  EXPECT_EQ(data["lines"][1]["label"].get<std::string>(),
            std::string("\xef\xbf\xbd nul \0 here", 14));
  std::size_t scripts = 0;
  for (std::size_t at = 0; (at = page.find("</script", at)) != page.npos; ++at) ++scripts;
  EXPECT_EQ(scripts, 2u);
  EXPECT_EQ(page.find("alert(1)</script"), page.npos);
  EXPECT_NE(page.find("<title>" + escaped(hostile) + "</title>"), page.npos);
  for (const char* address : {"http:", "https:", "src=", "@import", "url("}) {
    EXPECT_EQ(page.find(address), page.npos) << address;
  }
  EXPECT_NE(page.find("default-src 'none'"), page.npos);
}

TEST_F(MapHtml, HoldsWhatPassesTheBox) {
  Map map = map_of(dataset_of({{{0, 0}, {1, 1}}, {{5, 5}, {6, 6}}, {{0.2, 5}, {0.3, -5}}}));
  map.shown = Box{0, 0, 1, 1};
  const Json page = data_of(draw(map));
  EXPECT_EQ(trips_from(from_base64(page["trips"].get<std::string>())).size(), 2u);
  EXPECT_EQ(summary_.trips_left_out, 0u);
  EXPECT_EQ(summary_.points_outside, 4u);
  EXPECT_EQ(page["note"],
            "4 of 6 points (67 %) lie outside the frame · drawn: the 2 of 3 trips that pass the "
            "frame");
}

// Noise around a place in a country, of which a point takes six bytes.
std::vector<Position> noise(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> place(-5, 5), step(-0.06, 0.06);
  const Position centre{place(random), place(random)};
  std::vector<Position> points(count);
  for (Position& p : points) p = {centre.lon + step(random), centre.lat + step(random)};
  return points;
}

TEST_F(MapHtml, HoldsAPictureOfWhatIsTooMuch) {
  constexpr std::size_t count = 1200;
  Trips trips;
  for (std::size_t i = 0; i < count; ++i) trips.push_back(noise(1000, i));
  const Dataset data = dataset_of(trips);
  const std::string text = draw(map_of(data));
  EXPECT_LT(text.size(), 10'000'000u);
  const Json page = data_of(text);
  const auto kept = trips_from(from_base64(page["trips"].get<std::string>()));
  EXPECT_GT(kept.size(), count / 5);
  EXPECT_EQ(summary_.trips_left_out, count - kept.size());
  const std::size_t stride = (count + kept.size() - 1) / kept.size();
  for (std::size_t i = 0; i < kept.size(); i += 50) {
    expect_same(kept[i], data[i * stride].points, page);
  }
  ASSERT_EQ(page["rasters"].size(), 1u);
  const std::string png = page["rasters"][0]["levels"];
  constexpr std::string_view begin = "data:image/png;base64,";
  ASSERT_TRUE(png.starts_with(begin));
  const Image image = decoded(from_base64(std::string_view(png).substr(begin.size())), 1);
  // Bright where the first trip is.
  const auto box = page["rasters"][0]["box"].get<std::vector<double>>();
  const TripGrid::Cell& cell = kept[0][0];
  const double x = static_cast<double>(cell.x) * page["quantum"][0].get<double>();
  const double y = static_cast<double>(cell.y) * page["quantum"][1].get<double>();
  EXPECT_GT(image
                .at(static_cast<int>((x - box[0]) / (box[2] - box[0]) * image.width),
                    static_cast<int>((box[3] - y) / (box[3] - box[1]) * image.height))
                .r,
            50);
  EXPECT_NE(page["note"].get<std::string>().find("a picture of 1,200 trips"), std::string::npos);
}

// Numbers as the page's script reads them.
std::vector<std::uint64_t> numbers_from(std::string_view bytes) {
  std::vector<std::uint64_t> numbers;
  int shift = 0;
  for (const char c : bytes) {
    if (shift == 0) numbers.push_back(0);
    const auto byte = static_cast<unsigned char>(c);
    numbers.back() |= std::uint64_t{byte & 127u} << shift;
    shift = byte < 128 ? 0 : shift + 7;
  }
  return numbers;
}

TEST_F(MapHtml, TellsWhichLineATripBelongsTo) {
  Map map = map_of(dataset_of({{{0, 0}, {1, 1}}, {{0, 1}, {1, 0}}, {{0, 0}, {1, 0}}}));
  map.lines.resize(300);
  map.lines[1] = {.trip = map.ground[1], .label = "typical"};
  map.line_of_trip = {299, 1, Map::no_line};
  const Json page = data_of(draw(map));
  EXPECT_EQ(numbers_from(from_base64(page["line_of_trip"].get<std::string>())),
            (std::vector<std::uint64_t>{300, 2, 0}));
  ASSERT_EQ(page["lines"].size(), 300u);
  EXPECT_EQ(page["lines"][1]["drawn"], true);
  EXPECT_EQ(page["lines"][299]["drawn"], false);
  EXPECT_EQ(trips_from(from_base64(page["paths"].get<std::string>())).size(), 1u);
  EXPECT_EQ(page["lines"][1]["tint"], 1);
  EXPECT_EQ(page["lines"][299]["tint"], 2);
  EXPECT_EQ(page["lines"][0]["tint"], 0);
}

TEST_F(MapHtml, APictureOfGroupsHasTheirTints) {
  Trips trips;
  for (std::size_t i = 0; i < 1200; ++i) trips.push_back(noise(1000, i));
  Map map = map_of(dataset_of(trips));
  map.lines = {{.trip = {}, .label = "even"}, {.trip = {}, .label = "odd"}};
  for (std::uint32_t i = 0; i < 1200; ++i) map.line_of_trip.push_back(i % 2);
  const std::string text = draw(map);
  EXPECT_LT(text.size(), 12'000'000u);
  const Json page = data_of(text);
  ASSERT_EQ(page["rasters"].size(), 1u);
  constexpr std::string_view begin = "data:image/png;base64,";
  const auto image = [&](const char* kind) {
    const std::string png = page["rasters"][0][kind];
    return decoded(from_base64(std::string_view(png).substr(begin.size())), 1);
  };
  std::vector<std::size_t> counts(3, 0);
  for (const Rgb& pixel : image("tints").pixels) ++counts.at(pixel.r);
  EXPECT_GT(counts[1], 1000u);
  EXPECT_GT(counts[2], 1000u);
  const Image strengths = image("strengths"), levels = image("levels");
  EXPECT_TRUE(std::any_of(strengths.pixels.begin(), strengths.pixels.end(),
                          [](const Rgb& pixel) { return pixel.r > 150; }));
  EXPECT_TRUE(std::all_of(levels.pixels.begin(), levels.pixels.end(), [](const Rgb& pixel) {
    return pixel.r == 0;
  })) << "all belong to a line";
}

// One trip that is too long by itself leaves the picture; long lines become coarser.
TEST_F(MapHtml, HoldsAPictureOfOneLongTrip) {
  std::vector<Position> trip = noise(1'200'000, 1);
  for (std::size_t i = 0; i < trip.size(); ++i) trip[i].lon += 1e-5 * static_cast<double>(i);
  Map map = map_of(dataset_of({trip}));
  map.lines = {{.trip = map.ground[0]}};
  const std::string text = draw(map);
  EXPECT_LT(text.size(), 6'000'000u);
  const Json page = data_of(text);
  EXPECT_EQ(page["trips"], "");
  EXPECT_EQ(page["rasters"].size(), 1u);
  EXPECT_EQ(summary_.trips_left_out, 1u);
  const auto paths = trips_from(from_base64(page["paths"].get<std::string>()));
  ASSERT_EQ(paths.size(), 1u);
  EXPECT_LT(paths[0].size(), 1'000'000u);
}

TEST(TripCode, LeavesOutWhatDoesNotMove) {
  const TripGrid grid({0, 0, 2, 2}, Coordinates::degrees);
  TripCode code(grid);
  const std::vector<Position> points{{1, 1}, {1, 1}, {1.000005, 1}, {1.000011, 1}, {1.000012, 1}};
  code.add(points);
  code.add(points, 10);
  const auto trips = trips_from(code.bytes());
  ASSERT_EQ(trips.size(), 2u);
  EXPECT_EQ(trips[0], (Cells{{0, 0}, {5, 0}, {11, 0}, {12, 0}}));
  EXPECT_EQ(trips[1], (Cells{{0, 0}, {11, 0}, {12, 0}}));
  EXPECT_EQ(code.bytes().substr(0, 5), std::string("\x04\0\0\x0a\0", 5));
}

}  // namespace
}  // namespace tsmini
