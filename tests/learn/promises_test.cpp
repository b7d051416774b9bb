// What embeddings and training may depend on, and what not.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <new>
#include <numeric>
#include <string>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tsmini/train.h"

#include "encode/random_model.h"
#include "learn/checkpoint.h"
#include "learn/small_run.h"
#include "learn/threads.h"
#include "learn/workshop.h"
#include "support/error_expectation.h"
#include "support/files.h"
#include "support/sanitized.h"

namespace tsmini {
namespace {

// A share of the embeddings' norm, for where only the grouping of a product's terms may differ.
constexpr double rounding = 1e-6;

std::vector<NetSettings> kinds_of_nets() {
  std::vector<NetSettings> all(4);
  all[1].unit_norm = false;
  all[1].pooling = {Pool::mean, Pool::max, Pool::sum, Pool::first, Pool::last};
  all[2].block = BlockKind::vanilla;
  all[3].sub_views = false;
  return all;
}

// How far two sets of embeddings are apart, as a share of the second one's length.
double difference(std::span<const float> a, std::span<const float> b) {
  double squares = 0, length = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    squares += std::pow(double{a[i]} - double{b[i]}, 2);
    length += std::pow(double{b[i]}, 2);
  }
  return std::sqrt(squares / length);
}

// Embeddings of some trips, in one batch.
std::vector<float> embedded(Workshop& workshop, const std::vector<int>& ids) {
  workshop.arena().clear();
  learn::Tape<float> tape(workshop.arena(), learn::Tape<float>::Purpose::embedding);
  const learn::Points<float> points = workshop.store().batch(ids, workshop.arena());
  const auto rows = workshop.net().embed(tape, points.rows, points.packing);
  return {rows.data, rows.data + rows.size()};
}

TEST(Promises, AnEmbeddingDependsOnItsTrajectoryAlone) {
  for (const NetSettings& settings : kinds_of_nets()) {
    WorkshopSettings with;
    with.net = settings;
    Workshop workshop(with);
    workshop.train(3);  // running statistics away from 0 and 1
    std::vector<int> all(workshop.store().size());
    std::iota(all.begin(), all.end(), 0);
    const std::vector<float> together = embedded(workshop, all);
    EXPECT_EQ(workshop.embeddings(), together);
    const std::vector<float> turned = embedded(workshop, {all.rbegin(), all.rend()});
    const std::size_t dimension = settings.dimension;
    for (std::size_t id = 0; id < all.size(); ++id) {
      const std::vector<float> alone = embedded(workshop, {static_cast<int>(id)});
      const auto row = [&](const std::vector<float>& rows, std::size_t i) {
        return std::vector<float>(rows.begin() + static_cast<std::ptrdiff_t>(i * dimension),
                                  rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * dimension));
      };
      EXPECT_EQ(row(together, id), alone) << id;
      EXPECT_EQ(row(turned, all.size() - 1 - id), alone) << id;
    }
  }
}

// To the last bit, whatever the kind of network; with more rows than one part of a sum has.
TEST(Promises, NothingDependsOnThreads) {
  for (const NetSettings& settings : kinds_of_nets()) {
    WorkshopSettings with;
    with.net = settings;
    with.batch = 40;
    with.labels = LabelKind::batch;
    for (std::size_t i = 0; i < 60; ++i) with.lengths.push_back(20 + i * 17 % 47);
    std::vector<std::vector<double>> losses;
    std::vector<std::vector<float>> weights, embeddings;
    for (const int threads : {1, 2, 3, 5}) {
      with_threads(threads, [&] {
        Workshop workshop(with);
        losses.push_back(workshop.train(5));
        weights.push_back(workshop.weights());
        embeddings.push_back(workshop.embeddings());
      });
      EXPECT_EQ(losses.back(), losses.front());
      EXPECT_EQ(weights.back(), weights.front());
      EXPECT_EQ(embeddings.back(), embeddings.front());
    }
  }
}

// A whole run: trips that are composed, true distances, judgements, the fit of distances, the file.
TEST(Promises, AModelDependsOnNoNumberOfThreads) {
  const TemporaryFolder folder;
  std::vector<std::string> files;
  for (const std::size_t threads : {1U, 2U, 3U, 5U}) {
    with_threads(5, [&] {
      TrainOptions options = small_request(20);
      options.threads = threads;
      train(small_city(), options).save(folder / "m.safetensors");
    });
    files.push_back(read_file(folder / "m.safetensors"));
    EXPECT_TRUE(files.back() == files.front()) << threads << " threads";
  }
}

