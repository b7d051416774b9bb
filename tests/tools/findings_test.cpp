// duplicates, cluster and outliers.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/density_clusters.h"
#include "tsmini/duplicates.h"
#include "tsmini/outliers.h"

#include "tools/bundles.h"

namespace tsmini {
namespace {

using nlohmann::json;
using Ids = std::vector<std::string>;

class Findings : public Bundles {
 protected:
  NeighbourSearch search() const {
    const Dataset all = data();
    return {PlanarSet(all, Space::fit(SpaceKind::planar, all)), Measure::frechet};
  }

  std::size_t index_of(const std::string& id) const {
    const Ids all = ids("trips.tsd");
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), id) - all.begin());
  }
  double frechet_of(const std::string& a, const std::string& b) const {
    return frechet(index_of(a), index_of(b));
  }
};

TEST_F(Findings, RunWithNothingButTheirData) {
  for (const char* verb : {"duplicates", "cluster", "outliers"}) {
    for (const char* trips : {"trips.tsd", "city"}) {
      const ProcessResult result = run(fmt::format("{} {}", verb, trips));
      EXPECT_EQ(result.status, 0) << result.errors;
      EXPECT_NE(result.output, "");
      EXPECT_TRUE(matches(result.errors, "assumed: measure frechet, between recorded points"))
          << result.errors;
      const ProcessResult quiet = run(fmt::format("{} {} --quiet", verb, trips));
      EXPECT_EQ(quiet.errors, "");
      EXPECT_EQ(quiet.output, result.output);
      const json all = report(fmt::format("{} {}", verb, trips));
      EXPECT_TRUE(matches(all["assumed"][0], "measure frechet, .*frechet-continuous"));
      EXPECT_EQ(all["trips"].size(), trips_.size());
      EXPECT_EQ(all["trajectories"], trips_.size());
    }
  }
}

TEST_F(Findings, OfACollectionAreThoseOfItsTrips) {
  for (const char* words : {"duplicates {} --within 3", "cluster {} --within 4", "cluster {} -k 3",
                            "cluster {} --min-size 3", "outliers {} -k 4 --by distance"}) {
    json data = report(fmt::format(fmt::runtime(words), "trips.tsd"));
    json collection = report(fmt::format(fmt::runtime(words), "city"));
    for (json* each : {&data, &collection}) {
      for (const char* own : {"data", "seconds", "work", "assumed"}) each->erase(own);
    }
    EXPECT_EQ(data, collection) << words;
  }
}

TEST_F(Findings, DuplicatesAreThoseOfTheLibrary) {
  for (const double radius : {0.0, 2.0, 4.5}) {
    for (const char* grouping : {"centre", "connected"}) {
      SCOPED_TRACE(fmt::format("{} {}", grouping, radius));
      const auto found =
          find_duplicates(search(), {.radius = radius,
                                     .grouping = std::string_view(grouping) == "centre"
                                                     ? DuplicateGrouping::by_centre
                                                     : DuplicateGrouping::connected});
      const json all =
          report(fmt::format("duplicates trips.tsd --within {} --grouping {}", radius, grouping));
      EXPECT_EQ(all["dropped"], found.dropped);
      EXPECT_EQ(all["kept"], trips_.size() - found.dropped);
      ASSERT_EQ(all["groups"].size(), found.groups.size());
      ASSERT_FALSE(found.groups.empty());
      for (std::size_t g = 0; g < found.groups.size(); ++g) {
        const json& group = all["groups"][g];
        EXPECT_EQ(group["kept"], trips_[found.groups[g].kept].id);
        for (const json& dropped : group["dropped"]) {
          EXPECT_EQ(dropped["distance"], frechet_of(group["kept"], dropped["id"]));
        }
      }
    }
  }
}

TEST_F(Findings, DuplicatesAreDroppedWithAnOutput) {
  const json report_of = report("duplicates trips.tsd --within 0 -o unique.tsd");
  EXPECT_EQ(report_of["output"], "unique.tsd");
  EXPECT_EQ(report_of["dropped"], 1);
  EXPECT_FALSE(report_of.contains("trips"));
  Ids left = ids("trips.tsd");
  left.erase(std::find(left.begin(), left.end(), "copy"));
  EXPECT_EQ(ids("unique.tsd"), left);
  const Dataset unique = data("unique.tsd");
  EXPECT_EQ(text_of((*unique.attribute("bundle"))[0]), "east") << "attributes stay";
  EXPECT_EQ(unique.part(0), Part::train) << "and parts";
  EXPECT_EQ(unique[0].times.size(), 12u) << "and times";
  EXPECT_EQ(unique.attribute("kept"), nullptr);
}

