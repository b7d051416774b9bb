#include "tsmini/map.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tools/bundles.h"

namespace tsmini {
namespace {

using nlohmann::json;

class MapVerb : public Bundles {
 protected:
  std::string svg(const std::string& words) const {
    output("map " + words + " -o m.svg --quiet");
    return read_file(folder_ / "m.svg");
  }
};

TEST_F(MapVerb, DrawsDataSetsAndCollections) {
  for (const char* ending : {"svg", "png", "html"}) {
    for (const char* trips : {"trips.tsd", "city"}) {
      const json drawn = report(fmt::format("map {} -o m.{}", trips, ending));
      EXPECT_EQ(drawn["trajectories"], trips_.size());
      EXPECT_EQ(drawn["points_outside"], 0) << "all is in view";
      EXPECT_EQ(drawn["lines"], 0);
      EXPECT_GT(std::filesystem::file_size(folder_ / fmt::format("m.{}", ending)), 1000u);
    }
  }
  EXPECT_TRUE(matches(svg("trips.tsd"), "trips.tsd"));
  EXPECT_TRUE(matches(svg("trips.tsd --title 'Two ways'"), "Two ways"));
}

TEST_F(MapVerb, ShowsAPart) {
  const json drawn = report("map trips.tsd --bbox=2500,-100,3500,1500 -o m.svg");
  EXPECT_EQ(drawn["trajectories"], 8) << "what touches it";
  EXPECT_LE(drawn["shown"][0], 2500);
  EXPECT_GE(drawn["shown"][2], 3500);
  EXPECT_LT(drawn["shown"][2], 9000);
}

TEST_F(MapVerb, SaysThatAPartIsEmpty) {
  refuse(3, "map trips.tsd --bbox=90000,90000,90001,90001 -o x.svg",
         "trips.tsd: none of [0-9]+ trajectories touches --bbox=90000,90000,90001,90001",
         "tsmini info trips.tsd");
}

TEST_F(MapVerb, PutsChosenTripsOnTop) {
  const json drawn = report("map trips.tsd --highlight odd --highlight 'east 3' -o m.svg");
  EXPECT_EQ(drawn["lines"], 2);
  EXPECT_TRUE(matches(read_file(folder_ / "m.svg"), "east 3"));
  refuse(3, "map trips.tsd --highlight nosuch -o x.svg", "there is no trajectory 'nosuch'");
}

TEST_F(MapVerb, DrawsGroups) {
  EXPECT_EQ(report("map trips.tsd --by bundle -o m.svg")["lines"], 2);
  EXPECT_EQ(report("map trips.tsd --by bundle --top 1 -o m.svg")["lines"], 1);
  const std::string drawn = svg("trips.tsd --by bundle");
  EXPECT_TRUE(matches(drawn, "bundle east"));
  EXPECT_TRUE(matches(drawn, "11 trips"));
  EXPECT_TRUE(matches(drawn, "20 trips · 2 groups by bundle · others grey")) << "odd has none";
  refuse(3, "map trips.tsd --by colour -o x.svg", "there is no attribute 'colour'", "tsmini info");
  output("cluster trips.tsd --within 4 --min-points 3 -o grouped.tsd --quiet");
  EXPECT_EQ(report("map grouped.tsd -o m.svg")["lines"], 2);
}

// All trips of a group have its colour; a line on top is there only where one is marked.
TEST_F(MapVerb, GroupsAreAllOfTheirTrips) {
  const auto page = [&](const std::string& words) {
    output("map " + words + " -o m.html --quiet");
    const std::string text = read_file(folder_ / "m.html");
    const std::size_t begin = text.find("id=\"map\">") + 9;
    return json::parse(text.substr(begin, text.find("</script>", begin) - begin));
  };
  const json taxis = page("trips.tsd --by bundle");
  EXPECT_EQ(taxis["lines"][0]["drawn"], false);
  EXPECT_EQ(taxis["line_of_trip"], "AQEBAQEBAQEBAQICAgICAgICAQA=") << "1 for east, 2 for north";
  output("cluster trips.tsd --within 4 --min-points 3 -o grouped.tsd --quiet");
  const json clusters = page("grouped.tsd");
  EXPECT_EQ(clusters["lines"][0]["drawn"], true);
  EXPECT_EQ(clusters["line_of_trip"], taxis["line_of_trip"]);
  EXPECT_EQ(page("trips.tsd --by bundle --top 1")["line_of_trip"], "AQEBAQEBAQEBAQAAAAAAAAAAAQA=");
}

TEST_F(MapVerb, DrawsAnswers) {
  const auto lines = [&](const std::string& words) {
    output(words + " -o found.tsd --quiet");
    return report("map found.tsd -o m.svg")["lines"].get<std::size_t>();
  };
  EXPECT_EQ(lines("cluster trips.tsd --within 4 --min-points 3"), 2u);
  EXPECT_GE(lines("outliers trips.tsd -k 3 --top 4"), 10u);
  const ProcessResult said = run("map found.tsd --top 3 -o m.svg");
  EXPECT_TRUE(matches(said.errors, "shows the 3 oddest trips")) << said.errors;
}

// GeoJSON is read as degrees, so trips that have them.
TEST_F(MapVerb, DrawsAnswersInGeojson) {
  output("synth --count 40 -o city.tsd --quiet");
  output("knn city.tsd city.tsd --limit 2 -k 3 -o near.geojson --quiet");
  const json drawn = report("map near.geojson -o m.html");
  EXPECT_EQ(drawn["trajectories"], 8);
  EXPECT_EQ(drawn["lines"], 4) << "the first query and its answers";
  output("cluster city.tsd -k 4 -o groups.geojson --quiet");
  EXPECT_EQ(report("map groups.geojson -o m.html")["lines"], 4);
}

TEST_F(MapVerb, MistakesAreExplained) {
  refuse(2, "map trips.tsd -o m.gif", "m.gif");
  refuse(2, "map trips.tsd", "--output");
  refuse(3, "map none.tsd -o x.svg", "none.tsd");
  refuse(2, "map trips.tsd -o x.svg --bbox 3", "--bbox: '3'");
  refuse(2, "map trips.tsd -o city/x.svg", "inside the collection", "choose");
}

}  // namespace
}  // namespace tsmini
