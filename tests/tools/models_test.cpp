// Collections without a model, with several, with one that is not done or outgrown; and what their
// answers look like.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/collection.h"
#include "tsmini/error.h"

#include "support/datasets.h"
#include "tools/collection_verbs.h"

namespace tsmini {
namespace {

using nlohmann::json;

class Models : public CollectionVerbs {
 protected:
  Models() {
    Model frechet = model(Dataset::open(folder_ / "city.tsd"), 2);
    frechet.measure = Measure::frechet;
    frechet.save(folder_ / "f.safetensors");
  }

  json search(Words more) const {
    more.insert(more.begin(), {"search", file("city"), file("more.tsd"), "--limit", "3"});
    return report(more);
  }
};

TEST_F(Models, ACollectionNeedsNone) {
  const ProcessResult made = run({"index", file("city.tsd"), "-o", file("city")});
  EXPECT_TRUE(matches(made.errors, "200 trips added in .*-> .*city\nnext: tsmini search .*QUERIES"))
      << made.errors;
  const json info = report({"info", file("city")});
  EXPECT_EQ(info["models"].size(), 0u);
  EXPECT_EQ(info["space"]["kind"], "ground");
  EXPECT_TRUE(matches(run({"info", file("city")}).output, "models +none: searched exactly"));
  EXPECT_TRUE(matches(run({"model", "list", file("city")}).errors, "no models; .*model add"));
  EXPECT_EQ(search({})["measure"], "frechet");
  expect_failure(2, {"search", file("city"), file("more.tsd"), "--mode", "fast"},
                 "fast needs a model of frechet, and there is no model");
  EXPECT_EQ(report({"add", file("city"), file("more.tsd")})["trips"], 300);
}

TEST_F(Models, ComeWithTheCollectionOrLater) {
  const json both = report({"index", file("city.tsd"), "--model", file("m.safetensors"), "--model",
                            file("f.safetensors"), "-o", file("city")});
  EXPECT_EQ(both["models"], json({"dtw", "frechet"}));
  EXPECT_EQ(both["space"]["kind"], "ground");
  const json info = report({"info", file("city")});
  for (const json& model : info["models"]) {
    EXPECT_EQ(model["index"]["trips"], 200);
    EXPECT_EQ(model["unseen"], 0);
  }

  run({"index", file("city.tsd"), "-o", file("later"), "--quiet"});
  const json added = report({"model", "add", file("later"), file("f.safetensors")});
  EXPECT_EQ(added["name"], "frechet");
  EXPECT_EQ(added["index"]["trips"], 200);
  const ProcessResult second =
      run({"model", "add", file("later"), file("m.safetensors"), "--name", "sums"});
  EXPECT_TRUE(matches(second.errors, "sums: dtw, .*\n200 trips embedded in ")) << second.errors;
  EXPECT_TRUE(matches(second.errors, "next: tsmini search .* --measure dtw --mode fast"));
  const ProcessResult again = run({"model", "add", file("later"), file("f.safetensors")});
  EXPECT_TRUE(matches(again.errors, "frechet: .*\nit was there already")) << again.errors;
  const ProcessResult renamed =
      run({"model", "add", file("later"), file("f.safetensors"), "--name", "other"});
  EXPECT_TRUE(matches(renamed.errors, "there already as 'frechet', and keeps that name"))
      << renamed.errors;
  const json fast = report({"search", file("later"), file("more.tsd"), "--mode", "fast"});
  const json same =
      report({"search", file("city"), file("more.tsd"), "--mode", "fast", "--measure", "frechet"});
  EXPECT_EQ(fast["measure"], "frechet");
  EXPECT_EQ(fast["queries"][0], same["queries"][0]);

  const std::string names = run({"model", "list", file("later")}).output;
  EXPECT_TRUE(matches(names, "^frechet: frechet, .*; index flat of 200 trips\nsums: dtw, "))
      << names;
  EXPECT_EQ(report({"model", "remove", file("later"), "frechet"})["models"], 1);
  EXPECT_EQ(report({"model", "list", file("later")})["models"][0]["name"], "sums");
  EXPECT_EQ(report({"verify", file("later")})["trips"], 200);
}

TEST_F(Models, TheSpaceIsThatOfTheFirstOrAsAsked) {
  run({"index", file("city.tsd"), "--space", "Mercator", "-o", file("city"), "--quiet"});
  EXPECT_EQ(report({"info", file("city")})["space"]["kind"], "mercator");
  expect_failure(3, {"model", "add", file("city"), file("m.safetensors")},
                 "the model measures in the space 'ground'.* trips are in 'mercator'.*\n"
                 ".*hint: train one .*--space mercator");
  EXPECT_EQ(search({})["unit"], nullptr);
  // That of the model, though fitted to other trips.
  run({"index", file("m.safetensors"), file("more.tsd"), "--space", "ground", "-o", file("other"),
       "--quiet"});
  const Model m = Model::load(folder_ / "m.safetensors");
  EXPECT_EQ(report({"info", file("other")})["space"], json::parse(m.space.to_json()));
  expect_failure(2,
                 {"index", file("city.tsd"), "--model", file("m.safetensors"), "--space", "zscore",
                  "-o", file("none")},
                 "m.safetensors: the model measures in the space 'ground', not in --space zscore");
  // Nothing is left where a second model does not fit.
  Model planar = random_model();
  planar.save(folder_ / "planar.safetensors");
  expect_failure(3,
                 {"index", file("m.safetensors"), file("city.tsd"), "--model",
                  file("planar.safetensors"), "-o", file("none")},
                 "planar.safetensors: the model measures in the space 'planar'");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none"));

  write_dataset(folder_ / "flat.tsd", {{"a", {{0, 0}, {1, 0}}, {}}}, {}, Coordinates::planar);
  const json flat = report({"index", file("flat.tsd"), "-o", file("flat")});
  EXPECT_EQ(flat["space"]["kind"], "planar");
}

TEST_F(Models, OneOfSeveralOfAMeasureIsNamed) {
  make();
  Model other = model(Dataset::open(folder_ / "city.tsd"), 3);
  other.save(folder_ / "other.safetensors");
  const ProcessResult added =
      run({"model", "add", file("city"), file("other.safetensors"), "--name", "my second"});
  EXPECT_TRUE(matches(added.errors, "QUERIES --model \"my second\" --mode fast")) << added.errors;
}

// The model is of another city, far from the trips.
TEST_F(Models, OneOfAnotherRegion) {
  write_dataset(folder_ / "far.tsd", {{"a", {{120, 30}, {120.1, 30}}, {}}});
  for (const char* on_error : {"fail", "skip"}) {
    expect_failure(3,
                   {"index", file("m.safetensors"), file("far.tsd"), "-o", file("far"),
                    "--on-error", on_error},
                   "hint: .*tsmini train .*far.tsd -o NEW.safetensors --init .*m.safetensors "
                   "--rebox; without a model");
  }
  run({"index", file("far.tsd"), "-o", file("far"), "--quiet"});
  expect_failure(3, {"model", "add", file("far"), file("m.safetensors")},
                 "centred elsewhere.*\n.*hint: .*--init MODEL and --rebox");
}

TEST_F(Models, MistakesAreExplained) {
  make();
  const std::string city = file("city"), more = file("more.tsd");
  expect_failure(2, {"model", "add", city}, "which model should be added");
  expect_failure(2, {"model", "remove", city}, "which model should be removed.*\n.*model list");
  expect_failure(2, {"model", "list", city, "m.safetensors"}, "nothing else, not 'm.safetensors'");
  expect_failure(2, {"model", "frob", city}, "'frob' is not one of add, remove, list");
  expect_failure(2, {"model", "remove", city, "dtw", "--name", "x"}, "--name means nothing");
  expect_failure(3, {"model", "remove", city, "edr"}, "no model 'edr'.*\n.*its models are dtw");
  expect_failure(2, {"model", "add", city, file("f.safetensors"), "--name", "dtw"},
                 "has another model 'dtw'");
  expect_failure(3, {"model", "add", city, more}, "more.tsd");
  expect_failure(2, {"index", more, "--kind", "hnsw", "-o", file("new")},
                 "--kind hnsw is of the index of a model, and there is no model");
  expect_failure(2, {"index", "-o", file("new")}, "DATA");
  expect_failure(3, {"index", more, more, "-o", file("new")}, "more.tsd");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "new"));
}

