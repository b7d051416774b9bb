// The encoder against the model in plain loops and double precision, for every kind of network, on
// every SIMD target.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <tbb/parallel_for.h>

#include "tsmini/encoder.h"
#include "tsmini/pair_engine.h"
#include "tsmini/simd.h"

#include "encode/random_model.h"
#include "learn/reference_net.h"
#include "support/with_target.h"

namespace tsmini {
namespace {

Weights exact_weights(const Model& model) {
  Weights weights;
  for (const auto& [name, tensor] : model.tensors)
    weights[name] = {tensor.values.begin(), tensor.values.end()};
  return weights;
}

Vector twin_of(const Model& model, const std::vector<Position>& trip) {
  std::vector<Planar> points;
  for (const Position& p : trip) points.push_back({p.lon, p.lat});
  const Matrix features = reference_features(model.frame, points, model.net.fourier_octaves);
  return reference_embeddings(model.net, model.frame, exact_weights(model), {features}, false)
      .embeddings[0];
}

std::vector<float> embedding_of(const Encoder& encoder, const std::vector<Position>& trip) {
  std::vector<float> e(encoder.dimension());
  encoder.embed(trip, e);
  return e;
}

// Length of the difference, as a share of the length.
double error_of(const std::vector<float>& got, const Vector& expected) {
  double squares = 0, norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    squares += (got[i] - expected[i]) * (got[i] - expected[i]);
    norm += expected[i] * expected[i];
  }
  return std::sqrt(squares / norm);
}

// Some ten operations follow each other in single precision, and each adds some 2^-24 of its own:
// the worst of what is tested below, whatever the target, is off by 6.2e-7. This is 2.5 times as
// much, for compilers and processors that fuse or sum otherwise.
constexpr double tolerance = 1.5e-6;

// From what must be extended to several blocks of rows and of keys; fewer for a variant.
std::vector<std::size_t> lengths_for(const Variant& variant) {
  if (variant.name == "default") return {1, 2, 6, 7, 8, 9, 50, 100, 101, 103, 200, 301};
  return {1, 8, 50, 103};
}

TEST(Twin, EveryVariantOnEveryTarget) {
  for (const Variant& variant : net_variants()) {
    SCOPED_TRACE(variant.name);
    const Model model = random_model(variant.settings);
    const std::vector<std::size_t> lengths = lengths_for(variant);
    std::vector<Vector> expected(lengths.size());
    tbb::parallel_for(std::size_t{0}, lengths.size(), [&](std::size_t i) {
      expected[i] = twin_of(model, random_trip(lengths[i], i));
    });
    for (const std::string_view target : simd_targets()) {
      SCOPED_TRACE(target);
      const WithTarget guard(target);
      const Encoder encoder(model);
      ASSERT_EQ(encoder.dimension(), model.net.dimension);
      for (std::size_t i = 0; i < lengths.size(); ++i) {
        const std::vector<float> e = embedding_of(encoder, random_trip(lengths[i], i));
        EXPECT_LT(error_of(e, expected[i]), tolerance) << lengths[i] << " points";
      }
    }
  }
}

// Scores far apart, so that shares of the softmax underflow and gates saturate.
TEST(Twin, LargeWeights) {
  NetSettings settings;
  settings.layers = 2;
  Model model = random_model(settings);
  for (const char* name : {"layers.0.attention.in.weight", "layers.1.attention.in.weight",
                           "layers.0.feed.in.weight", "layers.1.feed.in.weight"}) {
    for (float& value : model.tensors[name].values) value *= 6;
  }
  const std::vector<Position> trip = random_trip(330, 3);
  const Vector expected = twin_of(model, trip);
  for (const std::string_view target : simd_targets()) {
    const WithTarget guard(target);
    EXPECT_LT(error_of(embedding_of(Encoder(model), trip), expected), tolerance) << target;
  }
}

// Past the tables of positions, in many blocks of keys.
void expect_long(BlockKind block, std::size_t points) {
  NetSettings settings;
  settings.heads = settings.key_heads = 1;
  settings.hidden = 16;
  settings.dimension = 32;
  settings.block = block;
  const Model model = random_model(settings);
  const std::vector<Position> trip = random_trip(points, 4);
  EXPECT_LT(error_of(embedding_of(Encoder(model), trip), twin_of(model, trip)), tolerance);
}

TEST(Twin, LongTrips) {
  expect_long(BlockKind::modern, 10'000);
  expect_long(BlockKind::vanilla, 1'500);
}

}  // namespace
}  // namespace tsmini
