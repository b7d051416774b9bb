// `tsmini info` of a model file.
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/model.h"
#include "tsmini/model_cost.h"

#include "encode/random_model.h"
#include "model/cell_grid.h"
#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "tools/program.h"

namespace tsmini {
namespace {

using nlohmann::json;

class InfoModel : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  static Model sample() {
    const Dataset data = built({{"a", {{-8.61, 41.14}, {-8.59, 41.17}}, {}}});
    Model model;
    model.net.pooling = {Pool::mean, Pool::max};
    model.net.metric = {MetricKind::chebyshev, 16};
    model.frame = FeatureFrame::fit(data);
    model.space = Space::fit(SpaceKind::ground, data);
    model.calibration = {12.5, 1.5};
    model.provenance = R"({"preset":"paper","seed":7})";
    model.tensors["a"] = {{600, 2}, std::vector<float>(1200)};
    model.tensors["b"] = {{34}, std::vector<float>(34)};
    model.tensors["sub_views.convolution1.norm.running"] = {
        {2, 2}, std::vector<float>(4)};  // kept, not trained
    return model;
  }

  TemporaryFolder folder_;
};

TEST_F(InfoModel, AsText) {
  sample().save(file("m.safetensors"));
  const ProcessResult result = tsmini_program({"info", file("m.safetensors")});
  ASSERT_EQ(result.status, 0) << result.errors;
  for (const char* words :
       {"m.safetensors, [56]", "measure +frechet\n", "space +\\{\"kind\":\"ground\"",
        "metric +chebyshev in groups of 16, 128 dimensions, of length 1\n", "pooling +mean, max\n",
        "network +sub-views, 1 modern block, 4 heads, hidden 512\n", "parameters +1,234\n",
        "box +lon -8.614.* to -8.585.*, lat 41.13.* to 41.17",
        "calibration +12.5 · distance\\^1.5 m\n",
        "provenance +\\{\"preset\":\"paper\",\"seed\":7\\}\n"}) {
    EXPECT_TRUE(matches(result.output, words)) << words << '\n' << result.output;
  }
}

TEST_F(InfoModel, AsJson) {
  const Model model = sample();
  model.save(file("m.safetensors"));
  const ProcessResult result = tsmini_program({"info", file("m.safetensors"), "--json"});
  ASSERT_EQ(result.status, 0) << result.errors;
  const json report = json::parse(result.output);
  EXPECT_EQ(report["measure"], "frechet");
  EXPECT_EQ(report["unit"], "m");
  EXPECT_EQ(report["measure_settings"], json::object());
  EXPECT_EQ(report["space"], json::parse(model.space.to_json()));
  EXPECT_EQ(report["metric"], "chebyshev");
  EXPECT_EQ(report["pooling"], json::array({"mean", "max"}));
  EXPECT_EQ(report["parameters"], 1234);
  EXPECT_EQ(report["net"]["group"], 16);
  EXPECT_NEAR(report["box"][0].get<double>(), -8.61449, 1e-4);
  EXPECT_EQ(report["scale"], 12.5);
  EXPECT_EQ(report["exponent"], 1.5);
  EXPECT_EQ(report["provenance"]["seed"], 7);
}

TEST_F(InfoModel, ShowsTheSettingsOfTheMeasure) {
  Model model = sample();
  model.frame = FeatureFrame::fit(built({{"a", {{1, 2}, {3, 4}}, {}}}, {}, Coordinates::planar));
  model.measure = Measure::dtw;
  model.measure_settings.band = 5;
  model.net.sub_views = false;
  model.net.key_heads = 2;
  model.net.layers = 2;
  model.net.fourier_octaves = 3;
  model.save(file("m.safetensors"));
  const ProcessResult result = tsmini_program({"info", file("m.safetensors")});
  for (const char* words :
       {"measure +dtw \\{\"band\":5\\}\n", "box +x -499 to 503, y -498 to 504 \\(planar\\)",
        "grid cells of 100 m, 3 Fourier octaves, 2 modern blocks, 4 heads \\(2 of keys\\)"}) {
    EXPECT_TRUE(matches(result.output, words)) << words << '\n' << result.output;
  }
}

// What `info` counts in a file is what a network of these settings has, and what training counts.
TEST(ParameterCount, IsOne) {
  for (const auto& [name, settings] : net_variants()) {
    const Model model = random_model(settings);
    const std::size_t cells = settings.sub_views ? 0 : known_cells(model).size();
    EXPECT_EQ(parameter_count(model), parameter_count(settings, cells)) << name;
  }
  EXPECT_EQ(parameter_count(NetSettings{}), 328'240u) << "the preset paper";
}

TEST_F(InfoModel, IsKnownByItsContent) {
  sample().save(file("model"));
  EXPECT_TRUE(matches(tsmini_program({"info", file("model")}).output, "measure +frechet"));
}

TEST_F(InfoModel, OfADamagedFile) {
  write_file(folder_ / "m.safetensors", "nothing like it");
  const ProcessResult result = tsmini_program({"info", file("m.safetensors")});
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(matches(result.errors, "m.safetensors: its header")) << result.errors;
  EXPECT_EQ(tsmini_program({"info", file("none.safetensors")}).status, 3);
}

TEST_F(InfoModel, HasNoMap) {
  sample().save(file("m.safetensors"));
  const ProcessResult result =
      tsmini_program({"info", file("m.safetensors"), "--map", file("m.svg")});
  EXPECT_EQ(result.status, 3);
  EXPECT_TRUE(matches(result.errors, "is not a .tsd data set")) << result.errors;
}

}  // namespace
}  // namespace tsmini
