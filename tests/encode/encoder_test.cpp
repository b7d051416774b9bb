// What an embedding may depend on, and how a model that does not fit is refused.
#include "tsmini/encoder.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include "tsmini/error.h"
#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"

#include "encode/random_model.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

// Many short ones, a few long.
Dataset mixed_trips() {
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < 100; ++i) lengths.push_back(1 + i * 37 % 150);
  lengths[17] = 1100;
  lengths[60] = 500;
  return random_trips(lengths);
}

std::vector<float> rows_of(const Encoder& encoder, const Dataset& data,
                           const std::vector<std::size_t>& indices) {
  std::vector<float> rows(indices.size() * encoder.dimension());
  encoder.embed(data, indices, rows);
  return rows;
}

TEST(Encoder, AnEmbeddingDependsOnItsTrajectoryAlone) {
  const Dataset data = mixed_trips();
  const Encoder encoder(random_model());
  const std::vector<float> rows = rows_of(encoder, data, numbers(data.size()));
  std::vector<std::size_t> backwards = numbers(data.size());
  std::reverse(backwards.begin(), backwards.end());
  const std::vector<float> turned = rows_of(encoder, data, backwards);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(i * encoder.dimension());
    const std::vector<float> expected(begin, begin + 128);
    std::vector<float> alone(encoder.dimension());
    encoder.embed(data[i].points, alone);
    EXPECT_EQ(alone, expected) << i;
    const auto other =
        turned.begin() + static_cast<std::ptrdiff_t>((data.size() - 1 - i) * encoder.dimension());
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), other)) << i;
  }
}

TEST(Encoder, ThreadsDoNotMatter) {
  const Dataset data = mixed_trips();
  const Encoder encoder(random_model());
  const std::vector<float> rows = rows_of(encoder, data, numbers(data.size()));
  for (const std::size_t threads : {1U, 2U, 5U}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    EXPECT_EQ(rows_of(encoder, data, numbers(data.size())), rows) << threads;
  }
}

TEST(Encoder, KeepsTheTargetItWasMadeFor) {
  const std::string_view best = simd_targets().front();
  force_simd_target(simd_targets().back());
  const Encoder encoder(random_model());
  std::vector<float> before(128), after(128);
  const std::vector<Position> trip = random_trip(50, 1);
  encoder.embed(trip, before);
  force_simd_target(best);
  encoder.embed(trip, after);
  EXPECT_EQ(before, after);
}

TEST(Encoder, TwoModelsOnOneThread) {
  NetSettings settings;
  settings.dimension = 256;
  settings.hidden = 800;
  const Encoder small(random_model()), large(random_model(settings));
  const std::vector<Position> trip = random_trip(60, 2);
  std::vector<float> first(128), between(256), second(128);
  small.embed(trip, first);
  large.embed(trip, between);
  small.embed(trip, second);
  EXPECT_EQ(first, second);
}

TEST(Encoder, TellsHowFarItIs) {
  const Dataset data = random_trips({10, 20, 30, 40});
  Encoder encoder(random_model());
  std::vector<float> rows(4 * 128);
  ProgressState last;
  const Encoder moved = std::move(encoder);
  moved.embed(data, numbers(4), rows, [&](const ProgressState& state) { last = state; });
  EXPECT_EQ(last.done, 4u);
  EXPECT_EQ(last.total, 4u);
  const auto stop = [](const ProgressState&) {
    throw Error(ErrorCode::interrupted, "stopped by a test");
  };
  expect_error(ErrorCode::interrupted, "stopped", "",
               [&] { moved.embed(data, numbers(4), rows, stop); });
  moved.embed(data, {}, {});
}

