// What is exported and imported again is the same, whatever its ids, numbers and size.
#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/export.h"
#include "tsmini/import.h"

#include "support/datasets.h"
#include "support/files.h"
#include "support/imports.h"

namespace tsmini {
namespace {

Dataset exported_and_imported(const Dataset& data, const std::string& name) {
  const TemporaryFolder folder;
  export_dataset(data, folder / name, export_format_of(name));
  EXPECT_EQ(folder.names(), std::vector<std::string>{name});
  ImportOptions options;
  options.clean.keep_duplicates = true;
  options.clean.min_points = 1;
  options.read.planar = data.info().coordinates == Coordinates::planar;
  import_files({folder / name}, folder / "back.tsd", options);
  const Dataset back = Dataset::open(folder / "back.tsd");
  back.verify();
  return back;
}

class RoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(RoundTrip, OfManyAtRandom) {
  const Dataset data = built(random_trajectories(2000, 5));
  expect_same(exported_and_imported(data, GetParam()), data);
}

TEST_P(RoundTrip, OfNumbersThatNeedAllTheirDigits) {
  constexpr double most = std::numeric_limits<double>::max();
  const Dataset data =
      built({{"a",
              {{0.1 + 0.2, 1.0 / 3}, {-most, 5e-324}, {1e22, 1e23}, {-0.0, 123456789.123456789}},
              {-99'999'999'999, -1, 0, 99'999'999'999}},
             {"b", {{1, 1}, {1, 1}}, {5, 5}}},
            {}, Coordinates::planar);
  expect_same(exported_and_imported(data, GetParam()), data);
}

TEST_P(RoundTrip, OfIds) {
  const Dataset data = built({{"with, comma; and \"quotes\"", {{1, 2}, {3, 4}}, {}},
                              {"back\\slash {brace} [bracket]", {{1, 2}, {3, 4}}, {}},
                              {"\xe5\x8c\x97\xe4\xba\xac \xf0\x9f\x9a\x95", {{1, 2}, {3, 4}}, {}},
                              {"\"", {{1, 2}, {3, 4}}, {}},
                              {"\"\"", {{1, 2}, {3, 4}}, {}},
                              {"id", {{1, 2}, {3, 4}}, {}},
                              {"12", {{1, 2}, {3, 4}}, {}}});
  expect_same(exported_and_imported(data, GetParam()), data);
}

TEST_P(RoundTrip, OfOnePointAndOfMixedTimes) {
  const Dataset data =
      built({{"a", {{1, 2}}, {}}, {"b", {{1, 2}, {3, 4}}, {7, 9}}, {"c", {{5, 6}}, {}}});
  expect_same(exported_and_imported(data, GetParam()), data);
}

TEST_P(RoundTrip, OfHostileIds) {
  const Dataset data = built({{"{", {{1, 2}, {3, 4}}, {}},
                              {"two\nlines\r", {{1, 2}, {3, 4}}, {}},
                              {"\ta\tb\t", {{1, 2}, {3, 4}}, {1, 2}},
                              {"  blanks ", {{1, 2}, {3, 4}}, {}},
                              {" ", {{1, 2}, {3, 4}}, {}},
                              {"\\t\\n\\\\", {{1, 2}, {3, 4}}, {}},
                              {std::string("nul\0nul", 7), {{1, 2}, {3, 4}}, {}},
                              {"x\t1\t1 2", {{1, 2}, {3, 4}}, {}},
                              {"LINESTRING (1 2, 3 4)", {{1, 2}, {3, 4}}, {}},
                              {"\n", {{1, 2}, {3, 4}}, {}}});
  expect_same(exported_and_imported(data, GetParam()), data);
}

// An id at the very front may look like the beginning of any other format.
TEST_P(RoundTrip, OfOneHostileIdAtTheFront) {
  for (const char* id : {"{\"type\":\"FeatureCollection\"}", "[", "<gpx", "Geolife trajectory",
                         "POLYLINE,x", "LINESTRING (1 2)", "id,lon,lat",
                         "\xef\xbb\xbf"
                         "bom",
                         "\xef\xbb\xbf\xef\xbb\xbf", "\r\n", "\n\nid,time,lon,lat\n", "\x1e", "\"",
                         "TSDATA\r\n", ",;|"}) {
    const Dataset data = built({{id, {{1, 2}, {3, 4}}, {}}, {"b", {{5, 6}}, {7}}});
    expect_same(exported_and_imported(data, GetParam()), data);
  }
}

// Ids of the characters that mean something anywhere, and others of one to four bytes.
std::string hostile_id(std::mt19937_64& random) {
  const std::vector<std::string> pieces{"\t",
                                        "\n",
                                        "\r",
                                        "\r\n",
                                        "\"",
                                        "\"\"",
                                        ",",
                                        ";",
                                        "|",
                                        "\\",
                                        "\\n",
                                        " ",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        "(",
                                        ")",
                                        "<",
                                        "0",
                                        "1 2,3",
                                        "LINESTRING (",
                                        "POLYLINE",
                                        "id",
                                        "a",
                                        "-",
                                        "'",
                                        "\x01",
                                        "\xc3\xa9",
                                        "\xe5\x8c\x97",
                                        "\xf0\x9f\x9a\x95",
                                        "\xef\xbb\xbf"};
  std::string id;
  do {
    id += pieces[random() % pieces.size()];
  } while (random() % 6 != 0);
  return id;
}

TEST_P(RoundTrip, OfHostileIdsAndLongTripsAtRandom) {
  std::mt19937_64 random(26);
  for (int round = 0; round < 30; ++round) {
    std::vector<OwnedTrajectory> trips = random_trajectories(1 + random() % 60, random());
    std::set<std::string> seen;
    for (OwnedTrajectory& trip : trips) {
      do {
        trip.id = hostile_id(random);
      } while (!seen.insert(trip.id).second);
      if (random() % 50 != 0) continue;
      while (trip.points.size() < 9000) {  // longer than what is looked at to know a format
        trip.points.push_back({trip.points.back().lat, -trip.points[random() % 2].lat});
        if (!trip.times.empty()) trip.times.push_back(trip.times.back() + 1);
      }
    }
    std::shuffle(trips.begin(), trips.end(), random);
    const Dataset data = built(trips);
    SCOPED_TRACE(round);
    expect_same(exported_and_imported(data, GetParam()), data);
    if (HasFailure()) return;
  }
}

TEST_P(RoundTrip, OfALongTripAtTheFront) {
  for (const bool timed : {false, true}) {
    OwnedTrajectory trip{"long", {}, {}};
    for (int i = 0; i < 40'000; ++i) {
      trip.points.push_back({-8 - i * 1e-6, 41 + i * 1e-6});
      if (timed) trip.times.push_back(1'372'636'858 + i);
    }
    const Dataset data = built({trip, {"b", {{1, 2}, {3, 4}}, {}}});
    expect_same(exported_and_imported(data, GetParam()), data);
  }
}

INSTANTIATE_TEST_SUITE_P(Export, RoundTrip,
                         testing::Values("a.tsv", "a.csv", "a.geojson", "a.json", "a.tsv.gz",
                                         "a.csv.gz", "a.geojson.gz"));

// Above 64 MiB in a line or feature.
TEST(RoundTripOfMuch, InOneRecord) {
  OwnedTrajectory trip{"long", {}, {}};
  for (int i = 0; i < 2'000'000; ++i) {
    trip.points.push_back({-8.123456789 - i * 1.01e-7, 41.123456789 + i * 1.01e-7});
  }
  const Dataset data = built({{"a", {{1, 2}, {3, 4}}, {}}, trip, {"b", {{1, 2}, {3, 4}}, {}}});
  for (const char* name : {"a.tsv", "a.geojson"}) {
    expect_same(exported_and_imported(data, name), data);
  }
}

}  // namespace
}  // namespace tsmini