TEST_F(Findings, RowsOfDuplicates) {
  output("duplicates trips.tsd --within 0 -o rows.csv");
  const std::string rows = read_file(folder_ / "rows.csv");
  EXPECT_TRUE(matches(rows, "^id,group,kept,duplicate_of,distance,number,bundle\n")) << rows;
  EXPECT_TRUE(matches(rows, "\neast 4,1,true,,,4,east\n")) << rows;
  EXPECT_TRUE(matches(rows, "\ncopy,1,false,east 4,0.0,18,east\n")) << rows;
  EXPECT_TRUE(matches(rows, "\nodd,,true,,,19,\n")) << rows;
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 21);
}

TEST_F(Findings, ClustersAreThoseOfTheLibrary) {
  const auto found = dbscan(search(), {.radius = 4.0, .min_points = 3}).clusters;
  const json all = report("cluster trips.tsd --within 4 --min-points 3");
  ASSERT_EQ(all["trips"].size(), trips_.size());
  for (std::size_t i = 0; i < trips_.size(); ++i) {
    const json& row = all["trips"][i];
    EXPECT_EQ(row["id"], trips_[i].id);
    if (found.labels[i] == noise) {
      EXPECT_TRUE(row["cluster"].is_null());
    } else {
      EXPECT_EQ(row["cluster"], found.labels[i] + 1);
    }
  }
  ASSERT_EQ(all["clusters"].size(), 2u);
  EXPECT_EQ(all["clusters"][0]["size"], 11) << "to the east, with the copy";
  EXPECT_EQ(all["clusters"][1]["size"], 8);
  EXPECT_EQ(all["noise"], 1);
  EXPECT_TRUE(matches(all["clusters"][0]["medoid"].get<std::string>(), "^(east 4|copy)$"));
  EXPECT_EQ(all["clusters"][0]["farthest"], 10) << "from 'east 4' to 'east 9'";
}

TEST_F(Findings, MethodsFollowFromTheirOptions) {
  EXPECT_EQ(report("cluster trips.tsd")["method"], "hdbscan");
  EXPECT_EQ(report("cluster trips.tsd --within 4")["method"], "dbscan");
  EXPECT_EQ(report("cluster trips.tsd --method dbscan")["method"], "dbscan");
  EXPECT_EQ(report("cluster trips.tsd --min-size 4")["method"], "hdbscan");
  const json medoids = report("cluster trips.tsd -k 3 --seed 7");
  EXPECT_EQ(medoids["method"], "k-medoids");
  EXPECT_EQ(medoids["seed"], 7);
  EXPECT_EQ(medoids["clusters"].size(), 3u);
  EXPECT_EQ(medoids["noise"], 0);
  EXPECT_EQ(medoids["clusters"][2]["medoid"], "odd");
  refuse(2, "cluster trips.tsd --method hdbscan --within 3", "--within means nothing to hdbscan",
         "--method dbscan");
  refuse(2, "cluster trips.tsd -k 3 --min-points 3", "--min-points means nothing to k-medoids",
         "dbscan and hdbscan");
  refuse(2, "cluster trips.tsd -k 3 --min-size 3", "means nothing", "--method");
  refuse(2, "cluster trips.tsd --within=-3", "--within");
}

TEST_F(Findings, ClustersBecomeAttributes) {
  output("cluster trips.tsd --within 4 --min-points 3 -o grouped.tsd --quiet");
  const Dataset grouped = data("grouped.tsd");
  ASSERT_NE(grouped.attribute("cluster"), nullptr);
  EXPECT_EQ(text_of((*grouped.attribute("cluster"))[0]), "1");
  EXPECT_EQ(text_of((*grouped.attribute("cluster"))[19]), "") << "odd";
  EXPECT_EQ(text_of((*grouped.attribute("bundle"))[12]), "north");
  output("cluster grouped.tsd --within 1 --min-points 1 -o again.tsd --quiet");
  EXPECT_EQ(data("again.tsd").attributes().size(), grouped.attributes().size()) << "in its place";
  EXPECT_EQ(report("info grouped.tsd --where cluster=2")["trajectories"], 8);
}

