// --id, --ids-from, --part, --bbox, --where and --limit mean the same on every verb.
#include "tsmini/pick.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "encode/random_model.h"
#include "tools/bundles.h"

namespace tsmini {
namespace {

using nlohmann::json;
using Ids = std::vector<std::string>;

class Picks : public Bundles {
 protected:
  Picks() {
    NetSettings settings;
    settings.dimension = 32;
    settings.hidden = 32;
    Model model = random_model(settings);
    model.frame = FeatureFrame::fit(data());
    model.space = Space::fit(SpaceKind::planar, data());
    model.save(folder_ / "m.safetensors");
    write_file(folder_ / "ids.txt", "odd\ncopy\n");
  }

  // What the library picks.
  Ids expected(const Picking& picking) const {
    Ids ids;
    const Dataset all = data();
    for (const std::size_t i : pick(all, picking)) ids.emplace_back(all[i].id);
    return ids;
  }

  Ids exported(const std::string& words) const {
    Ids ids;
    const std::string text = output("export " + words + " --format tsv -o -");
    for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
      ids.push_back(text.substr(begin, text.find('\t', begin) - begin));
    }
    return ids;
  }

  static Ids queries_of(const json& answers) {
    Ids ids;
    for (const json& query : answers["queries"]) ids.push_back(query["query"]);
    return ids;
  }
};

TEST_F(Picks, TheSameOnEveryVerb) {
  const std::vector<std::pair<std::string, Picking>> asked = {
      {"--id 'east 3' --id odd", {.ids = {"east 3", "odd"}}},
      {"--ids-from ids.txt", {.ids = {"odd", "copy"}}},
      {"--part test", {.ids = {}, .part = Part::test}},
      {"--part all", {}},
      {"--where bundle=north", {.ids = {}, .where = {condition_from("bundle=north")}}},
      {"--where 'number>=6' --where 'bundle!=north'",
       {.ids = {}, .where = {condition_from("number>=6"), condition_from("bundle!=north")}}},
      {"--limit 4", {.ids = {}, .limit = 4}},
      {"--where bundle=north --part test --limit 3",
       {.ids = {}, .part = Part::test, .where = {condition_from("bundle=north")}, .limit = 3}},
  };
  int number = 0;
  for (const auto& [words, picking] : asked) {
    SCOPED_TRACE(words);
    const Ids ids = expected(picking);
    ASSERT_FALSE(ids.empty());
    EXPECT_EQ(exported("trips.tsd " + words), ids);
    EXPECT_EQ(report("info trips.tsd " + words)["trajectories"], ids.size());
    output("distance trips.tsd -o d.npy --restart --quiet " + words);
    EXPECT_EQ(json_file("d.npy.json")["ids"], json(ids));
    output("embed m.safetensors trips.tsd -o e.npy --quiet " + words);
    EXPECT_EQ(json_file("e.npy.json")["ids"], json(ids));
    EXPECT_EQ(queries_of(report("knn trips.tsd trips.tsd -k 1 " + words)), ids);
    const bool has_where = words.find("--where") != std::string::npos;
    EXPECT_EQ(queries_of(report("search city trips.tsd -k 1 " + (has_where ? "--id odd" : words))),
              has_where ? Ids{"odd"} : ids);
    output("export trips.tsd -o part.tsd --quiet " + words);
    EXPECT_EQ(Bundles::ids("part.tsd"), ids);
    EXPECT_EQ(report(fmt::format("index trips.tsd -o c{} {}", number++, words))["added"],
              ids.size());
    EXPECT_EQ(report("evaluate m.safetensors trips.tsd --part all " +
                     (words.find("--part") == std::string::npos ? words : ""))["queries"],
              words.find("--part") == std::string::npos ? ids.size() : trips_.size());
    EXPECT_EQ(report("outliers trips.tsd -k 3 " + words)["trajectories"], ids.size());
    EXPECT_EQ(report("map trips.tsd -o m.svg " + words)["trajectories"], ids.size());
  }
}

TEST_F(Picks, BoxesHoldWholeTrips) {
  const std::string box = "--bbox=2990,-10,3500,5000";
  const Ids ids = expected({.ids = {}, .box = Box{2990, -10, 3500, 5000}});
  EXPECT_EQ(ids.size(), 8u) << "those to the north";
  EXPECT_EQ(exported("trips.tsd " + box), ids);
  EXPECT_EQ(exported("city " + box), ids);
  EXPECT_EQ(report("info trips.tsd " + box)["extent"], json({3000, 0, 3021, 1100}));
  EXPECT_EQ(queries_of(report("knn trips.tsd trips.tsd -k 1 " + box)), ids);
  EXPECT_EQ(queries_of(report("search city trips.tsd -k 1 " + box)).size(), trips_.size())
      << "there it speaks of the answers";
}

TEST_F(Picks, SearchFiltersItsAnswersByAttributes) {
  const json found = report("search city --id odd -k 100 --where bundle=north");
  ASSERT_EQ(found["queries"][0]["neighbours"].size(), 8u);
  EXPECT_TRUE(matches(found["queries"][0]["neighbours"][0]["id"].get<std::string>(), "^north"));
  EXPECT_EQ(exported("city --where bundle=north"), exported("trips.tsd --where bundle=north"));
  refuse(2, "search city --id odd --where bundle", "--where: 'bundle' is not a condition");
}

TEST_F(Picks, FromTheFirstOfTwoAndPartsOfBoth) {
  const json one = report("knn trips.tsd trips.tsd -k 100 --id odd");
  EXPECT_EQ(one["queries"][0]["neighbours"].size(), trips_.size());
  const json parts = report("knn trips.tsd trips.tsd -k 100 --part test --id odd");
  EXPECT_EQ(parts["queries"][0]["neighbours"].size(), trips_.size() / 2);
  output("distance trips.tsd trips.tsd -o d.npy --id odd --part test --quiet");
  const json matrix = json_file("d.npy.json");
  EXPECT_EQ(matrix["ids"], json(Ids{"odd"}));
  EXPECT_EQ(matrix["column_ids"].size(), trips_.size() / 2);
  EXPECT_EQ(matrix["column_ids"].back(), "odd");
}

TEST_F(Picks, MatricesNameTheirRows) {
  output("distance trips.tsd -o d.npy --quiet");
  EXPECT_EQ(json_file("d.npy.json")["ids"], json(ids("trips.tsd")));
  EXPECT_FALSE(json_file("d.npy.json").contains("column_ids"));
  output("distance city trips.tsd -o c.npy --quiet");
  EXPECT_EQ(json_file("c.npy.json")["column_ids"], json(ids("trips.tsd")));
}

TEST_F(Picks, SearchLooksForTripsOfItsOwn) {
  EXPECT_EQ(queries_of(report("search city --id odd --id copy -k 1")), (Ids{"odd", "copy"}));
  EXPECT_EQ(queries_of(report("search city --ids-from ids.txt -k 1 --limit 1")), Ids{"odd"});
  EXPECT_EQ(queries_of(report("search city trips.tsd --id odd -k 1")), Ids{"odd"});
}

TEST_F(Picks, CollectionsAreDataSets) {
  EXPECT_EQ(exported("city"), exported("trips.tsd"));
  EXPECT_EQ(queries_of(report("knn city trips.tsd -k 1 --id odd")), Ids{"odd"});
  EXPECT_EQ(report("knn trips.tsd city -k 3 --id odd")["queries"],
            report("knn trips.tsd trips.tsd -k 3 --id odd")["queries"]);
  EXPECT_EQ(report("info city --id odd")["trajectories"], 1);
  output("info city --map city.svg");
  EXPECT_TRUE(matches(read_file(folder_ / "city.svg"), "<svg"));
  EXPECT_EQ(report("index city -o again")["added"], trips_.size());
  EXPECT_EQ(exported("city --part test"), exported("trips.tsd --part test"));
}

TEST_F(Picks, ACollectionGivesBackWhatItWasMadeOf) {
  output("index trips.tsd --where 'number<12' -o some --quiet");
  output("export some --part test -o back.tsd --quiet");
  output("export trips.tsd --where 'number<12' --part test -o expected.tsd --quiet");
  const Dataset back = data("back.tsd"), expected = data("expected.tsd");
  ASSERT_EQ(ids("back.tsd"), ids("expected.tsd"));
  EXPECT_EQ(back.part(0), Part::test);
  const json attributes = report("info back.tsd")["attributes"];
  EXPECT_EQ(attributes, report("info expected.tsd")["attributes"]);
  EXPECT_EQ(attributes[0]["name"], "number");

  const json made = report("info some")["provenance"];
  EXPECT_EQ(made["added"].size(), 1u);
  EXPECT_EQ(made["added"][0]["trips"], 12);
  EXPECT_EQ(made["added"][0]["from"]["step"],
            json({{"data", "trips.tsd"}, {"picked", "--where 'number<12'"}}));
  const json provenance = report("info back.tsd")["provenance"];
  EXPECT_EQ(provenance["from"], made);
  EXPECT_EQ(provenance["step"]["data"], "some");
  EXPECT_EQ(provenance["step"]["picked"], "--part test");
}

// Trips that go to and fro between collections: each tells of the others, not of what these tell.
TEST_F(Picks, ProvenanceDoesNotGrowWithTheWay) {
  output("index trips.tsd -o x --id 'east 0' --quiet");
  output("index trips.tsd -o y --id 'east 1' --quiet");
  std::vector<std::size_t> sizes;
  for (int round = 0; round < 8; ++round) {
    output("add y x --duplicates replace --quiet");
    output("export x -o way.tsd --quiet");
    output("add y way.tsd --duplicates replace --quiet");
    output("add x y --duplicates replace --quiet");
    sizes.push_back(report("info x")["provenance"].dump().size());
  }
  const json made = report("info x")["provenance"];
  EXPECT_EQ(made["added"].size(), 9u);
  const json from = made["added"].back()["from"]["from"];
  EXPECT_EQ(from["collection"], report("info y")["identity"]);
  EXPECT_EQ(from.value("trips", 0), 2);
  EXPECT_GT(from.value("change", 0), 1);
  EXPECT_FALSE(from.contains("added"));
  // A line for each round, of one length.
  EXPECT_LT(sizes[7] - sizes[6], 2 * (sizes[1] - sizes[0]));
  output("verify x");
}

TEST_F(Picks, MistakesAreExplained) {
  refuse(3, "export trips.tsd -o x.csv --id nosuch", "trips.tsd: there is no trajectory 'nosuch'");
  refuse(3, "export trips.tsd -o x.csv --where colour=red",
         "trips.tsd: there is no attribute 'colour'", "number, bundle");
  refuse(3, "export trips.tsd -o x.csv --where bundle=south",
         "trips.tsd: none of its 20 trajectories fits --where 'bundle=south'", "tsmini info");
  refuse(3, "export trips.tsd -o x.csv --part validation",
         "trips.tsd: no trajectory is marked 'validation'", "tsmini info");
  refuse(3, "export city -o x.csv --part validation", "city: no trajectory is marked 'validation'",
         "tsmini info");
  refuse(2, "export trips.tsd -o x.csv --where bundle", "--where: 'bundle' is not a condition",
         "COLUMN=VALUE");
  refuse(2, "export trips.tsd -o x.csv --part half", "--part: 'half' is not a part", "train");
  refuse(2, "export trips.tsd -o x.csv --bbox 1,2,3", "--bbox: '1,2,3'");
  refuse(3, "export trips.tsd -o x.csv --ids-from none.txt", "none.txt");
  refuse(2, "export trips.tsd -o ids.txt --format csv --ids-from ids.txt", "ids.txt is an input",
         "another name");
}

}  // namespace
}  // namespace tsmini
