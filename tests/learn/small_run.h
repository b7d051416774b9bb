// Whole trainings so small that one takes some milliseconds on the CPU, and what is asked of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/encoder.h"
#include "tsmini/train.h"

#include "encode/random_model.h"
#include "support/files.h"

namespace tsmini {

// What observers throw.
struct Enough {};

// An observer that is told as often as there is something to tell.
inline TrainObserver watching(std::function<void(const TrainEvent&)> event) {
  TrainObserver observer;
  observer.event = std::move(event);
  observer.pause = 0;
  return observer;
}

// A tiny network.
inline TrainOptions small_request(std::uint64_t steps) {
  TrainOptions request;
  request.recipe = recipe_for("quick", Measure::frechet);
  request.recipe.net.hidden = 16;
  request.recipe.net.dropout = 0.1;
  request.recipe.batch = 8;
  request.recipe.loss.k = 4;
  request.recipe.steps = steps;
  request.recipe.validations = 2;
  request.recipe.warmup = 2;
  request.recipe.augment_to = 70;
  request.space = SpaceKind::planar;
  request.threads = 1;
  return request;
}

// Trips of a few points.
inline Dataset small_city() {
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < 60; ++i) lengths.push_back(5 + i % 9);
  return random_trips(lengths);
}

// As evaluate, embed and index use it.
inline void expect_usable(const Model& model, const Dataset& data) {
  const TemporaryFolder folder;
  model.save(folder / "m.safetensors");
  const Encoder encoder(Model::load(folder / "m.safetensors"));
  std::vector<float> embedding(encoder.dimension());
  encoder.embed(data[0].points, embedding);
  EXPECT_GT(model.calibration.scale, 0);
}

}  // namespace tsmini
