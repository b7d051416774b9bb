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
  EXPECT_TRUE(matches(all.errors, "5 trips, 128 numbers each, in .* trips/s; .*, fp32 -> "))
      << all.errors;
  expect_rows("e.npy", {0, 1, 2, 3, 4});
  ASSERT_EQ(run({model, data, "-o", file("t.npy"), "--part", "test", "--quiet"}).errors, "");
  expect_rows("t.npy", {0, 2});
  ASSERT_EQ(run({model, data, "-o", file("l.npy"), "--limit", "3", "--threads", "1"}).status, 0);
  expect_rows("l.npy", {0, 1, 2});
}

TEST_F(Embed, AsJson) {
  const ProcessResult result = run({file("m.safetensors"), file("trips.tsd"), "-o", file("e.npy"),
                                    "--precision", "bf16", "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json report = json::parse(result.output);
  EXPECT_EQ(report["trajectories"], 5);
  EXPECT_EQ(report["dimension"], 128);
  EXPECT_EQ(
      report["precision"],
      Encoder(random_model(), Arithmetic::bf16).arithmetic() == Arithmetic::bf16 ? "bf16" : "fp32");
  EXPECT_GT(report["trips_per_second"].get<double>(), 0);
}

TEST_F(Embed, Complaints) {
  const std::string model = file("m.safetensors"), data = file("trips.tsd"), out = file("e.npy");
  EXPECT_EQ(run({model, data}).status, 2);
  expect(2, {model, data, "-o", out, "--part", "half"}, "'half' is not a part");
  EXPECT_EQ(run({model, data, "-o", out, "--precision", "fp8"}).status, 2);
  expect(3, {data, data, "-o", out}, "trips.tsd: its header", "");
  expect(3, {model, model, "-o", out}, "m.safetensors");
  expect(3, {model, file("none.tsd"), "-o", out}, "there are no trajectories");
  expect(3, {model, file("degrees.tsd"), "-o", out}, "planar coordinates, the data has degrees");
  expect(3, {model, file("far.tsd"), "-o", out}, "'far' leaves the box of the model at \\(9000, 4",
         "region");
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
  ASSERT_GE(report["arithmetic"].size(), 1u);
  EXPECT_EQ(report["arithmetic"][0]["precision"], "fp32");
  for (const json& row : report["arithmetic"]) {
    for (const char* figure :
         {"trips_per_second", "trips_per_second_all_cores", "ms_alone", "gigaflops"})
      EXPECT_GT(row[figure].get<double>(), 0) << figure;
    EXPECT_EQ(row.contains("sgemm_gigaflops"), row.contains("ratio_to_sgemm"));
  }
}

TEST_F(Embed, BenchAsATable) {
  const ProcessResult result = tsmini_program(
      {"bench", "encode", file("m.safetensors"), file("trips.tsd"), "--seconds", "0.001"});
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(matches(result.output, "2 trips of .* MFLOP; sgemm of .*\n.*\nfp32 .* ms "))
      << result.output;
  EXPECT_EQ(tsmini_program({"bench", "encode", file("m.safetensors")}).status, 2);
}

}  // namespace
}  // namespace tsmini
