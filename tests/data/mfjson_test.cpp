// MF-JSON in its several forms.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/error_expectation.h"
#include "support/imports.h"

namespace tsmini {
namespace {

using Lines = std::vector<std::string>;

Lines lines_in(const std::string& text) {
  const Imported imported = import_text(text, "a.json");
  EXPECT_EQ(imported.summary.formats, Lines{"mfjson"});
  return lines_of(imported.data);
}

const std::string point =
    R"("type":"MovingPoint","datetimes":["1970-01-01T00:00:10Z","1970-01-01T00:00:20.5Z"],)"
    R"("coordinates":[[1,2],[3,4,5]])";
const std::string later =
    R"("type":"MovingPoint","coordinates":[[5,6],[7,8]],"datetimes":[1000000000000,1000000001000])";

TEST(MfJson, OfAFeature) {
  const Imported imported =
      import_text(R"({"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[9,9]},)"
                  R"("temporalGeometry":{)" +
                      point + R"(,"interpolation":"Linear"},"properties":{"ship":"x","tons":7}})",
                  "a.json");
  EXPECT_EQ(lines_of(imported.data), Lines{"a | 10 20 | 1 2,3 4"});
  EXPECT_EQ((*imported.data.attribute("ship"))[0], AttributeValue("x"));
  EXPECT_EQ((*imported.data.attribute("tons"))[0], AttributeValue(std::int64_t{7}));
}

TEST(MfJson, OfACollectionOfFeaturesInAnyOrderOfMembers) {
  EXPECT_EQ(lines_in(R"({"type":"FeatureCollection","features":[{"temporalGeometry":{)" + point +
                     R"(},"properties":{"id":"p"},"type":"Feature",)"
                     R"("geometry":{"type":"LineString","coordinates":[[0,0],[9,9]]}},)"
                     R"({"type":"Feature","id":"q","temporalGeometry":{)" +
                     later + "}}]}"),
            (Lines{"p | 10 20 | 1 2,3 4", "q | 1000000000 1000000001 | 5 6,7 8"}));
}

TEST(MfJson, AsMobilityDbWritesIt) {
  EXPECT_EQ(lines_in("{" + point + "}"), Lines{"a-1 | 10 20 | 1 2,3 4"});
  EXPECT_EQ(lines_in(R"({"type":"Feature","id":"s","temporalGeometry":{"type":"MovingPoint",)"
                     R"("sequences":[{"coordinates":[[1,2],[3,4]],"datetimes":[1,2]},)"
                     R"({"coordinates":[[5,6],[7,8]],"datetimes":[3,4]}]}})"),
            (Lines{"s_0 | 1 2 | 1 2,3 4", "s_1 | 3 4 | 5 6,7 8"}));
  const Imported instant = import_text(
      R"({"type":"MovingPoint","coordinates":[1,2],"datetimes":"1970-01-01T00:00:07+00"})",
      "a.json", "--min-points 1");
  EXPECT_EQ(lines_of(instant.data), Lines{"a-1 | 7 | 1 2"});
}

TEST(MfJson, OfSeveralPrisms) {
  EXPECT_EQ(lines_in(R"({"type":"Feature","id":"c","temporalGeometry":)"
                     R"({"type":"MovingGeometryCollection","prisms":[{)" +
                     point + R"(},{"type":"MovingPolygon","datetimes":[1]},{)" + later + "}]}}"),
            (Lines{"c_0 | 10 20 | 1 2,3 4", "c_1 | 1000000000 1000000001 | 5 6,7 8"}));
}

TEST(MfJson, OtherThingsThatMoveAreDropped) {
  const Imported imported =
      import_text(R"({"type":"FeatureCollection","features":[{"type":"Feature","temporalGeometry":)"
                  R"({"type":"MovingPolygon","datetimes":[1],"coordinates":[[[[1,2]]]]}},)"
                  R"({"type":"Feature","id":"q","temporalGeometry":{)" +
                      point + "}}]}",
                  "a.json");
  EXPECT_EQ(lines_of(imported.data), Lines{"q | 10 20 | 1 2,3 4"});
  EXPECT_EQ(count_of(imported.summary, Drop::not_a_line), 1u);
}

TEST(MfJson, TrajectoriesHaveTheirTimesInProperties) {
  const Imported imported = import_text(
      R"({"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},)"
      R"("properties":{"id":"t","datetimes":["1970-01-01T00:00:01Z","1970-01-01T00:00:02Z"]}})",
      "a.json");
  EXPECT_EQ(lines_of(imported.data), Lines{"t | 1 2 | 1 2,3 4"});
}

TEST(MfJson, BadRecordsAreNamedWithTheirLine) {
  const auto refused = [](const std::string& geometry, const std::string& what) {
    expect_error(ErrorCode::bad_input, "a.json:2: .*" + what, "", [&] {
      import_text(
          "{\"type\":\"FeatureCollection\",\"features\":[\n{\"type\":\"Feature\","
          "\"temporalGeometry\":" +
              geometry + "}]}",
          "a.json");
    });
  };
  refused(R"({"type":"MovingPoint","datetimes":[1,2,3],"coordinates":[[1,2],[3,4]]})",
          "3 datetimes for 2 positions");
  refused(R"({"type":"MovingPoint","coordinates":[[1,2],[3,4]]})", "0 datetimes for 2 positions");
  refused(R"({"type":"MovingPoint","datetimes":["x",2],"coordinates":[[1,2],[3,4]]})",
          "'x' is not a time");
  refused(R"({"type":"MovingPoint","datetimes":[1],"coordinates":[[1]]})", "two numbers");
  refused(R"({"type":"MovingPoint","datetimes":[1],"coordinates":7})", "type");
  refused(R"({"datetimes":[1],"coordinates":[[1,2]]})", "type");
  refused(R"({"type":"MovingPoint","datetimes":[1,3,2],"coordinates":[[1,2],[3,4],[5,6]]})",
          "backwards");
  refused(R"({"type":"MovingPoint","datetimes":[1],"coordinates":[[1,2]],"crs":{"type":"Name",)"
          R"("properties":{"name":"EPSG:3857"}}})",
          "not WGS84");
}

// A name that is most of the text: it is unescaped once only.
TEST(MfJson, LongNamesAndTypes) {
  const std::string name(200'000, 'k');
  EXPECT_EQ(import_text("{\"" + name + "\":1," + point + "}", "a.json").data.size(), 1u);
  const Imported imported =
      import_text("{\"type\":\"Moving" + name + "\"}\n{" + point + "}", "a.json");
  EXPECT_EQ(imported.data.size(), 1u);
}

TEST(Kepler, TheFourthNumberIsATimeWhereItCanBe) {
  const auto lines = [](const std::string& coordinates) {
    return lines_of(
        import_text(R"({"type":"LineString","coordinates":[)" + coordinates + "]}", "a.json").data);
  };
  EXPECT_EQ(lines("[1,2,0,5],[3,4,0,6]"), Lines{"a-1 | 5 6 | 1 2,3 4"});
  EXPECT_EQ(lines("[1,2,0,6],[3,4,0,5]"), Lines{"a-1 |  | 1 2,3 4"});
  EXPECT_EQ(lines("[1,2,0,5],[3,4,0]"), Lines{"a-1 |  | 1 2,3 4"});
  EXPECT_EQ(lines("[1,2,5],[3,4,6]"), Lines{"a-1 |  | 1 2,3 4"});
}

}  // namespace
}  // namespace tsmini