TEST(Promises, ARunLeavesTheProcessAsItWas) {
  const auto environment = [] {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
    return all;
  };
  const auto handlers = [] {
    std::vector<void (*)(int)> all;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGBUS, SIGSEGV, SIGFPE}) {
      struct sigaction action {};
      EXPECT_EQ(sigaction(signal, nullptr, &action), 0);
      all.push_back(action.sa_handler);
    }
    return all;
  };
  const auto variables = environment();
  const auto actions = handlers();
  const auto allowed =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  TrainOptions options = small_request(4);
  options.threads = 3;
  train(small_city(), options);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(environment(), variables);
  EXPECT_EQ(handlers(), actions);
  EXPECT_EQ(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism),
            allowed);
}

TEST(Promises, ASeedGivesAModel) {
  WorkshopSettings with;
  std::vector<std::vector<float>> weights, averages;
  for (const std::uint64_t seed : {1U, 1U, 2U}) {
    with.seed = seed;
    Workshop workshop(with);
    workshop.train(20);
    weights.push_back(workshop.weights());
    const auto average = workshop.optimiser().average_weights();
    averages.emplace_back(average.begin(), average.end());
  }
  EXPECT_EQ(weights[0], weights[1]);
  EXPECT_EQ(averages[0], averages[1]);
  EXPECT_NE(weights[0], weights[2]);
  EXPECT_NE(weights[0], averages[0]);
}

TEST(Promises, LabelsOfBatchesAreThoseOfTheMatrix) {
  for (const Measure measure : {Measure::frechet, Measure::dtw}) {
    WorkshopSettings with;
    with.measure = measure;
    std::vector<std::vector<double>> losses;
    for (const auto kind : {LabelKind::matrix, LabelKind::batch}) {
      with.labels = kind;
      losses.push_back(Workshop(with).train(20));
    }
    EXPECT_EQ(losses[0], losses[1]);
    EXPECT_LT(losses[0].back(), losses[0].front());
  }
}

TEST(Promises, LongTrajectories) {
  WorkshopSettings with;
  with.batch = 4;
  with.lengths = {2000, 1, 20, 1500, 30};
  Workshop workshop(with);
  const std::vector<double> losses = workshop.train(2);
  for (const double loss : losses) EXPECT_TRUE(std::isfinite(loss));
  const std::vector<float> alone = embedded(workshop, {0}), some = embedded(workshop, {2, 0, 1});
  double squares = 0;
  for (const float value : alone) squares += double{value} * double{value};
  EXPECT_NEAR(squares, 1, 1e-5);
  EXPECT_LT(difference(std::span(some).subspan(alone.size(), alone.size()), alone), rounding);
}

TEST(Promises, TensorsOfAModelGiveItsEmbeddingsBack) {
  WorkshopSettings with;
  Workshop workshop(with);
  workshop.train(2);
  const learn::Parameters<float>& trained = workshop.net().parameters();
  learn::Net<float> other(with.net, workshop.trips().frame, {}, 99, workshop.store().longest());
  other.parameters().from_tensors(trained.to_tensors(trained.weights(), trained.buffers()));
  EXPECT_EQ(learn::embed_all(other, workshop.store(), workshop.arena()), workshop.embeddings());
}

TEST(Promises, ATableOfCellsGrowsWithTripsAndNotWithLand) {
  const SmallBatch trips = small_batch(5, {40, 60});
  const Dataset data = trips.dataset();
  const std::vector<std::size_t> both{0, 1};
  NetSettings settings;
  settings.sub_views = false;
  FeatureFrame land = trips.frame;
  land.high = {land.low.x + 1e6, land.low.y + 1e6};  // 100 million cells
  const learn::FeatureStore store(data, both, land, settings);
  const std::vector<std::int64_t> cells = store.cells(CellGrid(settings, land));
  EXPECT_GT(cells.size(), 10U);
  EXPECT_LE(cells.size(), 100U);
  EXPECT_TRUE(std::is_sorted(cells.begin(), cells.end()));
  const learn::Net<float> net(settings, land, cells, 1, store.longest());
  EXPECT_LT(net.parameters().weights().size(), 1'000'000U);
}

// Judged at its end alone, with no trips but those given.
TrainOptions short_run() {
  TrainOptions options = small_request(3);
  options.recipe.validations = 1;
  options.recipe.augment_to = 0;
  return options;
}

// Trips to learn from and to choose weights by, and one for tests that ends at x = y = `far`.
Dataset marked_trips(double far = 2000) {
  const Dataset trips = random_trips(std::vector<std::size_t>(40, 9));
  DatasetBuilder builder(Coordinates::planar);
  for (std::size_t i = 0; i < trips.size(); ++i)
    builder.add(trips[i], i < 30 ? Part::train : Part::validation);
  const std::vector<Position> points{{1000, 1000}, {far, far}};
  builder.add({"far", points, {}}, Part::test);
  return builder.finish();
}

