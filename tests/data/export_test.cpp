#include "tsmini/export.h"

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

TEST(Export, WritesWhatTheFormatsSay) {
  const TemporaryFolder folder;
  const Dataset data = built({{"a\tb", {{1.5, 2}, {3, 4}}, {10, 20}}, {"c,d", {{5, 6}}, {}}});
  export_dataset(data, folder / "x.tsv", ExportFormat::tsv);
  EXPECT_EQ(read_file(folder / "x.tsv"), "a\\tb\t10 20\t1.5 2,3 4\nc,d\t\t5 6\n");
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

TEST(Export, RefusesWhatWouldComeBackAsSomethingElse) {
  const TemporaryFolder folder;
  const auto exported = [&](const Dataset& data, ExportFormat format) {
    return [&folder, data, format] { export_dataset(data, folder / "x", format); };
  };
  const Dataset twice = built(
      {{"a", {{1, 2}, {3, 4}}, {}}, {"b", {{1, 2}, {3, 4}}, {}}, {"a", {{5, 6}, {7, 8}}, {}}});
  expect_error(ErrorCode::bad_input, "trajectory 'a' is there twice", "tsv or geojson",
               exported(twice, ExportFormat::csv));
  const Dataset late = built({{"a", {{1, 2}, {3, 4}}, {0, 100'000'000'000}}});
  for (const ExportFormat format : {ExportFormat::csv, ExportFormat::geojson}) {
    expect_error(ErrorCode::bad_input, "trajectory 'a' has a time that is", "tsv",
                 exported(late, format));
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{});
  export_dataset(late, folder / "x", ExportFormat::tsv);
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
  EXPECT_EQ(export_format_of("b.GPX.gz"), ExportFormat::gpx);
  EXPECT_EQ(export_format_of("b.mfjson"), ExportFormat::mfjson);
  EXPECT_EQ(export_format_of("b.kepler.json"), ExportFormat::kepler);
  EXPECT_EQ(export_format_from("kepler"), ExportFormat::kepler);
  expect_error(ErrorCode::usage, "'xlsx' is not an export format", "mfjson, gpx and kepler",
               [] { export_format_of("a.xlsx"); });
  expect_error(ErrorCode::usage, "which format should a have", "name the format",
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
