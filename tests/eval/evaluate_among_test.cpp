#include "tsmini/evaluate_among.h"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/error.h"
#include "tsmini/evaluate.h"

#include "encode/random_model.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

class EvaluateAmong : public testing::Test {
 protected:
  static Dataset trips(std::size_t count, std::uint64_t seed = 1) {
    std::vector<std::size_t> lengths;
    for (std::size_t i = 0; i < count; ++i) lengths.push_back(5 + i * 13 % 30);
    return random_trips(lengths, seed);
  }

  static Model tiny() {
    NetSettings settings;
    settings.dimension = 32;
    settings.hidden = 32;
    return random_model(settings);
  }

  static std::vector<std::size_t> first(std::size_t count) {
    std::vector<std::size_t> indices(count);
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    return indices;
  }

  Model model_ = tiny();
};

// Every trip against all others is what evaluate() does, by all distances.
TEST_F(EvaluateAmong, IsTheOrdinaryOneWhereTheBaseIsTheSame) {
  const Dataset data = trips(300);
  const Evaluation all = evaluate(model_, data, first(300));
  const AmongEvaluation among = evaluate_among(model_, data, first(300), data);
  EXPECT_EQ(among.queries, 300u);
  EXPECT_EQ(among.base, 300u);
  // Single precision there and double here may put two nearly equal ones in another order.
  EXPECT_NEAR(among.recall.at(1, 1), all.score.hr1, 0.005);
  EXPECT_NEAR(among.recall.at(10, 10), all.score.hr10, 0.002);
  EXPECT_NEAR(among.recall.at(50, 50), all.score.hr50, 0.002);
  EXPECT_NEAR(among.recall.at(10, 50), all.score.r10at50, 0.002);
  EXPECT_NEAR(among.relative_error, all.near_relative_error, 0.001);
  EXPECT_FALSE(among.judgement.has_value());
  EXPECT_FALSE(among.judged_relative_error.has_value());
}

TEST_F(EvaluateAmong, ALargerBaseIsHarderAndIsJudged) {
  const Dataset queries = trips(100, 100'000), some = trips(300), many = trips(3000);
  model_.calibration = {2000, 1};  // far too much
  const AmongEvaluation among_some = evaluate_among(model_, queries, first(100), some);
  std::uint64_t told = 0;
  const AmongEvaluation among_many = evaluate_among(
      model_, queries, first(100), many, [&](const ProgressState& state) { told = state.done; });
  EXPECT_EQ(told, 100u);
  EXPECT_LT(among_many.recall.at(10, 10), among_some.recall.at(10, 10));
  ASSERT_TRUE(among_many.judgement.has_value());
  EXPECT_EQ(among_many.judgement->trips, 3000u);
  ASSERT_TRUE(among_many.judged_relative_error.has_value());
  EXPECT_LT(*among_many.judged_relative_error, 0.6);
  EXPECT_GT(among_many.relative_error, 2 * *among_many.judged_relative_error);
}

TEST_F(EvaluateAmong, SaysWhatTheModelCannotTake) {
  const Dataset queries = trips(20), base = trips(300, 100'000);
  const double width = model_.frame.high.x - model_.frame.low.x;
  model_.frame.low.x += width / 4;
  const AmongEvaluation some = evaluate_among(model_, queries, first(20), base);
  EXPECT_GT(some.unfit, 0u);
  EXPECT_LT(some.unfit, 300u);
  model_.frame.low.x += 100 * width;
  model_.frame.high.x += 100 * width;
  expect_error(ErrorCode::bad_input, "can take none of the 300 trips", "own region",
               [&] { evaluate_among(model_, queries, first(20), base); });
}

TEST_F(EvaluateAmong, RefusesAnEmptyBaseAndCanBeStopped) {
  const Dataset queries = trips(20);
  expect_error(ErrorCode::bad_input, "no trips to search among", "",
               [&] { evaluate_among(model_, queries, first(20), Dataset()); });
  expect_error(ErrorCode::interrupted, "enough", "", [&] {
    evaluate_among(model_, queries, first(20), queries, [](const ProgressState& state) {
      if (state.done == 7) throw Error(ErrorCode::interrupted, "enough");
    });
  });
}

}  // namespace
}  // namespace tsmini