// Throws this as soon as a step is made, or when there is something to tell.
template <typename Exception>
TrainObserver throwing(const Exception& exception) {
  TrainObserver observer;
  observer.pause = 0;
  observer.event = [exception](const TrainEvent& event) {
    if (event.step > 0) throw exception;
  };
  return observer;
}

TEST(Promises, ProvenanceIsKeptBesideWhatTrainingAdds) {
  for (const std::string recipe : {R"("mine")", "7", "[1, 2]", R"({"steps": 7})"}) {
    TrainOptions options = short_run();
    options.provenance = R"({"owner": "me", "recipe": )" + recipe + "}";
    const auto kept = nlohmann::json::parse(train(marked_trips(), options).provenance);
    EXPECT_EQ(kept["owner"], "me");
    EXPECT_EQ(kept["recipe"]["steps"], "3") << recipe;
  }
}

TEST(Promises, ARunGoesOnInTheFrameItBeganIn) {
  const TemporaryFolder folder;
  TrainOptions options = short_run();
  options.checkpoint = folder / "c";
  EXPECT_THROW(train(marked_trips(), options, throwing(1)), int);
  options.resume = true;
  expect_error(ErrorCode::usage, "feature frame was .*2500.* and is now .*9500", "`resume`",
               [&] { train(marked_trips(9000), options); });
  EXPECT_NO_THROW(train(marked_trips(), options));
}

TEST(Promises, ATripThatHasNoDistanceIsNamedBeforeAnythingIsDone) {
  const auto with_short_one = [](std::size_t points) {
    const Dataset trips = random_trips(std::vector<std::size_t>(40, 9));
    DatasetBuilder builder(Coordinates::planar);
    for (std::size_t i = 0; i < trips.size(); ++i) builder.add(trips[i], Part::train);
    const std::vector<Position> place(points, Position{1000, 1000});
    builder.add({"short", place, {}}, Part::train);
    for (std::size_t i = 0; i < 5; ++i) builder.add(trips[i], Part::validation);
    return builder.finish();
  };
  TrainObserver silent;
  silent.preparing = [](TrainStage, const ProgressState&) { FAIL() << "it was begun"; };
  TrainOptions options = short_run();
  options.recipe.rough = 1;
  for (const bool sub_views : {true, false}) {
    options.recipe.net.sub_views = sub_views;
    expect_error(ErrorCode::bad_input, "trip 'short' has no points", "`min_points=2`",
                 [&] { train(with_short_one(0), options, silent); });
  }
  options.measure = Measure::edwp;
  expect_error(ErrorCode::bad_input, "trip 'short' has one point, the measure 'edwp' needs two",
               "`min_points=2`", [&] { train(with_short_one(1), options, silent); });
  EXPECT_NO_THROW(train(with_short_one(2), options));
}

TEST(Promises, ARunThatStartsOverReplacesOnlyCheckpoints) {
  const TemporaryFolder folder;
  TrainOptions options = short_run();
  options.checkpoint = folder / "c";
  write_file(folder / "c", "of another program");
  expect_error(ErrorCode::usage, "c is there, and is no checkpoint", "remove it",
               [&] { train(marked_trips(), options); });
  EXPECT_EQ(read_file(folder / "c"), "of another program");
  options.checkpoint = folder.path();
  expect_error(ErrorCode::failure, "directory", "name a file in it",
               [&] { train(marked_trips(), options); });
  options.checkpoint = folder / "c";
  write_file(folder / "c", "");
  train(marked_trips(), options);
  EXPECT_NO_THROW(train(marked_trips(), options)) << "over a checkpoint";
}

TEST(Promises, WhatAnObserverThrowsIsLetThrough) {
  const Dataset data = marked_trips();
  const TrainOptions options = short_run();
  EXPECT_THROW(train(data, options, throwing(std::bad_alloc())), std::bad_alloc);
  const std::system_error busy(EAGAIN, std::generic_category());
  EXPECT_THROW(train(data, options, throwing(busy)), std::system_error);
  for (const ErrorCode code : {ErrorCode::failure, ErrorCode::interrupted}) {
    const Error error(code, "enough", "rest");
    expect_error(code, "^enough$", "^rest$", [&] { train(data, options, throwing(error)); });
    TrainObserver early;
    early.preparing = [&](TrainStage, const ProgressState&) { throw error; };
    expect_error(code, "^enough$", "^rest$", [&] { train(data, options, early); });
  }
}

