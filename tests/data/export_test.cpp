#include "tsmini/export.h"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/error.h"
#include "tsmini/import.h"

#include "support/datasets.h"
#include "support/error_expectation.h"
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

TEST_P(RoundTrip, LineBreaksInAnIdBecomeBlanksWhereLinesMatter) {
  const Dataset data = built({{"two\nlines\r", {{1, 2}, {3, 4}}, {}}, {"b", {{1, 2}, {3, 4}}, {}}});
  const Dataset back = exported_and_imported(data, GetParam());
  ASSERT_EQ(back.size(), 2u);
  const bool json = std::string(GetParam()).find("json") != std::string::npos;
  EXPECT_EQ(back[0].id.substr(0, 9), json ? "two\nlines" : "two lines");
}

INSTANTIATE_TEST_SUITE_P(Export, RoundTrip,
                         testing::Values("a.tsv", "a.csv", "a.geojson", "a.json", "a.tsv.gz",
                                         "a.csv.gz", "a.geojson.gz"));

TEST(Export, WritesWhatTheFormatsSay) {
  const TemporaryFolder folder;
  const Dataset data = built({{"a\tb", {{1.5, 2}, {3, 4}}, {10, 20}}, {"c,d", {{5, 6}}, {}}});
  export_dataset(data, folder / "x.tsv", ExportFormat::tsv);
  EXPECT_EQ(read_file(folder / "x.tsv"), "a b\t10 20\t1.5 2,3 4\nc,d\t\t5 6\n");
  export_dataset(data, folder / "x.csv", ExportFormat::csv);
  EXPECT_EQ(read_file(folder / "x.csv"),
            "id,time,lon,lat\na\tb,10,1.5,2\na\tb,20,3,4\n\"c,d\",,5,6\n");
  export_dataset(data, folder / "x.json", ExportFormat::geojson);
  const auto json = nlohmann::json::parse(read_file(folder / "x.json"));
  EXPECT_EQ(json["type"], "FeatureCollection");
  EXPECT_EQ(json["features"].size(), 2u);
  EXPECT_EQ(json["features"][0]["properties"]["id"], "a\tb");
  EXPECT_EQ(json["features"][0]["properties"]["times"], (std::vector<int>{10, 20}));
  EXPECT_EQ(json["features"][0]["geometry"]["coordinates"][0], (std::vector<double>{1.5, 2}));
  EXPECT_FALSE(json["features"][1]["properties"].contains("times"));
}

TEST(Export, OfNothing) {
  const TemporaryFolder folder;
  export_dataset(Dataset(), folder / "x.tsv", ExportFormat::tsv);
  EXPECT_EQ(read_file(folder / "x.tsv"), "");
  export_dataset(Dataset(), folder / "x.csv", ExportFormat::csv);
  EXPECT_EQ(read_file(folder / "x.csv"), "id,time,lon,lat\n");
  export_dataset(Dataset(), folder / "x.json", ExportFormat::geojson);
  EXPECT_TRUE(nlohmann::json::parse(read_file(folder / "x.json"))["features"].empty());
}

TEST(Export, FormatsByName) {
  EXPECT_EQ(export_format_of("a/b.TSV"), ExportFormat::tsv);
  EXPECT_EQ(export_format_of("b.csv.gz"), ExportFormat::csv);
  EXPECT_EQ(export_format_of("b.json"), ExportFormat::geojson);
  EXPECT_EQ(export_format_from("GeoJSON"), ExportFormat::geojson);
  expect_error(ErrorCode::usage, "'xlsx' is not an export format", "tsv, csv and geojson",
               [] { export_format_of("a.xlsx"); });
  expect_error(ErrorCode::usage, "which format should a have", "--format",
               [] { export_format_of("a"); });
}

TEST(Export, LeavesNothingWhereItIsStopped) {
  const TemporaryFolder folder;
  const Dataset data = built(random_trajectories(3000, 6));
  expect_error(ErrorCode::interrupted, "stop", "", [&] {
    export_dataset(data, folder / "x.csv", ExportFormat::csv,
                   [](const ProgressState&) { throw Error(ErrorCode::interrupted, "stop"); });
  });
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
}

}  // namespace
}  // namespace tsmini
