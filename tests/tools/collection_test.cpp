// index, search, add, remove, verify, compact and info, as a user runs them.
#include "tsmini/collection.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/collection_verbs.h"

namespace tsmini {
namespace {

using nlohmann::json;

TEST_F(CollectionVerbs, FromIndexToAnswer) {
  const json made = report({"index", file("m.safetensors"), file("city.tsd"), "-o", file("city")});
  EXPECT_EQ(made["added"], 200);
  EXPECT_EQ(made["trips"], 200);
  const json info = report({"info", file("city")});
  EXPECT_EQ(info["trajectories"], 200);
  EXPECT_EQ(info["index"]["kind"], "flat");
  EXPECT_EQ(info["index"]["trips"], 200);
  EXPECT_EQ(info["index"]["tail"], 0);
  EXPECT_EQ(info["measure"], "dtw");
  EXPECT_EQ(info["coordinates"], "degrees");
  EXPECT_TRUE(info["models"][0]["judgement"].is_null());
  EXPECT_TRUE(matches(run({"info", file("city")}).output, "\nrerank +all trips are candidates"));

  const json exact =
      report({"search", file("city"), file("more.tsd"), "--mode", "exact", "-k", "4"});
  EXPECT_EQ(exact["mode"], "exact");
  EXPECT_EQ(exact["space"]["kind"], "ground");
  EXPECT_EQ(exact["queries"].size(), 100u);
  EXPECT_GT(exact["work"]["double"].get<int>(), 100);
  EXPECT_FALSE(exact["scanned"].get<bool>());
  // The same as without a collection, but for the space, which is fitted to other data.
  const json knn =
      report({"knn", file("more.tsd"), file("city.tsd"), "--measure", "dtw", "-k", "4"});
  for (std::size_t q = 0; q < 100; ++q) {
    for (std::size_t i = 0; i < 4; ++i) {
      const json &a = exact["queries"][q]["neighbours"][i], &b = knn["queries"][q]["neighbours"][i];
      EXPECT_EQ(a["id"], b["id"]);
      EXPECT_NEAR(a["distance"].get<double>(), b["distance"].get<double>(),
                  1e-3 * b["distance"].get<double>());
    }
  }
  const json rerank = report({"search", file("city"), file("more.tsd"), "-k", "4", "--candidates",
                              "200", "--limit", "7", "--mode", "rerank"});
  EXPECT_EQ(rerank["mode"], "rerank");
  ASSERT_EQ(rerank["queries"].size(), 7u);
  for (std::size_t q = 0; q < 7; ++q) EXPECT_EQ(rerank["queries"][q], exact["queries"][q]);
  EXPECT_EQ(rerank["candidates"], 200);
}

TEST_F(CollectionVerbs, ShowsAnswersInManyWays) {
  make();
  const std::string id = "trip-0000005";
  const ProcessResult table = run({"search", file("city"), "--id", id, "-k", "2", "--mode",
                                   "rerank", "--map", file("map.svg")});
  EXPECT_TRUE(matches(table.output, "^query +rank +distance \\(m summed\\)  id\n" + id +
                                        " +1 +0  " + id + "\n" + id + " +2 "))
      << table.output;
  EXPECT_TRUE(matches(table.errors,
                      "map -> .*map.svg\n1 query in .*drawing.* distances computed, 200 "
                      "candidates a query, 100 % of "
                      "the true nearest expected\n"))
      << table.errors;
  const std::string map = read_file(folder_ / "map.svg");
  EXPECT_TRUE(matches(map, ">2 nearest to trip-0000005<"));
  EXPECT_TRUE(matches(map, "among 200 trips"));

  const json self = report({"search", file("city"), "--id", id, "--skip-self"});
  for (const json& answer : self["queries"][0]["neighbours"]) EXPECT_NE(answer["id"], id);
  EXPECT_EQ(self["queries"][0]["neighbours"].size(), 10u);

  const json features = json::parse(
      run({"search", file("city"), "--id", id, "-k", "3", "--format", "geojson"}).output);
  EXPECT_EQ(features["type"], "FeatureCollection");
  ASSERT_EQ(features["features"].size(), 4u);
  EXPECT_EQ(features["features"][0]["properties"]["role"], "query");
  EXPECT_EQ(features["features"][1]["properties"]["rank"], 1);
  EXPECT_EQ(features["features"][1]["properties"]["id"], id);
  EXPECT_EQ(features["features"][0]["geometry"], features["features"][1]["geometry"]);

  run({"search", file("city"), file("more.tsd"), "-k", "3", "--mode", "fast", "-o", file("out.csv"),
       "--quiet"});
  const std::string csv = read_file(folder_ / "out.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 301);
}

TEST_F(CollectionVerbs, Filters) {
  make();
  const Dataset data = Dataset::open(folder_ / "city.tsd");
  write_file(folder_ / "ids.txt", "trip-0000003\r\n\ntrip-0000008\nnobody\n");
  const json some = report(
      {"search", file("city"), file("more.tsd"), "--limit", "1", "--only-ids", file("ids.txt")});
  EXPECT_EQ(some["queries"][0]["neighbours"].size(), 2u);

  const std::int64_t from = data[0].times.front(), to = data[0].times.back();
  const json timely = report({"search", file("city"), file("more.tsd"), "--limit", "1", "-k", "200",
                              "--from", std::to_string(from), "--to", std::to_string(to)});
  const auto& found = timely["queries"][0]["neighbours"];
  EXPECT_TRUE(std::any_of(found.begin(), found.end(),
                          [](const json& a) { return a["id"] == "trip-0000001"; }));
  EXPECT_LT(found.size(), 200u);
  const json nowhere = report({"search", file("city"), file("more.tsd"), "--limit", "1",
                               "--bbox=1,1,2,2", "--mode", "exact"});
  EXPECT_TRUE(nowhere["queries"][0]["neighbours"].empty());
}

TEST_F(CollectionVerbs, AddRemoveCompactVerify) {
  make();
  EXPECT_EQ(report({"add", file("city"), file("more.tsd")})["trips"], 300);
  EXPECT_EQ(report({"info", file("city")})["index"]["tail"], 100);
  expect_failure(3, {"add", file("city"), file("more.tsd")},
                 "'trip-0000201' is in the collection already.*\n.*--duplicates");
  EXPECT_EQ(report({"add", file("city"), file("more.tsd"), "--duplicates", "skip"})["skipped"],
            100);
  EXPECT_EQ(report({"add", file("city"), file("more.tsd"), "--duplicates", "replace"})["replaced"],
            100);
  EXPECT_EQ(report({"remove", file("city"), "trip-0000007", "trip-0000203"})["trips"], 298);
  expect_failure(3, {"remove", file("city"), "trip-0000007"}, "no trip 'trip-0000007'");
  EXPECT_EQ(report({"remove", file("city"), "trip-0000007", "--on-error", "skip"})["removed"], 0);
  const ProcessResult piped =
      tsmini_program({"remove", file("city"), "--ids-from", "-"}, "trip-0000001\ntrip-0000002\n");
  EXPECT_EQ(piped.status, 0);
  EXPECT_TRUE(matches(piped.errors, "2 trips removed, 296 left")) << piped.errors;
  expect_failure(3, {"search", file("city"), "--id", "trip-0000001"}, "no trip 'trip-0000001'");
  EXPECT_TRUE(report({"verify", file("city")})["verified"].get<bool>());
  // Then all trips are laid out for exact search, also those that were added.
  EXPECT_GT(report({"compact", file("city")})["bytes"], 0);
  const json compacted = report({"compact", file("city")});
  EXPECT_EQ(compacted["bytes"], compacted["bytes_before"]);
  const json info = report({"info", file("city"), "--verify"});
  EXPECT_EQ(info["index"]["trips"], 296);
  EXPECT_EQ(info["index"]["removed"], 0);
  EXPECT_TRUE(matches(run({"info", file("city")}).output, "index +flat of 296 trips\n"));
}

TEST_F(CollectionVerbs, MistakesAreExplained) {
  make();
  const std::string city = file("city"), more = file("more.tsd"), m = file("m.safetensors");
  expect_failure(2, {"search", city}, "what should be looked for");
  expect_failure(2, {"search", city, more, "--mode", "slow"}, "--mode");
  expect_failure(2, {"search", city, more, "--map", "m.jpg"}, "m.jpg: cannot draw");
  expect_failure(2, {"search", city, more, "-o", "out.txt"}, "which format should out.txt have");
  expect_failure(2, {"search", city, more, "--from", "soon"}, "--from: 'soon' is no moment");
  expect_failure(3, {"search", file("none"), more}, "no such folder");
  expect_failure(3, {"search", folder_.path().string(), more},
                 "is not a collection\n.*hint: convert raw data with 'tsmini import', .*index");
  expect_failure(3, {"info", folder_.path().string()}, "is not a collection");
  expect_failure(2, {"remove", city}, "which trips should be removed");
  expect_failure(1, {"index", m, more, "-o", city}, "it exists already\n.*'tsmini model add'");
  expect_failure(3, {"index", more, m, "-o", file("new")},
                 "more.tsd: is a data set, not a model\n.*hint: .*exchanged");
  expect_failure(3, {"index", city, more, "-o", file("new")}, "city: is a folder, not a model");
  expect_failure(3, {"search", more, city}, "is a file, not a collection\n.*hint: .*exchanged");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "new"));

