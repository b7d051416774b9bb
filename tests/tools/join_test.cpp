#include "tsmini/join.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tools/bundles.h"

namespace tsmini {
namespace {

using nlohmann::json;

class JoinVerb : public Bundles {
 protected:
  // All of the distances of a trip, by rising distance.
  std::vector<Neighbour> near(std::size_t trip) const {
    std::vector<Neighbour> all;
    for (std::size_t i = 0; i < trips_.size(); ++i) all.push_back({i, frechet(trip, i)});
    std::stable_sort(all.begin(), all.end(), [](const Neighbour& a, const Neighbour& b) {
      return a.distance < b.distance;
    });
    return all;
  }
};

TEST_F(JoinVerb, FindsAllPairs) {
  const json all = report("join trips.tsd city --within 5");
  std::size_t pairs = 0, query = 0;
  for (std::size_t i = 0; i < trips_.size(); ++i) {
    const json& row = all["queries"][query++];
    EXPECT_EQ(row["query"], trips_[i].id);
    std::size_t rank = 0;
    for (const Neighbour& n : near(i)) {
      if (n.distance > 5) break;
      EXPECT_EQ(row["neighbours"][rank]["id"], trips_[n.index].id);
      EXPECT_EQ(row["neighbours"][rank++]["distance"], n.distance);
      ++pairs;
    }
    EXPECT_EQ(row["neighbours"].size(), rank);
  }
  EXPECT_EQ(all["pairs"], pairs);
  EXPECT_EQ(all["within"], 5);
}

TEST_F(JoinVerb, FindsTheNearest) {
  const json all = report("join trips.tsd trips.tsd -k 3 --id odd --id 'north 0'");
  ASSERT_EQ(all["queries"].size(), 2u);
  for (const json& row : all["queries"]) EXPECT_EQ(row["neighbours"].size(), 3u);
  EXPECT_EQ(all["pairs"], 6);
  const json assumed = report("join trips.tsd city");
  EXPECT_EQ(assumed["k"], 1);
  EXPECT_EQ(assumed["assumed"].size(), 2u);
  EXPECT_EQ(assumed["queries"][0]["neighbours"][0]["id"], "east 0");
}

TEST_F(JoinVerb, SkipsWhatHasTheSameId) {
  const json nearest = report("join trips.tsd trips.tsd -k 2 --skip-self");
  const json knn = report("knn trips.tsd trips.tsd -k 2 --skip-self");
  ASSERT_EQ(nearest["queries"].size(), trips_.size());
  EXPECT_EQ(nearest["queries"], knn["queries"]);
  EXPECT_EQ(nearest["pairs"], 2 * trips_.size());
  const json within = report("join trips.tsd city --within 5 --skip-self");
  for (const json& row : within["queries"]) {
    for (const json& n : row["neighbours"]) EXPECT_NE(n["id"], row["query"]);
  }
  EXPECT_EQ(report("join trips.tsd city --within 0 --skip-self")["pairs"], 2) << "a copy";
  EXPECT_EQ(report("join trips.tsd city --within 0")["pairs"], trips_.size() + 2);
}

// As the trips of a car have its number: what is left out must not be asked for first.
TEST_F(JoinVerb, SkipsIdsThatManyHaveWithoutMeasuringThem) {
  DatasetWriter cabs(folder_ / "cabs.tsd", Coordinates::planar),
      apart(folder_ / "apart.tsd", Coordinates::planar);
  for (int i = 0; i < 600; ++i) {
    const double x = i % 30 * 100 + i % 7, y = i / 30 * 100 + i % 11;
    const std::vector<Position> points{{x, y}, {x + 40, y + 10}, {x + 80, y}};
    const std::string id = fmt::format("trip {}", i);
    cabs.add({i % 2 == 0 ? "cab" : id, points, {}});
    apart.add({id, points, {}});
  }
  cabs.finish();
  apart.finish();
  for (const std::string verb : {"join", "knn"}) {
    const json shared = report(verb + " cabs.tsd cabs.tsd -k 2 --skip-self");
    const json alone = report(verb + " apart.tsd apart.tsd -k 2 --skip-self");
    EXPECT_LT(shared["work"]["double"], 3 * alone["work"]["double"].get<int>()) << verb;
    for (const json& row : shared["queries"]) {
      ASSERT_EQ(row["neighbours"].size(), 2u);
      for (const json& n : row["neighbours"]) EXPECT_NE(n["id"], row["query"]);
    }
  }
}

TEST_F(JoinVerb, LinesUpWhateverTheIdsAreWrittenIn) {
  write_file(folder_ / "towns.csv", "id,x,y\nŁódź,0,0\nŁódź,1,0\nBonn,0,1\nBonn,1,1\n");
  output("import towns.csv --planar -o towns.tsd --quiet");
  EXPECT_EQ(output("join towns.tsd towns.tsd -k 2 --quiet"),
            output("knn towns.tsd towns.tsd -k 2 --quiet"));
}

TEST_F(JoinVerb, LeavesOutWhatHasNone) {
  output("export trips.tsd --where bundle=north -o north.csv --quiet");
  output("import north.csv --planar -o north.tsd --quiet");
  const json all = report("join trips.tsd north.tsd --within 1 -o pairs.csv");
  EXPECT_EQ(all["pairs"], 8);
  EXPECT_EQ(all["query_count"], trips_.size());
  const std::string rows = read_file(folder_ / "pairs.csv");
  EXPECT_TRUE(matches(rows, "^query,rank,id,distance,estimated\nnorth 0,1,north 0,0,false\n"));
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 9);
}

TEST_F(JoinVerb, DrawsTheNearestPairs) {
  output("join trips.tsd city -k 2 --map pairs.svg -o pairs.geojson");
  EXPECT_TRUE(matches(read_file(folder_ / "pairs.svg"), "40 pairs, the nearest 10"));
  EXPECT_EQ(json_file("pairs.geojson")["features"].size(), 60u);
}

TEST_F(JoinVerb, MistakesAreExplained) {
  refuse(2, "join trips.tsd city -k 2 --within 3", "-k");
  refuse(2, "join trips.tsd city --map pairs.gif", "pairs.gif");
  refuse(2, "join trips.tsd city -o pairs.txt", "which format");
  refuse(2, "join trips.tsd", "B");
  refuse(3, "join trips.tsd none", "none");
}

}  // namespace
}  // namespace tsmini