TEST(Encoder, PointsOutsideTheBox) {
  const Encoder encoder(random_model());
  std::vector<float> e(128);
  const auto embed = [&](const Position& last) {
    std::vector<Position> trip = random_trip(20, 3);
    trip.push_back(last);
    encoder.embed(trip, e);
  };
  embed({2500, 2250});
  expect_error(ErrorCode::bad_input,
               "^the trajectory leaves the box of the model at \\(2501, 10\\)", "own region", [&] {
                 embed({2501, 10});
               });
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(), -1e300}) {
    expect_error(ErrorCode::bad_input, "leaves the box", "", [&] { embed({bad, 10}); });
    expect_error(ErrorCode::bad_input, "leaves the box", "", [&] { embed({10, bad}); });
  }
  expect_error(ErrorCode::bad_input, "without points", "", [&] { encoder.embed({}, e); });

  DatasetBuilder builder(Coordinates::planar);
  builder.add({"tame", random_trip(10, 1), {}});
  builder.add({"wild", std::vector<Position>{{0, 0}, {5000, 0}}, {}});
  const Dataset data = builder.finish();
  std::vector<float> rows(2 * 128);
  expect_error(ErrorCode::bad_input, "trajectory 'wild' leaves the box of the model at \\(5000, 0",
               "`rebox", [&] { encoder.embed(data, numbers(2), rows); });
}

TEST(Encoder, DegreesAndPlanesAreNotMixed) {
  const Encoder encoder(random_model());
  std::vector<float> row(128);
  DatasetBuilder builder(Coordinates::degrees);
  builder.add({"a", std::vector<Position>{{1, 2}, {3, 4}}, {}});
  const Dataset data = builder.finish();
  expect_error(ErrorCode::bad_input, "the model is for planar coordinates, the data has degrees",
               "kind", [&] { encoder.embed(data, numbers(1), row); });
}

class BadModel : public testing::Test {
 protected:
  void expect(const std::string& message) {
    expect_error(ErrorCode::bad_input, message, ".", [&] { Encoder{model_}; });
  }

  Model model_ = random_model();
};

TEST_F(BadModel, EveryTensorIsNeeded) {
  const Model whole = model_;
  for (const auto& [name, tensor] : whole.tensors) {
    model_ = whole;
    model_.tensors.erase(name);
    expect("the model has no tensor '" + name + "'");
  }
}

TEST_F(BadModel, EveryShapeIsChecked) {
  const Model whole = model_;
  for (const auto& [name, tensor] : whole.tensors) {
    model_ = whole;
    std::vector<std::size_t>& shape = model_.tensors[name].shape;
    shape.size() == 2 && shape[0] != shape[1] ? std::swap(shape[0], shape[1]) : shape.push_back(1);
    expect("tensor '" + name + "' has the shape \\[[0-9, ]*\\], not \\[");
  }
}

TEST_F(BadModel, TensorsLeftOver) {
  model_.tensors["layers.1.feed.in.weight"] = model_.tensors["layers.0.feed.in.weight"];
  expect("a tensor 'layers.1.feed.in.weight' that its settings do not know");
}

TEST_F(BadModel, NumbersThatAreNone) {
  model_.tensors["head.weight"].values[7] = std::numeric_limits<float>::quiet_NaN();
  expect("tensor 'head.weight' is not finite");
}

TEST_F(BadModel, NegativeVariance) {
  model_.tensors["sub_views.convolution2.norm.running"].values.back() = -1;
  expect("convolution2.norm.running' has the variance -1");
}

TEST_F(BadModel, AHeadOfUnitLengthNeedsItsBias) {
  model_.net.unit_norm = false;
  model_.tensors.erase("head.bias");
  EXPECT_NO_THROW(Encoder{model_});
}

TEST_F(BadModel, AnotherGrid) {
  NetSettings settings;
  settings.sub_views = false;
  model_ = random_model(settings);
  model_.net.cell_metres = 200;
  expect("'cells.known' names column 16, row 0 of a grid of 15 × 13");
}

TEST_F(BadModel, CellsInDisorder) {
  NetSettings settings;
  settings.sub_views = false;
  model_ = random_model(settings);
  std::swap(model_.tensors["cells.known"].values[0], model_.tensors["cells.known"].values[2]);
  expect("'cells.known' names column 1, row 0 of a grid of 30 × 25");
}

TEST_F(BadModel, ACellWithoutAVector) {
  NetSettings settings;
  settings.sub_views = false;
  model_ = random_model(settings);
  model_.tensors["cells.known"].shape[0] -= 1;
  model_.tensors["cells.known"].values.resize(model_.tensors["cells.known"].values.size() - 2);
  expect("tensor 'cells.table' has the shape \\[501, 128\\], not \\[500, 128\\]");
}

}  // namespace
}  // namespace tsmini