  write_dataset(folder_ / "flat.tsd", {{"a", {{0, 0}, {1, 0}}, {}}}, {}, Coordinates::planar);
  write_dataset(folder_ / "far.tsd", {{"far", {{70, 40}, {70.1, 40}}, {}}});
  expect_failure(3, {"add", city, file("flat.tsd")}, "collection are degrees, .* added planar");
  expect_failure(3, {"search", city, file("flat.tsd")}, "flat.tsd are planar");
  expect_failure(3, {"search", city, file("far.tsd")}, "query 'far': .*central meridian");
  expect_failure(3, {"add", city, file("far.tsd")}, "'far' at 70, 40 is .* central meridian");
  EXPECT_EQ(report({"add", city, file("far.tsd"), "--on-error", "skip"})["left_out"], 1);
  // Nothing is left of a collection that could not be filled.
  expect_failure(3, {"index", m, file("far.tsd"), "-o", file("new")}, "'far' at 70, 40 is");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "new"));
}

TEST_F(CollectionVerbs, TwoThatMakeOneCollection) {
  for (int round = 0; round < 8 && !HasFailure(); ++round) {
    const std::string folder = file("city" + std::to_string(round));
    const std::string index = "\"$TSMINI\" index '" + file("m.safetensors") + "' '" +
                              file("city.tsd") + "' -o '" + folder + "' --quiet";
    const ProcessResult both = shell(index + " & first=$!; " + index +
                                     "; second=$?; wait $first; echo $(($? + second)), $second");
    EXPECT_TRUE(matches(both.output, "^1, [01]\n$")) << both.output << both.errors;
    EXPECT_TRUE(matches(both.errors,
                        "^error: .*cannot make a collection: (it exists already|another is making "
                        "one there at this moment)\n  hint: .*\n$"))
        << both.errors;
    EXPECT_EQ(report({"verify", folder})["trips"], 200);
  }
}