TEST_F(Models, OneThatWasStoppedGoesOn) {
  run({"index", file("city.tsd"), "-o", file("city"), "--quiet"});
  {
    Collection city = Collection::open(folder_ / "city");
    const auto stop = [](const ProgressState&) { throw Error(ErrorCode::interrupted, "stopped"); };
    EXPECT_THROW(city.add_model(Model::load(folder_ / "m.safetensors"), {}, stop), Error);
  }
  const json info = report({"info", file("city")});
  EXPECT_FALSE(info["models"][0]["complete"].get<bool>());
  EXPECT_EQ(info["models"][0]["unseen"], 200);
  const std::string text = run({"info", file("city")}).output;
  EXPECT_TRUE(matches(text, "dtw: .*; has not seen 200 trips \\(100 %\\) yet")) << text;
  EXPECT_TRUE(matches(text, "note +the model 'dtw' has not seen all trips; .*model add .* goes on"))
      << text;
  expect_failure(2, {"search", file("city"), file("more.tsd"), "--mode", "fast"},
                 "'dtw' has not seen all trips yet");
  EXPECT_EQ(search({})["mode"], "exact");
  const json added = report({"model", "add", file("city"), file("m.safetensors")});
  EXPECT_TRUE(added["complete"].get<bool>());
  EXPECT_EQ(added["index"]["trips"], 200);
  EXPECT_EQ(search({"--mode", "fast"})["mode"], "fast");
}

