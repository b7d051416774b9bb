// Training as a whole: stopped at any moment, resumed, within a budget.
#include <chrono>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/train.h"

#include "encode/random_model.h"
#include "learn/checkpoint.h"
#include "learn/rate_share.h"
#include "learn/small_run.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini::learn {
namespace {

using Json = nlohmann::json;

bool same_weights(const Model& a, const Model& b) {
  for (const auto& [name, tensor] : a.tensors) {
    if (tensor.values != b.tensors.at(name).values) return false;
  }
  return a.calibration.scale == b.calibration.scale && a.provenance == b.provenance;
}

// A run that is stopped when it asks for the n-th time, and what it leaves.
struct Stopped {
  bool stopped = false;
  std::uint64_t step = 0;      // the last it told of
  bool began = false;          // with its steps
  std::optional<Model> model;  // in the end, or rescued
};

Stopped run_until(std::size_t n, const Dataset& data, const TrainOptions& request) {
  Stopped result;
  std::size_t calls = 0;
  const auto count = [&] {
    if (++calls == n) throw Enough();
  };
  TrainObserver observer = watching([&](const TrainEvent& event) {
    if (!event.past) result.step = event.step;
    count();
  });
  observer.preparing = [&](TrainStage, const ProgressState&) { count(); };
  observer.ready = [&](const TrainFacts&) { result.began = true; };
  observer.stopped = [&](const Model& model) { result.model = model; };
  try {
    result.model = train(data, request, observer);
  } catch (const Enough&) {
    result.stopped = true;
  }
  return result;
}

TEST(Training, StoppedAtAnyMomentItLeavesWhatThereIsAndGoesOnToTheSame) {
  const Dataset data = small_city();
  const TrainOptions request = small_request(5);
  const Model whole = train(data, request);
  std::size_t before = 0, unjudged = 0, judged = 0;
  for (std::size_t n = 1;; ++n) {
    const TemporaryFolder folder;
    TrainOptions interrupted = request;
    interrupted.checkpoint = folder / "c";
    const Stopped run = run_until(n, data, interrupted);
    ASSERT_TRUE(run.model || run.stopped);
    if (!run.stopped) {
      EXPECT_TRUE(same_weights(*run.model, whole));
      break;
    }
    EXPECT_EQ(run.model.has_value(), run.step > 0) << n;
    EXPECT_EQ(std::filesystem::exists(folder / "c"), run.step > 0) << n;
    if (run.model) {
      expect_usable(*run.model, data);
      (Json::parse(run.model->provenance).contains("validated") ? unjudged : judged) += 1;
    } else {
      ++before;
    }
    interrupted.resume = true;
    EXPECT_TRUE(same_weights(train(data, interrupted), whole)) << n << ", step " << run.step;
  }
  EXPECT_GT(before, 3u);
  EXPECT_GT(unjudged, 2u);
  EXPECT_GT(judged, 2u);
}

TEST(Training, ABudgetOfStepsIsToldFromTheBeginning) {
  std::size_t told = 0;
  train(small_city(), small_request(49), watching([&](const TrainEvent& event) {
          EXPECT_EQ(event.steps, 49U) << "at step " << event.step;
          ++told;
        }));
  EXPECT_GE(told, 49U);
}

TEST(Training, AModelThatNoValidationHasSeenSaysSo) {
  const Dataset data = small_city();
  TrainOptions request = small_request(1000);
  request.recipe.validations = 1;
  std::optional<Model> rescued;
  TrainObserver observer = watching([](const TrainEvent& event) {
    if (event.step == 4) throw Enough();
  });
  observer.stopped = [&](const Model& model) { rescued = model; };
  EXPECT_THROW(train(data, request, observer), Enough);
  ASSERT_TRUE(rescued);
  const Json provenance = Json::parse(rescued->provenance);
  EXPECT_EQ(provenance["validated"], false);
  EXPECT_EQ(provenance["step"], 4);
  EXPECT_FALSE(provenance.contains("validation_hr10"));
  EXPECT_NE(rescued->calibration.scale, 1) << "it is calibrated all the same";
}

class OtherBudget : public testing::Test {
 protected:
  // Stops after four steps of eight.
  OtherBudget() {
    request_.checkpoint = folder_ / "c";
    EXPECT_THROW(train(data_, request_, watching([](const TrainEvent& event) {
                         if (event.step == 4 && !event.validated) throw Enough();
                       })),
                 Enough);
    request_.resume = true;
  }

  std::vector<TrainEvent> events() {
    std::vector<TrainEvent> events;
    TrainObserver observer = watching([&](const TrainEvent& event) {
      if (!event.past) events.push_back(event);
    });
    observer.ready = [this](const TrainFacts& facts) { facts_ = facts; };
    train(data_, request_, observer);
    return events;
  }