TEST_F(CollectionVerbs, AModelOfNoUse) {
  Model absurd = Model::load(folder_ / "m.safetensors");
  for (auto& [name, tensor] : absurd.tensors) {
    for (float& value : tensor.values) value *= 1e30F;
  }
  absurd.save(folder_ / "absurd.safetensors");
  const ProcessResult made =
      run({"index", file("absurd.safetensors"), file("city.tsd"), "-o", file("city")});
  EXPECT_TRUE(matches(made.errors, "note: 200 trips are more than a model can take .*embedding"))
      << made.errors;
  EXPECT_TRUE(matches(run({"info", file("city")}).output,
                      "200 trips \\(100 %\\) are more than it can take"));
  // Everything is found all the same.
  const json fast = report({"search", file("city"), "--id", "trip-0000005", "--mode", "fast"});
  EXPECT_EQ(fast["queries"][0]["neighbours"][0]["id"], "trip-0000005");
}

TEST_F(CollectionVerbs, AnyMeasureAndAllWithinADistance) {
  make();
  const Words words{"search", file("city"), file("more.tsd"), "--limit", "5"};
  const auto with = [&](Words more) {
    more.insert(more.begin(), words.begin(), words.end());
    return report(more);
  };
  EXPECT_EQ(with({})["measure"], "dtw");
  EXPECT_EQ(with({})["mode"], "exact");
  const json frechet = with({"--measure", "Frechet", "-k", "4"});
  EXPECT_EQ(frechet["measure"], "frechet");
  const json knn = report({"knn", file("more.tsd"), file("city.tsd"), "--limit", "5", "-k", "4"});
  for (std::size_t q = 0; q < 5; ++q) {
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(frechet["queries"][q]["neighbours"][i]["id"],
                knn["queries"][q]["neighbours"][i]["id"]);
    }
    const double radius = frechet["queries"][q]["neighbours"][2]["distance"].get<double>();
    const json within = with({"--measure", "frechet", "--within", std::to_string(radius + 0.001)});
    EXPECT_EQ(within["queries"][q]["neighbours"].size(), 3u);
    EXPECT_FALSE(within.contains("k"));
  }
  expect_failure(2,
                 {"search", file("city"), file("more.tsd"), "--measure", "edwp", "--mode", "fast"},
                 "fast needs a model of edwp, and there are models 'dtw' \\(dtw\\)");
  expect_failure(2, {"search", file("city"), file("more.tsd"), "--within", "-3"},
                 "-3 is not at least 0");
  // Outside the box of the model, and within reach.
  write_dataset(folder_ / "out.tsd", {{"out", {{10.9, 45}, {10.91, 45}}, {}}});
  const ProcessResult out = run({"search", file("city"), file("out.tsd"), "--mode", "rerank"});
  EXPECT_TRUE(matches(out.errors, "note: the model cannot take 1 query, answered by exact instead"))
      << out.errors;
}