TEST_F(Models, OneThatIsOutgrownIsTold) {
  make();
  DatasetWriter writer(folder_ / "out.tsd");  // beside the box of the model
  const std::vector<Position> points{{10.9, 45}, {10.91, 45}};
  for (int i = 0; i < 10; ++i) writer.add({"out-" + std::to_string(i), points, {}});
  writer.finish();
  const ProcessResult added = run({"add", file("city"), file("out.tsd")});
  EXPECT_TRUE(matches(added.errors, "note: 10 trips are more than a model can take"))
      << added.errors;
  EXPECT_FALSE(matches(added.errors, "outgrown")) << added.errors;  // 10 of 210 are below 5 %

  DatasetWriter again(folder_ / "again.tsd");
  for (int i = 0; i < 2; ++i) again.add({"again-" + std::to_string(i), points, {}});
  again.finish();
  const ProcessResult warned = run({"add", file("city"), file("again.tsd")});
  EXPECT_TRUE(
      matches(warned.errors,
              "note: the trips have outgrown the model 'dtw': 12 trips \\(5.7 %\\) .*tsmini "
              "train .*--rebox.*model add .*model remove .*dtw"))
      << warned.errors;
  const json info = report({"info", file("city")});
  EXPECT_TRUE(info["models"][0]["outgrown"].get<bool>());
  EXPECT_NEAR(info["models"][0]["unfit_share"].get<double>(), 12.0 / 212, 1e-9);
  EXPECT_EQ(info["notes"].size(), 1u);
  EXPECT_TRUE(matches(run({"info", file("city")}).output, "note +the trips have outgrown"));
}