  TemporaryFolder folder_;
  Dataset data_ = small_city();
  TrainOptions request_ = small_request(8);
  TrainFacts facts_;
};

TEST_F(OtherBudget, LongerInSteps) {
  request_.recipe.steps = 16;
  const auto told = events();
  EXPECT_TRUE(facts_.other_budget);
  EXPECT_EQ(facts_.step, 4u);
  EXPECT_EQ(facts_.spent, 0.25);
  EXPECT_EQ(told.back().step, 16u);
  std::vector<std::uint64_t> judged;
  for (const TrainEvent& event : told) {
    if (event.validated) judged.push_back(event.step);
  }
  EXPECT_EQ(judged, (std::vector<std::uint64_t>{8, 16}));
  EXPECT_NEAR(told.front().rate, request_.recipe.rate * rate_share(request_.recipe, 0.25, 4), 1e-8);
}

TEST_F(OtherBudget, ShorterThanWhatIsDone) {
  request_.recipe.steps = 2;
  const auto told = events();
  EXPECT_EQ(told.back().step, 4u);
  EXPECT_EQ(facts_.spent, 1);
}

TEST_F(OtherBudget, InTime) {
  request_.time_budget = 1e6;
  request_.steps_too = true;
  EXPECT_EQ(events().back().step, 8u) << "what ends first";
  EXPECT_TRUE(facts_.other_budget);
}

TEST_F(OtherBudget, TheSame) {
  EXPECT_EQ(events().back().step, 8u);
  EXPECT_FALSE(facts_.other_budget);
}

TEST(Training, ABudgetThatIsUsedUpBeforeTheFirstStepMakesOne) {
  TrainOptions request = small_request(5);
  request.time_budget = 60;
  request.started = std::chrono::steady_clock::now() - std::chrono::hours(1);
  TrainFacts facts;
  TrainEvent last;
  TrainObserver observer = watching([&](const TrainEvent& event) { last = event; });
  observer.ready = [&](const TrainFacts& all) { facts = all; };
  const Model model = train(small_city(), request, observer);
  EXPECT_EQ(facts.spent, 1);
  EXPECT_EQ(last.step, 1u);
  EXPECT_GT(last.rate, 0);
  EXPECT_GT(last.all_seconds, 3600);
  EXPECT_LT(last.seconds, 3600);
  EXPECT_EQ(Json::parse(model.provenance)["step"], 1);
}

TEST(Training, TheModelKnowsHowManyChoseIt) {
  std::vector<Part> parts(40, Part::train);
  parts.resize(2140, Part::validation);
  DatasetBuilder builder(Coordinates::planar);
  const Dataset trips = random_trips(std::vector<std::size_t>(parts.size(), 3));
  for (std::size_t i = 0; i < trips.size(); ++i) builder.add(trips[i], parts[i]);
  const Model model = train(builder.finish(), small_request(1));
  const Json provenance = Json::parse(model.provenance);
  EXPECT_EQ(provenance["validation_trajectories"], 2000);
  EXPECT_EQ(provenance["validation_drawn_from"], 2100);
  EXPECT_EQ(provenance["validation_base"], 2000);
}

TEST(Training, RunsOfSeveralThreadsDoNotSeeEachOther) {
  const Dataset data = small_city();
  std::vector<TrainOptions> requests;
  for (const std::size_t threads : {1U, 2U, 3U}) {
    requests.push_back(small_request(6));
    requests.back().seed = threads;
    requests.back().threads = threads;
  }
  std::vector<Model> alone, together(requests.size());
  for (const TrainOptions& request : requests) alone.push_back(train(data, request));
  std::vector<std::thread> runs;
  for (std::size_t i = 0; i < requests.size(); ++i)
    runs.emplace_back([&, i] { together[i] = train(data, requests[i]); });
  for (std::thread& run : runs) run.join();
  for (std::size_t i = 0; i < requests.size(); ++i)
    EXPECT_TRUE(same_weights(together[i], alone[i])) << i;
}

TEST(Training, NetworksAtTheirLimits) {
  const Dataset data = small_city();
  std::vector<NetSettings> limits(5, small_request(1).recipe.net);
  limits[0].dimension = 2;
  limits[0].metric = {};
  limits[1].dimension = 90;
  limits[1].metric = {};
  limits[2].heads = limits[2].key_heads = 64;
  limits[3].hidden = 1;
  limits[3].block = BlockKind::vanilla;
  limits[4].sub_views = false;
  limits[4].cell_metres = 1e6;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    SCOPED_TRACE(i);
    TrainOptions request = small_request(2);
    request.recipe.net = limits[i];
    expect_usable(train(data, request), data);
  }
}

TEST(Training, TripsOfOnePoint) {
  expect_usable(train(random_trips(std::vector<std::size_t>(60, 1)), small_request(3)),
                small_city());
}

// Such a rate spoils the weights at once: the first validation finds it out, or else the second
// step. What an earlier run has left stays as it was.
TEST(Training, WhatWentAstrayIsNotKept) {
  const Dataset data = small_city();
  const TemporaryFolder folder;
  TrainOptions request = small_request(2);
  request.checkpoint = folder / "c";
  train(data, request);
  const std::string good = read_file(folder / "c");
  EXPECT_EQ(Checkpoint::load(folder / "c").step, 2u);
  request.recipe.rate = 1e30;
  request.recipe.steps = 400;
  for (const std::uint64_t validations : {400U, 1U}) {
    request.recipe.validations = validations;
    expect_error(ErrorCode::failure, "went astray", "lower the learning rate",
                 [&] { train(data, request); });
    EXPECT_TRUE(read_file(folder / "c") == good) << validations;
    EXPECT_EQ(folder.names(), std::vector<std::string>{"c"}) << "nothing lies beside it";
  }
}

TEST(Training, AModelToStartFromMustBeSound) {
  const Dataset data = small_city();
  TrainOptions request = small_request(1);
  request.init = train(data, request);
  const auto refused = [&](const std::string& name, std::size_t at, float value) {
    TrainOptions altered = request;
    altered.init->tensors.at(name).values[at] = value;
    expect_error(ErrorCode::bad_input, "tensor '" + name + "'", "altered",
                 [&] { train(data, altered); });
  };
  refused("head.weight", 3, std::numeric_limits<float>::quiet_NaN());
  refused("sub_views.convolution1.norm.running", 32, -1);
  TrainOptions missing = request;
  missing.init->tensors.erase("head.weight");
  expect_error(ErrorCode::bad_input, "no tensor 'head.weight'", "", [&] { train(data, missing); });
  EXPECT_NO_THROW(train(data, request));
}

}  // namespace
}  // namespace tsmini::learn