TEST_F(CollectionVerbs, ASearchSaysWhyItHasNoAnswers) {
  make();
  const std::string city = file("city"), more = file("more.tsd"), ids = file("ids.txt");
  const auto refuse = [&](int status, const Words& words, const std::string& message,
                          const std::string& hint) {
    const ProcessResult result = tsmini_program(words);
    EXPECT_EQ(result.status, status) << result.errors;
    EXPECT_EQ(result.output, "");
    EXPECT_TRUE(matches(result.errors, "^error: .*" + message)) << result.errors;
    EXPECT_TRUE(matches(result.errors, "hint: .*" + hint)) << result.errors;
  };
  refuse(2, {"search", city, more, "--from", "2025-03-01", "--to", "2025-02-01"},
         "--from 2025-03-01 is after --to 2025-02-01", "swap");
  refuse(3, {"search", city, "--id", "nosuch"}, "there is no trip 'nosuch' in ",
         "such as 'trip-0000");
  refuse(2, {"search", city, more, "--json", "--format", "csv"}, "contradict", "-o");

  // The header of a table waits for the first answers.
  write_dataset(folder_ / "far.tsd", {{"far", {{70, 40}, {70.1, 40}}, {}}});
  refuse(3, {"search", city, file("far.tsd")}, "query 'far': .*central meridian", "region");

  write_file(folder_ / "ids.txt", "nosuch\nnor this\n");
  refuse(3, {"search", city, more, "--only-ids", ids},
         "ids.txt: none of its 2 ids is in the collection; the first is 'nosuch'",
         "such as 'trip-0000");
  write_file(folder_ / "ids.txt", "\n\n");
  refuse(3, {"search", city, more, "--only-ids", ids}, "ids.txt: holds no ids", "a line");

  // A byte-order mark and CRLF are no part of an id.
  write_file(folder_ / "ids.txt", "\xEF\xBB\xBFtrip-0000001\r\ntrip-0000002\r\nnosuch\r\n");
  const ProcessResult found = run({"search", city, more, "--limit", "1", "--only-ids", ids});
  EXPECT_TRUE(matches(found.output, "trip-0000001\n")) << found.output;
  EXPECT_TRUE(matches(found.output, "trip-0000002\n")) << found.output;
  EXPECT_TRUE(matches(found.errors, "note: 1 of the 3 ids in .*ids.txt are not .* first: 'nosuch'"))
      << found.errors;

  const ProcessResult none =
      run({"search", city, more, "--limit", "1", "--from", "2035-01-01", "--to", "2035-02-01"});
  EXPECT_TRUE(matches(none.errors, "note: no trip passes the filters")) << none.errors;
}