TEST_F(Models, EstimatesLookLikeIt) {
  run({"index", file("city.tsd"), "--model", file("f.safetensors"), "-o", file("city"), "--quiet"});
  const Words words{"search", file("city"), file("more.tsd"), "--limit", "2", "-k", "2"};
  const auto with = [&](Words more) {
    more.insert(more.begin(), words.begin(), words.end());
    return run(more).output;
  };
  const std::string fast = with({"--mode", "fast", "--map", file("map.svg")});
  EXPECT_TRUE(matches(fast, "rank  distance \\(m\\)  id\ntrip-0000201     1 +≈[0-9.e+]+  trip-"))
      << fast;
  const std::string map = read_file(folder_ / "map.svg");
  EXPECT_TRUE(matches(map, "≈[0-9.,]+ m<"));
  EXPECT_TRUE(matches(map, "≈ estimated"));
  run({"search", file("city"), file("more.tsd"), "--within", "2500", "--map", file("map.svg")});
  EXPECT_TRUE(matches(read_file(folder_ / "map.svg"), " within 2,500 m of trip-0000201<"));
  EXPECT_FALSE(matches(with({"--mode", "rerank"}), "≈"));
  EXPECT_FALSE(matches(with({}), "≈"));

  EXPECT_TRUE(matches(with({"--mode", "fast", "--format", "csv"}), ",true\n"));
  EXPECT_TRUE(matches(with({"--format", "csv"}), ",false\n"));
  const json estimated = json::parse(with({"--mode", "fast", "--json"}));
  EXPECT_TRUE(estimated["estimated"].get<bool>());
  EXPECT_TRUE(estimated["queries"][0]["estimated"].get<bool>());
  EXPECT_EQ(estimated["unit"], "m");
  EXPECT_FALSE(json::parse(with({"--json"}))["queries"][0]["estimated"].get<bool>());
  const json features = json::parse(with({"--mode", "fast", "--format", "geojson"}));
  EXPECT_TRUE(features["features"][1]["properties"]["estimated"].get<bool>());

  // What the model cannot take is answered exactly, and says so.
  write_dataset(folder_ / "out.tsd", {{"out", {{10.9, 45}, {10.91, 45}}, {}}});
  const json out = report({"search", file("city"), file("out.tsd"), "--mode", "fast"});
  EXPECT_FALSE(out["queries"][0]["estimated"].get<bool>());
}

TEST_F(Models, SettingsOfMeasuresAreThoseOfKnn) {
  run({"index", file("city.tsd"), "-o", file("city"), "--quiet"});
  const auto both = [&](const Words& settings) {
    Words search{"search", file("city"), file("more.tsd"), "--limit", "4"};
    Words knn{"knn", file("more.tsd"), file("city.tsd"), "--limit", "4"};
    search.insert(search.end(), settings.begin(), settings.end());
    knn.insert(knn.end(), settings.begin(), settings.end());
    return std::pair{search, knn};
  };
  for (const Words& settings :
       {Words{"--measure", "edr", "--epsilon", "200"},
        Words{"--measure", "lcss", "--epsilon", "90"}, Words{"--measure", "erp"},
        Words{"--measure", "erp", "--gap=100,-50"}, Words{"--measure", "dtw", "--band", "5"},
        Words{"--measure", "edr", "--epsilon", "200", "--within", "0.7"}}) {
    const auto [search, knn] = both(settings);
    const json a = report(search), b = report(knn);
    EXPECT_EQ(a["queries"], b["queries"]) << settings[1];
    EXPECT_EQ(a["unit"], b["unit"]);
  }
  for (const Words& settings : {Words{"--measure", "edr"}, Words{"--epsilon", "5"},
                                Words{"--gap=1,2"}, Words{"--measure", "erp", "--gap", "here"},
                                Words{"--band", "5"}, Words{"--measure", "edr", "--epsilon", "-1"},
                                Words{"--within", "-1"}, Words{"--measure", "dwt"}}) {
    const auto [search, knn] = both(settings);
    const ProcessResult a = tsmini_program(search), b = tsmini_program(knn);
    EXPECT_EQ(a.status, 2) << a.errors;
    EXPECT_EQ(a.errors.substr(0, a.errors.find("tsmini")),
              b.errors.substr(0, b.errors.find("tsmini")));
  }
}

