#include "tsmini/model.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/safetensors.h"
#include "support/datasets.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

using Json = nlohmann::json;

Model sample() {
  const Dataset data = built({{"a", {{-8.61, 41.14}, {-8.59, 41.17}, {-8.6, 41.2}}, {}}});
  Model model;
  model.net.pooling = {Pool::mean, Pool::max};
  model.net.metric = {MetricKind::chebyshev, 16};
  model.net.unit_norm = false;
  model.frame = FeatureFrame::fit(data);
  model.measure = Measure::dtw;
  model.measure_settings.band = 20;
  model.space = Space::fit(SpaceKind::ground, data);
  model.calibration = {1234.5678901234567, 1.2345678901234567};
  model.provenance = R"({"preset":"paper","seed":7,"validation":{"hr10":0.7500000000000001}})";
  model.tensors["encoder.weight"] = {{2, 3}, {1, 2, 3, -4, 0.1F, 1e-30F}};
  model.tensors["scalar"] = {{}, {42}};
  return model;
}

void expect_equal(const Model& a, const Model& b) {
  EXPECT_EQ(a.net, b.net);
  EXPECT_EQ(a.frame.space, b.frame.space);
  EXPECT_EQ(a.frame.low.x, b.frame.low.x);
  EXPECT_EQ(a.frame.low.y, b.frame.low.y);
  EXPECT_EQ(a.frame.high.x, b.frame.high.x);
  EXPECT_EQ(a.frame.high.y, b.frame.high.y);
  EXPECT_EQ(a.measure, b.measure);
  EXPECT_EQ(a.measure_settings.epsilon, b.measure_settings.epsilon);
  EXPECT_EQ(a.measure_settings.gap.x, b.measure_settings.gap.x);
  EXPECT_EQ(a.measure_settings.gap.y, b.measure_settings.gap.y);
  EXPECT_EQ(a.measure_settings.band, b.measure_settings.band);
  EXPECT_EQ(a.space, b.space);
  EXPECT_EQ(a.calibration, b.calibration);
  EXPECT_EQ(Json::parse(a.provenance), Json::parse(b.provenance));
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (const auto& [name, tensor] : a.tensors) {
    EXPECT_EQ(tensor.shape, b.tensors.at(name).shape);
    EXPECT_EQ(tensor.values, b.tensors.at(name).values);
  }
}

// The model's file after a change of its JSON.
template <class Change>
void expect_refused(const Change& change, const std::string& message, const std::string& hint) {
  const TemporaryFolder folder;
  sample().save(folder / "m.safetensors");
  Json json =
      Json::parse(SafetensorsFile(folder / "m.safetensors").metadata().find("tsmini")->second);
  change(json);
  write_safetensors(folder / "bad.safetensors", {}, {{"tsmini", json.dump()}});
  SCOPED_TRACE(message);
  expect_error(ErrorCode::bad_input, "bad.safetensors: .*" + message, hint,
               [&] { Model::load(folder / "bad.safetensors"); });
}

TEST(Model, WhatIsSavedIsLoaded) {
  const TemporaryFolder folder;
  const Model model = sample();
  model.save(folder / "m");
  const Model loaded = Model::load(folder / "m");
  expect_equal(model, loaded);
  loaded.save(folder / "again");
  EXPECT_EQ(read_file(folder / "m"), read_file(folder / "again"));
}

TEST(Model, ItsDescriptionIsAllButTheTensors) {
  const TemporaryFolder folder;
  Model model = sample();
  model.save(folder / "m");
  const Model described = Model::load_description(folder / "m");
  model.tensors.clear();
  expect_equal(model, described);
}

