// `tsmini embed` and `tsmini bench encode`.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/encoder.h"

#include "base/npy.h"
#include "encode/random_model.h"
#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

using nlohmann::json;

class Embed : public testing::Test {
 protected:
  Embed() {
    random_model().save(file("m.safetensors"));
    write_trips("trips.tsd", 5, {Part::test, Part::train, Part::test, Part::none, Part::train});
    write_dataset(folder_ / "degrees.tsd", {{"a", {{1, 2}, {3, 4}}, {}}});
    write_dataset(folder_ / "far.tsd", {{"near", {{1, 2}}, {}}, {"far", {{1, 2}, {9000, 4}}, {}}},
                  {}, Coordinates::planar);
    write_dataset(folder_ / "none.tsd", {}, {}, Coordinates::planar);
  }

  void write_trips(const std::string& name, std::size_t count, const std::vector<Part>& parts) {
    std::vector<OwnedTrajectory> trips;
    for (std::size_t i = 0; i < count; ++i)
      trips.push_back({"trip " + std::to_string(i), random_trip(1 + 20 * i % 77, i), {}});
    write_dataset(folder_ / name, trips, parts, Coordinates::planar);
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  ProcessResult run(Words words) const {
    words.insert(words.begin(), "embed");
    return tsmini_program(words);
  }

  void expect(int status, Words words, const std::string& message,
              const std::string& hint = "") const {
    words.insert(words.begin(), "embed");
    expect_refusal(folder_, status, words, message, hint);
  }

  void expect_rows(const std::string& name, const std::vector<std::size_t>& indices) const {
    const Dataset data = Dataset::open(folder_ / "trips.tsd");
    const Encoder encoder(random_model());
    std::vector<float> expected(indices.size() * encoder.dimension());
    encoder.embed(data, indices, expected);
    const NpyArray array(folder_ / name);
    EXPECT_EQ(array.header(), (NpyHeader{NpyType::float32, {indices.size(), 128}}));
    const auto values = array.values<float>();
    EXPECT_EQ(std::vector<float>(values.begin(), values.end()), expected);
  }

  TemporaryFolder folder_;
};

TEST_F(Embed, RowsInTheOrderOfTheData) {
  const std::string model = file("m.safetensors"), data = file("trips.tsd");
  const ProcessResult all = run({model, data, "-o", file("e.npy")});
  ASSERT_EQ(all.status, 0) << all.errors;
  EXPECT_EQ(all.output, "");
  EXPECT_TRUE(matches(all.errors, "5 trips, 128 numbers each, in .* trips/s; .* -> "))
      << all.errors;
  expect_rows("e.npy", {0, 1, 2, 3, 4});
  ASSERT_EQ(run({model, data, "-o", file("t.npy"), "--part", "test", "--quiet"}).errors, "");
  expect_rows("t.npy", {0, 2});
  ASSERT_EQ(run({model, data, "-o", file("l.npy"), "--limit", "3", "--threads", "1"}).status, 0);
  expect_rows("l.npy", {0, 1, 2});
}

TEST_F(Embed, NamesTheTrajectoryOfEveryRow) {
  const std::string model = file("m.safetensors"), data = file("trips.tsd");
  ASSERT_EQ(run({model, data, "-o", file("e.npy"), "--part", "TEST"}).status, 0);
  const json legend = json::parse(read_file(folder_ / "e.npy.json"));
  EXPECT_EQ(legend["ids"], json::array({"trip 0", "trip 2"}));
  EXPECT_EQ(legend["rows"], 2);
  EXPECT_EQ(legend["metric"], "l1");
}

TEST_F(Embed, LeavesOutWhatTheModelCannotTake) {
  write_dataset(folder_ / "trips.tsd",
                {{"a", random_trip(20, 1), {}},
                 {"far", {{1, 2}, {9000, 4}}, {}},
                 {"b", random_trip(30, 2), {}},
                 {"farther", {{1, 90000}}, {}},
                 {"c", random_trip(1, 3), {}}},
                {}, Coordinates::planar);
  const Words words{file("m.safetensors"), file("trips.tsd"), "-o",
                    file("e.npy"),         "--on-error",      "skip"};
  const ProcessResult result = run(words);
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(matches(result.errors,
                      "left out 2 that the model cannot take, first: trajectory "
                      "'far' leaves the box of the model at 9000, 4\n3 trips"))
      << result.errors;
  expect_rows("e.npy", {0, 2, 4});
  EXPECT_EQ(json::parse(read_file(folder_ / "e.npy.json"))["ids"], json::array({"a", "b", "c"}));
  Words as_json = words;
  as_json.emplace_back("--json");
  const json report = json::parse(run(as_json).output);
  EXPECT_EQ(report["trajectories"], 3);
  EXPECT_EQ(report["unfit"], 2);
}

TEST_F(Embed, EvaluateLeavesOutWhatTheModelCannotTake) {
  std::vector<OwnedTrajectory> trips;
  for (std::size_t i = 0; i < 12; ++i)
    trips.push_back({"trip " + std::to_string(i), random_trip(20, i), {}});
  write_dataset(folder_ / "clean.tsd", trips, {}, Coordinates::planar);
  trips.insert(trips.begin() + 3, OwnedTrajectory{"far", {{1, 2}, {9000, 4}}, {}});
  write_dataset(folder_ / "spoilt.tsd", trips, {}, Coordinates::planar);
  const std::string model = file("m.safetensors");
  expect_refusal(folder_, 3, {"evaluate", model, file("spoilt.tsd")},
                 "spoilt.tsd: trajectory 'far' leaves the box", "--on-error skip");
  const json clean =
      json::parse(tsmini_program({"evaluate", model, file("clean.tsd"), "--json"}).output);
  const json skipped = json::parse(
      tsmini_program({"evaluate", model, file("spoilt.tsd"), "--json", "--on-error", "skip"})
          .output);
  EXPECT_EQ(clean["unfit"], 0);
  EXPECT_EQ(skipped["unfit"], 1);
  for (const char* figure : {"queries", "base", "hr10", "rand_index", "median_relative_error"})
    EXPECT_EQ(skipped[figure], clean[figure]) << figure;
  const ProcessResult table =
      tsmini_program({"evaluate", model, file("spoilt.tsd"), "--on-error", "skip"});
  EXPECT_TRUE(matches(table.errors, "left out 1 that the model cannot take")) << table.errors;
  expect_refusal(folder_, 3, {"evaluate", model, file("none.tsd")}, "there are no trajectories",
                 "import");
}

TEST_F(Embed, AsJson) {
  const ProcessResult result =
      run({file("m.safetensors"), file("trips.tsd"), "-o", file("e.npy"), "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json report = json::parse(result.output);
  EXPECT_EQ(report["trajectories"], 5);
  EXPECT_EQ(report["dimension"], 128);
  EXPECT_GT(report["trips_per_second"].get<double>(), 0);
}

TEST_F(Embed, Complaints) {
  const std::string model = file("m.safetensors"), data = file("trips.tsd"), out = file("e.npy");
  EXPECT_EQ(run({model, data}).status, 2);
  expect(2, {model, data, "-o", out, "--part", "half"}, "'half' is not a part");
  expect(3, {data, data, "-o", out}, "trips.tsd: is a data set, not a model", "exchanged");
  expect(3, {model, model, "-o", out}, "m.safetensors");
  expect(3, {model, file("none.tsd"), "-o", out}, "there are no trajectories");
  expect(3, {model, file("degrees.tsd"), "-o", out}, "planar coordinates, the data has degrees");
  expect(3, {model, file("far.tsd"), "-o", out},
         "far.tsd: trajectory 'far' leaves the box of the model at 9000, 4",
         "--on-error skip.*region");
  expect(2, {model, data, "-o", file("e.csv")}, "e.csv: only NumPy files", "e.npy");
  expect(1, {model, data, "-o", file("no/e.npy")}, "cannot write: No such file");
  Model altered = random_model();
  altered.tensors.erase("head.weight");
  altered.save(file("altered.safetensors"));
  expect(3, {file("altered.safetensors"), data, "-o", out},
         "altered.safetensors: the model has no tensor 'head.weight'");
}

TEST_F(Embed, BenchAsJson) {
  const ProcessResult result =
      tsmini_program({"bench", "encode", file("m.safetensors"), file("trips.tsd"), "--seconds",
                      "0.001", "--json", "--quiet"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json report = json::parse(result.output);
  EXPECT_EQ(report["trips"], 2) << "those of the test part";
  for (const char* figure :
       {"trips_per_second", "trips_per_second_all_cores", "ms_alone", "gigaflops"})
    EXPECT_GT(report[figure].get<double>(), 0) << figure;
  EXPECT_EQ(report.contains("sgemm_gigaflops"), report.contains("ratio_to_sgemm"));
}

TEST_F(Embed, BenchAsATable) {
  const ProcessResult result = tsmini_program(
      {"bench", "encode", file("m.safetensors"), file("trips.tsd"), "--seconds", "0.001"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(matches(result.output, "2 trips of .* MFLOP; sgemm of .*\n.*\n .* ms "))
      << result.output;
  EXPECT_EQ(tsmini_program({"bench", "encode", file("m.safetensors")}).status, 2);
}

}  // namespace
}  // namespace tsmini