// The answers are those of knn, which fits the space to the same trips.
TEST_F(Models, AnotherSpaceTakesAScan) {
  run({"index", file("city.tsd"), "-o", file("city"), "--quiet"});
  for (const std::string space : {"zscore", "mercator", "ground"}) {
    for (const std::string measure : {"dtw", "erp"}) {
      SCOPED_TRACE(space + " " + measure);
      const json answers = search({"--space", space, "--measure", measure, "-k", "4"});
      const json truth = report({"knn", file("more.tsd"), file("city.tsd"), "--space", space,
                                 "--measure", measure, "--limit", "3", "-k", "4"});
      EXPECT_EQ(answers["space"]["kind"], space);
      EXPECT_EQ(answers["scanned"], space != "ground");
      for (std::size_t q = 0; q < 3; ++q) {
        const json& found = answers["queries"][q]["neighbours"];
        const json& expected = truth["queries"][q]["neighbours"];
        ASSERT_EQ(found.size(), 4u);
        for (std::size_t i = 0; i < 4; ++i) {
          EXPECT_EQ(found[i]["id"], expected[i]["id"]);
          EXPECT_NEAR(found[i]["distance"], expected[i]["distance"],
                      1e-9 * expected[i]["distance"].get<double>());
        }
      }
    }
  }
  EXPECT_TRUE(matches(
      run({"search", file("city"), file("more.tsd"), "--limit", "1", "--space", "zscore"}).errors,
      "200 distances computed: without bounds in this space, every one"));
  expect_failure(
      2, {"search", file("city"), file("more.tsd"), "--space", "mercator", "--mode", "fast"},
      "fast answers in the space of the trips alone");
  expect_failure(3, {"search", file("city"), file("more.tsd"), "--space", "planar"}, "degrees");
  expect_failure(2, {"search", file("city"), file("more.tsd"), "--space", "round"}, "round");
}

TEST_F(Models, WhatASearchIsByWhereOneGoes) {
  run({"index", file("city.tsd"), "--model", file("m.safetensors"), "--model",
       file("f.safetensors"), "-o", file("city"), "--quiet"});
  EXPECT_EQ(search({})["measure"], "dtw");
  EXPECT_FALSE(
      matches(run({"model", "remove", file("city"), "frechet"}).errors, "without --measure"));
  EXPECT_TRUE(matches(run({"model", "remove", file("city"), "dtw"}).errors,
                      "searches without --measure are by frechet now, no longer by dtw"));
  EXPECT_EQ(search({})["measure"], "frechet");
}

TEST_F(Models, AModelIsOfItsMeasure) {
  run({"index", file("city.tsd"), "--model", file("m.safetensors"), "--model",
       file("f.safetensors"), "-o", file("city"), "--quiet"});
  for (const std::string mode : {"exact", "rerank"}) {
    expect_failure(2,
                   {"search", file("city"), file("more.tsd"), "--model", "dtw", "--measure",
                    "frechet", "--mode", mode},
                   "the model 'dtw' is of dtw, not of frechet");
  }
  EXPECT_EQ(search({"--model", "frechet"})["measure"], "frechet");
}