TEST(Model, EveryMeasureSettingAndSpaceSurvives) {
  const TemporaryFolder folder;
  Model model = sample();
  model.measure_settings.band.reset();
  const Dataset planar = built({{"a", {{0.1, 1}, {3, 0.3}}, {}}}, {}, Coordinates::planar);
  const Dataset degrees = built({{"a", {{0.1, 1}, {3, 0.3}}, {}}});
  const std::vector<Space> spaces{
      Space::fit(SpaceKind::zscore, degrees), Space::fit(SpaceKind::zscore, planar),
      Space::fit(SpaceKind::mercator, degrees), Space::fit(SpaceKind::planar, planar)};
  for (const Measure measure : all_measures) {
    model.measure = measure;
    model.measure_settings.epsilon = 0.1 + static_cast<double>(measure);
    model.measure_settings.gap = {1.0 / 3, -1e300};
    model.space = spaces[static_cast<std::size_t>(measure) % spaces.size()];
    model.save(folder / "m");
    expect_equal(model, Model::load(folder / "m"));
  }
  model.frame = FeatureFrame::fit(planar);
  model.save(folder / "m");
  expect_equal(model, Model::load(folder / "m"));
}

TEST(Model, WithoutProvenanceItIsAnEmptyObject) {
  const TemporaryFolder folder;
  Model model = sample();
  model.provenance.clear();
  model.save(folder / "m");
  EXPECT_EQ(Model::load(folder / "m").provenance, "{}");
}

TEST(Model, RefusesFilesThatAreNotModels) {
  const TemporaryFolder folder;
  write_file(folder / "text", "this is not a model at all");
  expect_error(ErrorCode::bad_input, "text: its header should have", "not safetensors",
               [&] { Model::load(folder / "text"); });
  write_safetensors(folder / "other", {}, {{"format", "pt"}});
  expect_error(ErrorCode::bad_input, "other: is safetensors, but .* no 'tsmini'", "tsmini wrote",
               [&] { Model::load(folder / "other"); });
  for (const std::string text : {"", "{", "[]", "3", "{\"version\":1,\"version\":1}"}) {
    write_safetensors(folder / "bad", {}, {{"tsmini", text}});
    expect_error(ErrorCode::bad_input, "bad: ", "", [&] { Model::load(folder / "bad"); });
  }
  write_safetensors(folder / "deep", {}, {{"tsmini", std::string(1'000'000, '[')}});
  expect_error(ErrorCode::bad_input, "deep: .*levels deep", "",
               [&] { Model::load(folder / "deep"); });
}

TEST(Model, RefusesNewerVersions) {
  expect_refused(
      [](Json& j) {
        j = {{"version", 2}, {"all", "is different"}};
      },
      "has version 2, but this tsmini reads up to 1", "newer tsmini");
  expect_refused([](Json& j) { j["version"] = 0; }, "'version' must be 1 or more", "");
  expect_refused([](Json& j) { j["version"] = "1"; }, "'version' must be a whole number", "");
}

TEST(Model, NamesWhatIsWrongWithIt) {
  for (const char* key :
       {"version", "net", "frame", "measure", "measure_settings", "space", "scale", "provenance"}) {
    expect_refused([&](Json& j) { j.erase(key); }, std::string("'") + key + "' is missing",
                   "again");
    expect_refused([&](Json& j) { j[key] = true; }, std::string("'") + key + "' must be", "again");
  }
  expect_refused([](Json& j) { j["net"]["experts"] = 1; }, "'experts' is not a setting", "");
  expect_refused([](Json& j) { j["net"]["heads"] = 3; }, "key_heads 4 does not divide heads 3",
                 "divisors");
  expect_refused([](Json& j) { j["net"]["metric"] = "cosine"; }, "unknown metric 'cosine'", "l1");
  expect_refused([](Json& j) { j["measure"] = "dwt"; }, "unknown measure 'dwt'", "dtw");
  expect_refused([](Json& j) { j["measure"] = "edr"; }, "'edr' needs an epsilon", "");
  expect_refused([](Json& j) { j["measure_settings"]["band"] = -1; }, "'band' must be", "");
  expect_refused([](Json& j) { j["measure_settings"].erase("gap"); }, "'gap' is missing", "");
  expect_refused([](Json& j) { j["space"]["kind"] = "mars"; }, "unknown 'kind'", "");
  expect_refused([](Json& j) { j["frame"]["low"] = {1}; }, "'low' must be two numbers", "");
  expect_refused([](Json& j) { j["frame"]["low"] = j["frame"]["high"]; }, "without extent", "");
  expect_refused([](Json& j) { j["scale"] = 0; }, "'scale' must be above 0", "");
  expect_refused([](Json& j) { j["scale"] = nullptr; }, "'scale' must be a number, not null", "");
  expect_refused([](Json& j) { j["exponent"] = -1; }, "'exponent' must be above 0", "");
}