TEST_F(Findings, OutliersAreThoseOfTheLibrary) {
  const Outliers found = find_outliers(search(), {.k = 4});
  for (const char* by : {"density", "distance"}) {
    const auto ranked =
        std::string_view(by) == "density" ? found.ranked_by_density() : found.ranked_by_distance();
    const json all = report(fmt::format("outliers trips.tsd -k 4 --by {} --top 3", by));
    ASSERT_EQ(all["trips"].size(), ranked.size());
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      const json& row = all["trips"][i];
      const OutlierScore& score = found.trips[ranked[i]];
      EXPECT_EQ(row["id"], trips_[ranked[i]].id);
      EXPECT_EQ(row["rank"], i + 1);
      EXPECT_EQ(row["lof"], score.lof);
      EXPECT_EQ(row["kth_distance"], score.kth_distance);
      EXPECT_NEAR(row["neighbour_distance"].get<double>() / row["usual_distance"].get<double>(),
                  score.lof, 1e-9 * score.lof);
      EXPECT_EQ(row["nearest_distance"], frechet_of(row["id"], row["nearest"]));
    }
    ASSERT_EQ(all["outliers"].size(), 3u);
    EXPECT_EQ(all["outliers"][0]["id"], "odd");
  }
}

TEST_F(Findings, OddTripsHaveReasons) {
  const std::string table = output("outliers trips.tsd -k 4 --top 2");
  EXPECT_TRUE(matches(table,
                      "^rank +lof +id  why\n +1 +[0-9,.]+ +odd  on average .* from its 4 "
                      "neighbours, which are .* from theirs; nearest: .* at "))
      << table;
  const std::string far = output("outliers trips.tsd -k 4 --top 2 --by distance");
  EXPECT_TRUE(
      matches(far, "^rank +distance +id  why\n +1 +.* +odd  neighbour 4 is .* away; nearest: "))
      << far;
  EXPECT_TRUE(matches(table, "… and 18 more\n$")) << table;
}

TEST_F(Findings, OneTripHasNothingAround) {
  EXPECT_EQ(report("outliers trips.tsd --id odd")["scored"], 0);
  EXPECT_EQ(report("cluster trips.tsd --id odd")["noise"], 1);
  EXPECT_EQ(report("duplicates trips.tsd --id odd")["dropped"], 0);
  EXPECT_EQ(report("cluster trips.tsd --id odd -k 3")["clusters"].size(), 1u);
}

TEST_F(Findings, AsFeaturesAndMaps) {
  for (const auto& [words, property] : {std::pair{"duplicates trips.tsd --within 3", "kept"},
                                        {"cluster trips.tsd --within 4", "cluster"},
                                        {"outliers trips.tsd -k 4", "lof"}}) {
    for (const char* ending : {"svg", "png", "html"}) {
      output(fmt::format("{} -o found.geojson --map found.{}", words, ending));
      EXPECT_GT(std::filesystem::file_size(folder_ / fmt::format("found.{}", ending)), 1000u);
    }
    const json features = json_file("found.geojson")["features"];
    ASSERT_EQ(features.size(), trips_.size());
    EXPECT_TRUE(features[0]["properties"].contains(property)) << words;
    EXPECT_EQ(features[0]["geometry"]["coordinates"].size(), 12u);
  }
}

TEST_F(Findings, MistakesAreExplained) {
  for (const char* verb : {"duplicates", "cluster", "outliers"}) {
    const std::string words = fmt::format("{} trips.tsd", verb);
    refuse(2, words + " -o found.txt", "which format should found.txt have", ".csv, .json");
    refuse(2, words + " --map found.jpg", "found.jpg");
    refuse(3, words + " --id nosuch", "there is no trajectory 'nosuch'");
    refuse(2, words + " --measure edr", "epsilon");
    refuse(2, words + " -o trips.tsd", "trips.tsd is an input", "another name");
    refuse(3, fmt::format("{} none.tsd", verb), "none.tsd");
  }
}

}  // namespace
}  // namespace tsmini
