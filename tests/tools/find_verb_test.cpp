#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/find.h"

#include "tools/bundles.h"

namespace tsmini {
namespace {

using nlohmann::json;

class FindVerb : public Bundles {
 protected:
  std::vector<PieceMatch> found(Measure measure, std::size_t trip, std::size_t first,
                                std::size_t last, const FindOptions& options) const {
    const Dataset all = data();
    const PlanarSet set(all, Space::fit(SpaceKind::planar, all));
    return PieceFinder(set).find(measure, set[trip].subspan(first, last - first + 1), options);
  }

  // What the page of a map holds.
  json map_in(const std::string& name) const {
    const std::string page = read_file(folder_ / name);
    const std::size_t begin = page.find("id=\"map\">") + 9;
    return json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  }
};

TEST_F(FindVerb, IsTheLibrary) {
  for (const char* measure : {"frechet", "dtw"}) {
    for (const auto& [words, options] :
         {std::pair<std::string, FindOptions>{"", {}},
          {"-k 3 --min-length 250", {.k = 3, .min_length = 250}},
          {"--within 2500 --max-length 310 --per-trip 1",
           {.k = FindOptions::unlimited, .within = 2500, .max_length = 310, .per_trip = 1}}}) {
      SCOPED_TRACE(words);
      const auto matches = found(measure_from(measure), 4, 3, 6, options);
      const json all = report(
          fmt::format("find trips.tsd trips.tsd --piece 'east 4' --points 3,6 {} --measure {}",
                      words, measure));
      ASSERT_EQ(all["trips"].size(), matches.size());
      ASSERT_FALSE(matches.empty());
      for (std::size_t i = 0; i < matches.size(); ++i) {
        const json& row = all["trips"][i];
        EXPECT_EQ(row["rank"], i + 1);
        EXPECT_EQ(row["id"], trips_[matches[i].trip].id);
        EXPECT_EQ(row["first"], matches[i].first);
        EXPECT_EQ(row["last"], matches[i].last);
        EXPECT_EQ(row["begin"], trips_[matches[i].trip].times[matches[i].first]);
        EXPECT_EQ(row["end"], trips_[matches[i].trip].times[matches[i].last]);
        EXPECT_EQ(row["distance"], matches[i].distance);
        EXPECT_EQ(row["length"], matches[i].length);
      }
    }
  }
}

TEST_F(FindVerb, SkipsItsOwnTripAndPicksFromTheData) {
  const std::string words = "find trips.tsd city --piece 'east 4' --points 3,6 -k 1 ";
  EXPECT_EQ(report(words)["trips"][0]["id"], "east 4");
  EXPECT_EQ(report(words + "--skip-self")["trips"][0]["id"], "copy");
  EXPECT_EQ(report(words + "--id 'east 9'")["trips"][0]["id"], "east 9");
  EXPECT_EQ(report(words + "--id 'east 9'")["trips"][0]["distance"], 10);
}

TEST_F(FindVerb, TakesTheOnlyTripWhole) {
  output("cluster trips.tsd --id 'north 2' -o one.tsd --quiet");
  const json all = report("find one.tsd trips.tsd -k 2");
  EXPECT_EQ(all["piece"], "north 2");
  EXPECT_EQ(all["piece_last"], 11);
  EXPECT_EQ(all["trips"][0]["distance"], 0);
  EXPECT_EQ(all["trips"][1]["distance"], 3);
}

TEST_F(FindVerb, WritesPieces) {
  const std::string words = "find trips.tsd trips.tsd --piece 'east 4' --points 3,6 -k 4 --quiet ";
  output(words + "-o pieces.geojson --map pieces.html");
  const json features = json_file("pieces.geojson")["features"];
  ASSERT_EQ(features.size(), 5u);
  EXPECT_EQ(features[0]["properties"], json({{"role", "query"}, {"id", "east 4"}}));
  for (const json& feature : {features[0], features[1]}) {
    EXPECT_EQ(feature["geometry"]["coordinates"].size(), 4u);
    EXPECT_EQ(feature["geometry"]["coordinates"][0], json({300.0, 8.0}));
  }
  EXPECT_EQ(features[1]["properties"]["first"], 3);
  EXPECT_EQ(features[1]["properties"]["role"], "answer");
  EXPECT_EQ(features[1]["properties"]["query"], "east 4");
  output(words + "-o pieces.tsd");
  const Dataset pieces = data("pieces.tsd");
  ASSERT_EQ(pieces.size(), 4u);
  EXPECT_EQ(pieces[0].id, "east 4_0") << "pieces of one trip have names of their own";
  EXPECT_EQ(pieces[0].times[0], 1'000'030);
  EXPECT_EQ(text_of((*pieces.attribute("last"))[0]), "6");
  output(words + "-o pieces.csv");
  EXPECT_TRUE(matches(read_file(folder_ / "pieces.csv"),
                      "^id,rank,first,last,begin,end,length,distance,number,bundle\n"
                      "east 4,1,3,6,1000030,1000060,300.0,0.0,4,east\n"));
}

// What a trip knows itself is not lost where a column of what was found has its name.
TEST_F(FindVerb, KeepsWhatTripsKnowUnderOtherNames) {
  {
    DatasetWriter writer(folder_ / "knowing.tsd", Coordinates::planar);
    const std::vector<Position> points{{0, 0}, {10, 0}, {20, 0}};
    const std::vector<Attribute> known{{"role", std::string_view("bus")},
                                       {"query", std::string_view("why")},
                                       {"length", 7.5},
                                       {"own_length", 8.5}};
    writer.add({"a", points, {}}, known);
    writer.finish();
  }
  const std::string words = "find knowing.tsd knowing.tsd -k 1 --quiet -o ";
  output(words + "found.geojson");
  const json found = json_file("found.geojson")["features"][1]["properties"];
  EXPECT_EQ(found["role"], "answer");
  EXPECT_EQ(found["query"], "a");
  EXPECT_EQ(found["length"], 20);
  EXPECT_EQ(found.value("own_role", ""), "bus");
  EXPECT_EQ(found.value("own_query", ""), "why");
  EXPECT_EQ(found.value("own_length", 0.0), 8.5);
  EXPECT_EQ(found.value("own_own_length", 0.0), 7.5);
  output(words + "found.tsd");
  const Dataset pieces = data("found.tsd");
  EXPECT_EQ(text_of((*pieces.attribute("role"))[0]), "bus") << "no column has this name there";
  ASSERT_NE(pieces.attribute("own_own_length"), nullptr);
  EXPECT_EQ(text_of((*pieces.attribute("own_own_length"))[0]), "7.5");
  EXPECT_EQ(text_of((*pieces.attribute("length"))[0]), "20.0");
}

TEST_F(FindVerb, DrawsTheThousandNearest) {
  {
    DatasetWriter writer(folder_ / "long.tsd", Coordinates::planar);
    std::vector<Position> points;
    for (int i = 0; i < 1100; ++i) points.push_back({static_cast<double>(i), 0});
    writer.add({"long", points, {}});
    writer.finish();
  }
  output("find long.tsd long.tsd --points 0,0 --within 5000 --quiet --map long.html");
  const json map = map_in("long.html");
  EXPECT_EQ(map["lines"].size(), 1001u);
  EXPECT_EQ(map["title"], "1,100 matches of long, the nearest 1,000");
}

// The piece in a colour of its own, the matches on the trips they are of.
TEST_F(FindVerb, DrawsThePieceAndTheTripsOfItsMatches) {
  const std::string words = "find trips.tsd trips.tsd --piece 'east 4' --points 3,6 -k 3 --quiet ";
  output(words + "--map found.html");
  const json map = map_in("found.html");
  ASSERT_EQ(map["lines"].size(), 4u);
  EXPECT_EQ(map["lines"][0]["note"], "looked for");
  EXPECT_EQ(map["lines"][0]["tint"], 0);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_EQ(map["lines"][i]["tint"], i);
    EXPECT_NE(map["lines"][i]["colour"], map["lines"][0]["colour"]);
  }
  output("synth --count 30 -o degrees.tsd --quiet");
  output("find degrees.tsd degrees.tsd --piece trip-0000003 --points 2,9 -k 3 -o found.geojson");
  EXPECT_EQ(report("map found.geojson -o m.svg")["lines"], 4) << "with the piece";
}

TEST_F(FindVerb, ShowsATable) {
  const ProcessResult result = run("find trips.tsd trips.tsd --piece 'east 4' --points 3,6");
  EXPECT_TRUE(matches(result.output, "^rank +distance +length +points +begins +id\n"))
      << result.output;
  EXPECT_TRUE(matches(result.output, " 3 to 6  .*  east 4\n")) << result.output;
  EXPECT_TRUE(matches(result.errors, "assumed: measure frechet\nassumed: 10 matches"))
      << result.errors;
  EXPECT_EQ(output("find trips.tsd trips.tsd --piece odd --skip-self --within 1 --quiet"),
            "no match\n");
}

TEST_F(FindVerb, MistakesAreExplained) {
  refuse(2, "find trips.tsd trips.tsd", "trips.tsd has 20 trips: which of them is the piece",
         "--piece ID");
  refuse(3, "find trips.tsd trips.tsd --piece none", "there is no trajectory 'none'");
  refuse(2, "find trips.tsd trips.tsd --piece odd --points 3,12", "'odd' has the points 0 to 11");
  refuse(2, "find trips.tsd trips.tsd --piece odd --points 7,3", "--points: '7,3'");
  refuse(2, "find trips.tsd trips.tsd --piece odd --measure edwp", "by the measure 'edwp'",
         "dtw or frechet");
  refuse(2, "find trips.tsd trips.tsd --piece odd --min-length 9 --max-length 8",
         "--min-length 9 is above --max-length 8");
  refuse(2, "find trips.tsd city --piece odd -o trips.tsd", "trips.tsd is an input");
}

}  // namespace
}  // namespace tsmini
