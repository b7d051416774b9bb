// What the verbs say of data that lies far out on the plane that distances are taken in.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/model.h"

#include "encode/random_model.h"
#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

const Position denver{-104.99, 39.74}, los_angeles{-118.24, 34.05}, chicago{-87.63, 41.88};
const Position wyoming{-108.99, 41.5}, kansas{-100.99, 39};  // 330 km from Denver's meridian

class ReachOfVerbs : public testing::Test {
 protected:
  ReachOfVerbs() {
    write("denver", {denver, denver, denver});
    write("states", {denver, wyoming, kansas});
    write("continent", {denver, los_angeles, chicago});
    write("one", {chicago});
    save_model("denver");
    save_model("states");
    save_model("continent");
  }

  // A short way from each place.
  void write(const std::string& name, const std::vector<Position>& places) const {
    std::vector<OwnedTrajectory> trips;
    for (const Position& p : places) {
      trips.push_back({"trip-" + std::to_string(trips.size()),
                       {p, {p.lon + 1e-3, p.lat}, {p.lon + 2e-3, p.lat + 1e-3}},
                       {}});
    }
    write_dataset(folder_ / (name + ".tsd"), trips);
  }

  void save_model(const std::string& name) const {
    const Dataset data = Dataset::open(folder_ / (name + ".tsd"));
    NetSettings settings;
    settings.dimension = 32;
    settings.hidden = 32;
    Model model = random_model(settings);
    model.frame = FeatureFrame::fit(data);
    model.space = Space::fit(SpaceKind::ground, data);
    model.measure = Measure::frechet;
    model.save(folder_ / (name + ".safetensors"));
  }

  std::string data(const std::string& name) const { return (folder_ / (name + ".tsd")).string(); }
  std::string model(const std::string& name) const {
    return (folder_ / (name + ".safetensors")).string();
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  // Commands of every verb that measures a data set.
  std::vector<Words> measuring(const std::string& name) const {
    return {{"distance", data(name), "--pair", "trip-0,trip-1"},
            {"distance", data(name), "-o", file("x.npy")},
            {"knn", data(name), data(name)}};
  }

  // Commands of every verb that embeds a data set with a model, by their names.
  std::vector<Words> embedding(const std::string& of, const std::string& name) const {
    return {{"embed", model(of), data(name), "-o", file("x.npy")},
            {"evaluate", model(of), data(name), "--part", "all"}};
  }
  std::vector<Words> measuring_and_embedding(const std::string& name) const {
    std::vector<Words> all = measuring(name);
    for (const Words& words : embedding(name, name)) all.push_back(words);
    return all;
  }

  void expect_refusal_of(const std::string& name, const Words& words) const {
    expect_refusal(folder_, 3, words,
                   name +
                       ".tsd: some of it is too far out to be measured in metres .*longitudes "
                       ".* km from the central meridian .* % too long",
                   "--bbox=.*another space");
  }

  TemporaryFolder folder_;
};

TEST_F(ReachOfVerbs, ACityNeedsNoWord) {
  for (const Words& words : measuring_and_embedding("denver")) {
    const ProcessResult result = tsmini_program(words);
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_FALSE(matches(result.errors, "note:")) << words.front() << result.errors;
  }
}

TEST_F(ReachOfVerbs, SomeStatesAreNoted) {
  for (const Words& words : measuring_and_embedding("states")) {
    const ProcessResult result = tsmini_program(words);
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_TRUE(matches(result.errors,
                        "note: .*states.tsd: trajectory 'trip-2' is 3.. km from the central "
                        "meridian of the space 'ground' .longitude -104.* 0.15 % too long"))
        << words.front() << result.errors;
  }
}

TEST_F(ReachOfVerbs, AContinentIsRefused) {
  for (const Words& words : measuring("continent")) expect_refusal_of("continent", words);
  for (const Words& words : embedding("continent", "continent")) {
    expect_refusal(folder_, 3, words, "trajectory 'trip-[12]' at .* km from the central meridian",
                   "--on-error skip");
  }
}

TEST_F(ReachOfVerbs, TheDataThatIsMeasuredCountsNotOnlyTheFitted) {
  expect_refusal_of("one", {"knn", data("one"), data("denver")});
  expect_refusal_of("one", {"distance", data("denver"), data("one"), "-o", file("x.npy")});
}

TEST_F(ReachOfVerbs, AnotherCityThanTheModelsIsRefusedByItsBox) {
  for (const Words& words : embedding("denver", "one")) {
    expect_refusal(folder_, 3, words, "can take none of 1 trip; .*leaves the box of the model",
                   "tsmini info MODEL shows its box.*--init MODEL --rebox");
  }
}

TEST_F(ReachOfVerbs, AnotherSpaceTakesAnything) {
  const ProcessResult result =
      tsmini_program({"knn", data("continent"), data("continent"), "--space", "mercator"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_FALSE(matches(result.errors, "note:")) << result.errors;
}

TEST_F(ReachOfVerbs, Collections) {
  expect_refusal(folder_, 3,
                 {"index", model("continent"), data("continent"), "-o", file("collection")},
                 "trip 'trip-[12]' at .* is .* km from the central meridian", "--on-error skip");
  const ProcessResult noted =
      tsmini_program({"index", model("states"), data("states"), "-o", file("states")});
  EXPECT_EQ(noted.status, 0) << noted.errors;
  EXPECT_TRUE(matches(noted.errors, "note: .*states.tsd: trajectory 'trip-2' is 3.. km from"))
      << noted.errors;
  const ProcessResult found =
      tsmini_program({"search", file("states"), data("states"), "--mode", "exact"});
  EXPECT_EQ(found.status, 0) << found.errors;
  EXPECT_TRUE(matches(found.errors, "note: .*states.tsd: trajectory 'trip-2'")) << found.errors;
  expect_refusal(folder_, 3, {"search", file("states"), data("one"), "--mode", "exact"},
                 "query 'trip-0': .*(box|central meridian)", "");
}

}  // namespace
}  // namespace tsmini