TEST_F(CollectionVerbs, SearchReportsAsJsonWhereTheAnswersGoToAFile) {
  make();
  const json report = json::parse(run({"search", file("city"), file("more.tsd"), "--limit", "2",
                                       "--mode", "EXACT", "--json", "-o", file("out.csv")})
                                      .output);
  EXPECT_EQ(report["mode"], "exact");
  EXPECT_EQ(report["query_count"], 2);
  EXPECT_EQ(report["output"], file("out.csv"));
  EXPECT_TRUE(read_file(folder_ / "out.csv").starts_with("query,rank,id,distance,estimated\n"));
}

TEST_F(CollectionVerbs, QuietVerbsSayNothing) {
  const std::string m = file("m.safetensors"), more = file("more.tsd"), city = file("city");
  write_dataset(folder_ / "far.tsd", {{"far", {{70, 40}, {70.1, 40}}, {}}});
  write_file(folder_ / "ids.txt", "trip-0000003\nnobody\n");
  for (Words words : std::vector<Words>{
           {"index", m, file("city.tsd"), "-o", city},
           {"add", city, more},
           {"add", city, file("far.tsd"), "--on-error", "skip"},
           {"add", city, more, "--duplicates", "skip"},
           {"search", city, more, "-o", file("out.csv"), "--map", file("map.svg")},
           {"search", city, more, "-o", file("out.csv"), "--only-ids", file("ids.txt")},
           {"knn", more, more, "-o", file("out.csv")},
           {"distance", more, "-o", file("d.npy")},
           {"embed", m, more, "-o", file("e.npy")},
           {"export", more, "-o", file("out.csv")},
           {"import", file("out.csv"), "-o", file("again.tsd")},
           {"remove", city, "trip-0000003"},
           {"verify", city},
           {"compact", city}}) {
    words.emplace_back("--quiet");
    const ProcessResult result = run(words);
    EXPECT_EQ(result.output + result.errors, "") << words.front();
  }
  EXPECT_EQ(run({"evaluate", m, more, "--quiet"}).errors, "");
  EXPECT_EQ(run({"info", more, "--map", file("map.svg"), "--quiet"}).errors, "");
}

TEST_F(CollectionVerbs, AFileLimitLosesNothing) {
  make();
  const ProcessResult result = shell("trap '' XFSZ; ulimit -f 60; exec \"$TSMINI\" add '" +
                                     file("city") + "' '" + file("more.tsd") + "'");
  EXPECT_EQ(result.status, 1) << result.errors;
  EXPECT_TRUE(matches(result.errors, "collection.db: cannot .*0 of 100 trips were added"))
      << result.errors;
  run({"verify", file("city")});
  EXPECT_EQ(report({"info", file("city")})["trajectories"], 200);
  EXPECT_EQ(report({"add", file("city"), file("more.tsd")})["trips"], 300);
}

TEST_F(CollectionVerbs, AReadOnlyFolderCanBeSearched) {
  make();
  namespace fs = std::filesystem;
  // Root may write anywhere, so somebody else is asked.
  const std::string as_nobody =
      ::geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
  fs::permissions(folder_.path(), fs::perms(0755));
  if (shell(as_nobody + "\"$TSMINI\" --version").status != 0) {
    GTEST_SKIP() << "cannot run the program as somebody else";
  }
  fs::permissions(folder_ / "city", fs::perms(0555));
  const std::string tsmini = as_nobody + "\"$TSMINI\" ";
  const auto search = [&] {
    return shell(tsmini + "search '" + file("city") + "' '" + file("more.tsd") +
                 "' --limit 3 -k 2 --quiet");
  };
  const ProcessResult frozen = search();
  EXPECT_EQ(frozen.status, 0) << frozen.errors;
  EXPECT_EQ(
      frozen.output,
      run({"search", file("city"), file("more.tsd"), "--limit", "3", "-k", "2", "--quiet"}).output);
  const ProcessResult refused =
      shell(tsmini + "add '" + file("city") + "' '" + file("more.tsd") + "'");
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(matches(refused.errors, "collection.db: cannot (write|open)")) << refused.errors;
  fs::permissions(folder_ / "city", fs::perms(0755));
}

}  // namespace
}  // namespace tsmini