// Such a rate spoils the weights before they are judged.
TEST(Promises, AFailedRunLeavesNoModelThatNobodyJudged) {
  TrainOptions options = short_run();
  options.recipe.steps = 400;
  options.recipe.rate = 1e30;
  TrainObserver observer;
  observer.stopped = [](const Model&) { ADD_FAILURE(); };
  expect_error(ErrorCode::failure, "went astray", "lower the learning rate",
               [&] { train(marked_trips(), options, observer); });
}

TEST(Promises, ACheckpointThatCannotBeLookedAtIsAnError) {
  const TemporaryFolder folder;
  TrainOptions options = short_run();
  options.checkpoint = folder / std::string(300, 'x');
  options.resume = true;
  expect_error(ErrorCode::bad_input, "File name too long", "choose a shorter name",
               [&] { train(marked_trips(), options); });
}

TEST(Promises, ACheckpointThatCannotBeWrittenIsToldBeforeAnythingIsDone) {
  const TemporaryFolder folder;
  TrainObserver silent;
  silent.preparing = [](TrainStage, const ProgressState&) { FAIL() << "it was begun"; };
  TrainOptions options = short_run();
  options.checkpoint = folder / "none/c";
  for (const bool resume : {false, true}) {
    options.resume = resume;
    expect_error(ErrorCode::failure, "none/c: cannot write", "create the folder",
                 [&] { train(marked_trips(), options, silent); });
  }
}

TEST(Promises, ACheckpointOfNoRequestIsRefused) {
  const TemporaryFolder folder;
  learn::Checkpoint checkpoint;
  checkpoint.request = {1, 2};
  checkpoint.save(folder / "c");
  TrainOptions options = short_run();
  options.checkpoint = folder / "c";
  options.resume = true;
  expect_error(ErrorCode::bad_input, "c: has a request that is no object", "start over",
               [&] { train(marked_trips(), options); });
}

// Stopped within the first step that something is told in: twice since the one before.
TEST(Promises, AnAbandonedStepLeavesAllAsItWas) {
  std::vector<std::size_t> lengths(20, 9);
  std::fill_n(lengths.begin(), 4, sanitized ? 200 : 500);
  const Dataset trips = random_trips(lengths);
  DatasetBuilder builder(Coordinates::planar);
  for (std::size_t i = 0; i < trips.size(); ++i)
    builder.add(trips[i], i < 4 ? Part::train : Part::validation);
  const Dataset data = builder.finish();
  TrainOptions options = short_run();
  options.recipe.batch = 4;
  options.recipe.loss.k = 2;
  options.recipe.steps = 15;
  options.labels = LabelKind::matrix;  // so that nothing is waited for
  options.threads = 2;
  const TemporaryFolder folder;
  train(data, options).save(folder / "whole");

  options.checkpoint = folder / "c";
  std::uint64_t last = 0, from = 0;
  const TrainObserver stops = watching([&](const TrainEvent& event) {
    if (event.step > 0 && event.step == last) throw Enough{};
    last = event.step;
  });
  EXPECT_THROW(train(data, options, stops), Enough);
  options.resume = true;
  TrainObserver tells;
  tells.ready = [&](const TrainFacts& facts) { from = facts.step; };
  train(data, options, tells).save(folder / "resumed");
  EXPECT_TRUE(read_file(folder / "resumed") == read_file(folder / "whole"));
  EXPECT_EQ(from, last);
}

TEST(Promises, AnErrorSaysWhichOptionItIsAbout) {
  const auto field = [](TrainOptions options) {
    try {
      train(marked_trips(), options);
    } catch (const Error& error) {
      return std::string(error.field());
    }
    return std::string("none");
  };
  TrainOptions options = short_run();
  options.time_budget = -1;
  EXPECT_EQ(field(options), "time_budget");
  options = short_run();
  options.rebox = true;
  EXPECT_EQ(field(options), "rebox");
  options = short_run();
  options.threads = 5000;
  EXPECT_EQ(field(options), "threads");
  const TemporaryFolder folder;
  options = short_run();
  options.checkpoint = folder / "c";
  write_file(folder / "c", "of another program");
  EXPECT_EQ(field(options), "checkpoint");
}

TEST(Promises, NumbersBeyondAllUseAreRefused) {
  TrainOptions many_judgements = short_run(), many_threads = short_run();
  many_judgements.recipe.validations = std::numeric_limits<std::uint64_t>::max();
  many_threads.threads = std::numeric_limits<std::size_t>::max();
  expect_error(ErrorCode::usage, "^validations is", "10000 at most",
               [&] { train(marked_trips(), many_judgements); });
  expect_error(ErrorCode::usage, "threads are too many", "`threads` takes 4096 at most",
               [&] { train(marked_trips(), many_threads); });
}

}  // namespace
}  // namespace tsmini