TEST(Model, KeysOfLaterVersionsAreReadOver) {
  const TemporaryFolder folder;
  sample().save(folder / "m");
  const SafetensorsFile file(folder / "m");
  Json json = Json::parse(file.metadata().find("tsmini")->second);
  json["note"] = "hello";
  write_safetensors(folder / "n", file.tensors(), {{"tsmini", json.dump()}, {"format", "pt"}});
  expect_equal(sample(), Model::load(folder / "n"));
}

TEST(Model, RefusesValuesThatAreNotFinite) {
  const TemporaryFolder folder;
  sample().save(folder / "m");
  TensorMetadata metadata = SafetensorsFile(folder / "m").metadata();
  metadata.erase("tsmini.checksum");
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const std::vector<float> values{1, bad};
    write_safetensors(folder / "n", {{"w", {{2}, std::as_bytes(std::span(values))}}}, metadata);
    expect_error(ErrorCode::bad_input, "n: tensor 'w' holds (nan|inf) at 1", "again",
                 [&] { Model::load(folder / "n"); });
    Model model = sample();
    model.tensors["w"] = {{2}, values};
    expect_error(ErrorCode::failure, "tensor 'w' holds (nan|inf) at 1", "diverged",
                 [&] { model.save(folder / "o"); });
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "o"));
}

TEST(Model, AFlippedBitIsRefusedOrChangesNothing) {
  const TemporaryFolder folder;
  const Model model = sample();
  model.save(folder / "m");
  const std::string bytes = read_file(folder / "m");
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] ^= static_cast<char>(1 << bit % 8);
    write_file(folder / "m", damaged);
    try {
      expect_equal(Model::load(folder / "m"), model);  // as where a blank became a tab
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input) << error.what();
    }
  }
}

// By safetensors.torch.save_file, say, with the metadata that it had.
TEST(Model, WrittenAgainByAnotherProgramItStaysAModel) {
  const TemporaryFolder folder;
  sample().save(folder / "m");
  std::string bytes = read_file(folder / "m");
  const std::size_t header = static_cast<unsigned char>(bytes[0]) +
                             256 * std::size_t{static_cast<unsigned char>(bytes[1])};
  Json json = Json::parse(bytes.substr(8, header));
  const std::string values = bytes.substr(8 + header);
  // The scalar comes first.
  json["scalar"]["data_offsets"] = {0, 4};
  json["encoder.weight"]["data_offsets"] = {4, 28};
  const auto write = [&](const Json& changed) {
    const std::string text = changed.dump();
    std::string length(8, '\0');
    length[0] = static_cast<char>(text.size() % 256);
    length[1] = static_cast<char>(text.size() / 256);
    write_file(folder / "m", length + text + values.substr(24) + values.substr(0, 24));
  };
  write(json);
  expect_equal(Model::load(folder / "m"), sample());

  json["encoder.weight"]["shape"] = {3, 2};
  write(json);
  expect_error(ErrorCode::bad_input, "not as it was written", "remove 'tsmini.checksum'",
               [&] { Model::load(folder / "m"); });
  json["__metadata__"].erase("tsmini.checksum");
  write(json);
  EXPECT_EQ(Model::load(folder / "m").tensors.at("encoder.weight").shape,
            (std::vector<std::size_t>{3, 2}));
}

TEST(Model, WritesNothingThatCannotBeRead) {
  const TemporaryFolder folder;
  const auto expect_unwritten = [&](ErrorCode code, const Model& model) {
    expect_error(code, "", "", [&] { model.save(folder / "m"); });
    EXPECT_TRUE(folder.names().empty());
  };
  Model model = sample();
  model.calibration.scale = std::nan("");
  expect_unwritten(ErrorCode::failure, model);
  model = sample();
  model.net.heads = 3;
  expect_unwritten(ErrorCode::usage, model);
  model = sample();
  for (const char* text : {"not JSON", "[1]"}) {
    model.provenance = text;
    expect_unwritten(ErrorCode::bad_input, model);
  }
}

}  // namespace
}  // namespace tsmini
