#include "tsmini/map.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include "tsmini/error.h"

#include "draw/frame.h"
#include "draw/picture.h"

namespace tsmini {
namespace {

using Trips = std::vector<std::vector<Position>>;

Dataset dataset_of(const Trips& trips, Coordinates coordinates = Coordinates::degrees) {
  DatasetBuilder builder(coordinates);
  for (const auto& points : trips) builder.add({"trip", points, {}});
  return builder.finish();
}

// Random walks around a place, with a glitch far away.
Trips some_trips(Position centre, double spread) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> step(0, 0.1 * spread);
  Trips trips;
  for (int i = 0; i < 100; ++i) {
    std::vector<Position> points{centre};
    for (int k = 0; k < 30; ++k) {
      points.push_back({points.back().lon + step(random), points.back().lat + step(random)});
    }
    trips.push_back(points);
  }
  trips[50][7] = {centre.lon + 100 * spread, centre.lat + 50 * spread};
  return trips;
}

class MapTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              ("tsmini-map-" + std::to_string(::getpid()) + "-" + test->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string draw(const Dataset& data, const std::string& name, const MapOptions& options = {}) {
    draw_map(data, folder_ / name, options);
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path folder_;
};

void expect_error(ErrorCode code, const std::function<void()>& work) {
  try {
    work();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_FALSE(error.hint().empty()) << error.what();
  }
}

TEST_F(MapTest, DrawsASvg) {
  const Dataset data = dataset_of(some_trips({-8.61, 41.15}, 0.05));
  const Picture svg = picture_of(draw(data, "map.svg", {.title = "A & B <\"taxis\"> \x02"}));
  EXPECT_EQ(svg.elements.at("image"), 1);
  EXPECT_GE(svg.elements.at("text"), 10);
  EXPECT_EQ(svg.image.rfind("data:image/png;base64,iVBORw0KGgo", 0), 0u);
  for (const char* words : {"A & B <\"taxis\"> ?", "100 trajectories · 3,100 points", "° W", "° N",
                            " km", "trips per pixel", "lie outside the frame"}) {
    EXPECT_NE(svg.text.find(words), std::string::npos) << words;
  }
}

TEST_F(MapTest, CountsInWords) {
  const Picture svg = picture_of(draw(dataset_of({{{1, 2}}}), "map.svg"));
  EXPECT_NE(svg.text.find("1 trajectory · 1 point"), std::string::npos);
}

TEST_F(MapTest, DrawsAPng) {
  const std::string png = draw(dataset_of(some_trips({-8.61, 41.15}, 0.05)), "map.PNG");
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(png.substr(16, 4), std::string("\0\0\x04\xb0", 4));  // 1200 pixels wide
}

TEST_F(MapTest, DoesNotDependOnThreads) {
  const Dataset data = dataset_of(some_trips({116.4, 39.9}, 0.3));
  const std::string many = draw(data, "many.png");
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  EXPECT_EQ(draw(data, "one.png"), many);
}

TEST_F(MapTest, DrawsWhateverThereIs) {
  const std::vector<std::pair<const char*, Dataset>> cases = {
      {"one point", dataset_of({{{-8.61, 41.15}}})},
      {"equal points", dataset_of({{{5, 5}, {5, 5}, {5, 5}}, {{5, 5}}})},
      {"points only", dataset_of({{{5, 5}}, {{5.1, 5.1}}, {{5.2, 5.05}}})},
      {"the pole", dataset_of({{{0, 90}, {90, 89.9}}})},
      {"the world", dataset_of({{{-180, -90}, {180, 90}}, {{-180, 90}, {180, -90}}})},
      {"the antimeridian", dataset_of({{{179.9, -17}, {-179.9, -17.1}}})},
      {"a flat line", dataset_of({{{0, 10}, {10, 10}}})},
      {"an upright line", dataset_of({{{0, 10}, {0, 20}}})},
      {"planar at zero", dataset_of({{{0, 0}}}, Coordinates::planar)},
      {"planar, large", dataset_of({{{1e7, -1e7}, {1e7 + 5, -1e7 + 3}}}, Coordinates::planar)},
      {"planar, small", dataset_of({{{1e-9, 0}, {2e-9, 3e-9}}}, Coordinates::planar)},
      {"planar, huge", dataset_of({{{-1e300, 0}, {1e300, 1e300}}}, Coordinates::planar)},
      {"1 : 100", dataset_of({{{0, 0}, {100, 1}}, {{50, 0}}}, Coordinates::planar)},
      {"100 : 1", dataset_of({{{0, 0}, {1, 100}}, {{0, 50}}}, Coordinates::planar)},
  };
  for (const auto& [name, data] : cases) {
    SCOPED_TRACE(name);
    const Picture svg = picture_of(draw(data, "map.svg", {.width = 480}));
    EXPECT_EQ(svg.elements.at("image"), 1);
    EXPECT_NE(svg.text.find("all points lie inside"), std::string::npos) << svg.text;
    EXPECT_GT(draw(data, "map.png", {.width = 480}).size(), 100u);
  }
}

TEST_F(MapTest, ShowsTheBulkTrueToScale) {
  const Dataset data = dataset_of(some_trips({-8.61, 60}, 0.05));
  const Frame frame(data, 1000);
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
  const Box box = frame.box();
  EXPECT_NEAR(frame.pixel_of({box.min_lon, box.max_lat}).x, 0, 1e-6);
  EXPECT_NEAR(frame.pixel_of({box.min_lon, box.max_lat}).y, 0, 1e-6);
  EXPECT_NEAR(frame.pixel_of({box.max_lon, box.min_lat}).y, frame.height(), 1e-6);
}

TEST_F(MapTest, RefusesBadRequests) {
  const Dataset data = dataset_of({{{1, 2}, {3, 4}}});
  for (const char* name : {"map", "map.jpg", "map.svg.gz"}) {
    expect_error(ErrorCode::usage, [&] { draw_map(data, folder_ / name); });
  }
  for (const int width : {-1, 0, 479, 4097}) {
    expect_error(ErrorCode::usage, [&] { draw_map(data, folder_ / "a.png", {.width = width}); });
  }
  expect_error(ErrorCode::bad_input, [&] { draw_map(Dataset(), folder_ / "a.svg"); });
  expect_error(ErrorCode::bad_input, [&] {
    draw_map(dataset_of({{{-1.7e308, 0}, {1.7e308, 1}}}, Coordinates::planar), folder_ / "a.svg");
  });
  expect_error(ErrorCode::failure, [&] { draw_map(data, folder_ / "missing" / "a.svg"); });
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(MapTest, ReportsProgressAndStops) {
  Trips trips(10'000, {{1, 2}, {1.1, 2.1}});
  const Dataset data = dataset_of(trips);
  std::uint64_t last = 0;
  draw_map(data, folder_ / "a.png", {}, [&](const ProgressState& state) {
    EXPECT_GT(state.done, last);
    EXPECT_EQ(state.total, 10'000u);
    last = state.done;
  });
  EXPECT_EQ(last, 10'000u);
  struct Stop {};
  EXPECT_THROW(draw_map(data, folder_ / "b.png", {}, [](const ProgressState&) { throw Stop(); }),
               Stop);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.png"));
}

}  // namespace
}  // namespace tsmini