// Nothing is printed where one of the queries cannot be answered.
TEST_F(Models, QueriesAreCheckedBeforeTheFirstAnswer) {
  run({"index", file("city.tsd"), "-o", file("city"), "--quiet"});
  write_dataset(folder_ / "mixed.tsd", {{"near", {{10, 45}, {10.01, 45}}, {}},
                                        {"one", {{10, 45}}, {}},
                                        {"far", {{116, 40}, {116.1, 40}}, {}}});
  const auto with = [&](const Words& more) {
    Words words{"search", file("city"), file("mixed.tsd"), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return tsmini_program(words);
  };
  const ProcessResult far = with({});
  EXPECT_EQ(far.status, 3);
  EXPECT_EQ(far.output, "");
  EXPECT_TRUE(matches(far.errors, "mixed.tsd: query 'far'.*106 degrees of longitude"))
      << far.errors;
  const ProcessResult one = with({"--limit", "2", "--measure", "edwp"});
  EXPECT_EQ(one.status, 3);
  EXPECT_EQ(one.output, "");
  EXPECT_TRUE(matches(one.errors, "query 'one' has one point, edwp needs two")) << one.errors;
  EXPECT_EQ(with({"--limit", "2"}).status, 0);
}

TEST_F(Models, ADayIsMeantWhole) {
  write_dataset(folder_ / "days.tsd",
                {{"morning", {{10, 45}, {10.01, 45}}, {1'735'718'400, 1'735'718'500}},
                 {"next", {{10, 45}, {10.01, 45}}, {1'735'776'000, 1'735'776'100}}});
  run({"index", file("days.tsd"), "-o", file("days"), "--quiet"});
  const auto answers = [&](const Words& more) {
    Words words{"search", file("days"), file("days.tsd"), "--limit", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return report(words)["queries"][0]["neighbours"].size();
  };
  EXPECT_EQ(answers({"--from", "2025-01-01", "--to", "2025-01-01"}), 1u);
  EXPECT_EQ(answers({"--to", "2025-01-01T00:00:00Z"}), 0u);
  EXPECT_EQ(answers({"--from", "2025-01-01", "--to", "2025-01-02"}), 2u);
}

TEST_F(Models, IdsDoNotSpeakToTheTerminal) {
  write_dataset(folder_ / "odd.tsd",
                {{"a\x1b[31m\n\xc2\x9b b\xc3\xa9", {{10, 45}, {10.01, 45}}, {}}});
  run({"index", file("odd.tsd"), "-o", file("odd"), "--quiet"});
  const std::string table = run({"search", file("odd"), file("odd.tsd"), "--quiet"}).output;
  EXPECT_TRUE(table.ends_with("  a?[31m?? b\xc3\xa9\n")) << table;
}

TEST_F(Models, TripsOfACollectionAreExported) {
  run({"index", file("city.tsd"), "-o", file("city"), "--quiet"});
  run({"export", file("city"), "-o", file("out.tsv"), "--quiet"});
  run({"export", file("city.tsd"), "-o", file("data.tsv"), "--quiet"});
  EXPECT_EQ(read_file(folder_ / "out.tsv"), read_file(folder_ / "data.tsv"));
}

TEST_F(Models, OtherSettingsThanTheModelHas) {
  Model edr = model(Dataset::open(folder_ / "city.tsd"));
  edr.measure = Measure::edr;
  edr.measure_settings.epsilon = 100;
  edr.save(folder_ / "edr.safetensors");
  run({"index", file("edr.safetensors"), file("city.tsd"), "-o", file("city"), "--quiet"});
  EXPECT_EQ(search({"--mode", "fast"})["unit"], nullptr);
  EXPECT_EQ(search({"--mode", "fast", "--epsilon", "100"})["measure"], "edr");
  EXPECT_EQ(search({})["queries"], search({"--epsilon", "100"})["queries"]);
  EXPECT_NE(search({})["queries"], search({"--epsilon", "300"})["queries"]);
  expect_failure(
      2, {"search", file("city"), file("more.tsd"), "--mode", "fast", "--epsilon", "300"},
      "fast needs a model of edr with these settings, and there are models 'edr' \\(edr, epsilon "
      "100\\)");
}

TEST_F(Models, ManyQueriesOnAnyNumberOfThreads) {
  make();
  run({"search", file("city"), file("all.tsd"), "--threads", "1", "-o", file("one.csv"),
       "--quiet"});
  run({"search", file("city"), file("all.tsd"), "--threads", "8", "-o", file("many.csv"),
       "--quiet"});
  EXPECT_EQ(read_file(folder_ / "one.csv"), read_file(folder_ / "many.csv"));
}

TEST_F(Models, WhatIsKnownOfTripsIsKeptAndFilters) {
  const Dataset city = Dataset::open(folder_ / "city.tsd");
  {
    DatasetWriter writer(folder_ / "known.tsd");
    for (std::size_t i = 0; i < city.size(); ++i) {
      const std::vector<Attribute> attributes{{"taxi", static_cast<std::int64_t>(i % 7)}};
      writer.add(city[i], attributes);
    }
    writer.finish();
  }
  run({"index", file("known.tsd"), "-o", file("city")});
  EXPECT_EQ(report({"info", file("city")})["attributes"], json({"taxi"}));
  const json found = search({"-k", "1000", "--where", "taxi>=5"});
  EXPECT_EQ(found["queries"][0]["neighbours"].size(), 56U);  // 28 of taxi 5 and as many of 6
  expect_failure(3, {"search", file("city"), file("more.tsd"), "--where", "colour=red"},
                 "no attribute 'colour'");
  run({"export", file("city"), "--where", "taxi=3", "-o", file("three.csv")});
  const std::string rows = read_file(folder_ / "three.csv");
  EXPECT_TRUE(rows.starts_with("id,time,lon,lat,taxi\n")) << rows.substr(0, 60);
  EXPECT_NE(rows.find("trip-0000004,"), std::string::npos);
  EXPECT_EQ(rows.find("trip-0000005,"), std::string::npos);
}

}  // namespace
}  // namespace tsmini
