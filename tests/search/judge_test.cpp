// Models against the truth: one made by hand, whose ranks are known, and one that promises.
#include "search/judge.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/error.h"
#include "tsmini/memory_trips.h"

#include "encode/random_model.h"
#include "search/memory_source.h"
#include "support/datasets.h"
#include "support/error_expectation.h"

namespace tsmini {
namespace {

Model tiny_model() {
  NetSettings settings;
  settings.dimension = 32;
  settings.hidden = 32;
  Model model = random_model(settings);
  model.measure = Measure::frechet;
  return model;
}

// Trip i lies i metres above trip 0.
Dataset ladder(std::size_t count) {
  DatasetBuilder builder(Coordinates::planar);
  for (std::size_t i = 0; i < count; ++i) {
    const auto y = 100 + static_cast<double>(i);
    const std::vector<Position> points{{100, y}, {200, y}};
    builder.add({"t" + std::to_string(i), points, {}});
  }
  return builder.finish();
}

// Says that the nearest are those of a list, whatever is asked for; the distance is the place.
class ListedTrips final : public EmbeddedTrips {
 public:
  ListedTrips(std::vector<std::int64_t> rows, std::vector<std::int64_t> unfit)
      : rows_(std::move(rows)), unfit_(std::move(unfit)) {}

  const std::string& name() const override { return name_; }
  const Model& model() const override { return model_; }
  const Encoder& encoder() const override { return encoder_; }
  bool is_complete() const override { return true; }
  std::size_t size() const override { return rows_.size(); }
  const Judgement* judgement() const override { return nullptr; }
  std::span<const std::int64_t> unfit() const override { return unfit_; }
  std::vector<RowDistance> nearest(std::span<const float>, std::size_t k,
                                   const RowPredicate&) const override {
    std::vector<RowDistance> found;
    for (std::size_t i = 0; i < std::min(k, rows_.size()); ++i) {
      found.push_back({rows_[i], static_cast<double>(i + 1)});
    }
    return found;
  }

 private:
  Model model_ = tiny_model();
  Encoder encoder_{model_};
  std::string name_ = "listed";
  std::vector<std::int64_t> rows_, unfit_;
};

TEST(Judge, CountsWhatIsFoundAtWhichPlace) {
  const Dataset data = ladder(100);
  const auto trips = memory_source(data, Space());
  // To trip 0: the true first comes third, the second has no embedding, those behind come in order
  // but for the tenth, which comes as the 16th.
  std::vector<std::int64_t> rows{3, 0, 4, 1};
  for (std::int64_t row = 5; row < 100; ++row) {
    if (row == 17) rows.push_back(10);
    if (row != 10) rows.push_back(row);
  }
  const ListedTrips model(rows, {2});
  Judge judge(*trips, model, {});
  EXPECT_TRUE(judge.add(data[0].points, 0));
  EXPECT_EQ(judge.queries(), 1u);
  const RecallCurve curve = judge.recall();
  EXPECT_EQ(curve.shares()[0][0], 0) << "1 of 1";
  EXPECT_EQ(curve.shares()[0][1], 0) << "2 of 1";
  EXPECT_EQ(curve.shares()[0][2], 1) << "5 of 1";
  EXPECT_DOUBLE_EQ(curve.shares()[1][0], 0.2) << "rows 2 and 3";
  EXPECT_DOUBLE_EQ(curve.shares()[1][2], 0.6) << "rows 1 to 6";
  EXPECT_DOUBLE_EQ(curve.shares()[1][3], 0.9) << "rows 1 to 9";
  EXPECT_DOUBLE_EQ(curve.shares()[1][4], 1) << "15 of 10";
  EXPECT_DOUBLE_EQ(curve.shares()[2][7], 1) << "50 of 50";
  EXPECT_LT(curve.shares()[2][6], 1) << "30 of 50";
  // What `fast` would answer: row 3 with place 1, row 4 with place 3.
  ASSERT_EQ(judge.ten_nearest().size(), 10u);
  EXPECT_EQ(judge.ten_nearest()[0], (DistancePair{1, 3}));
  EXPECT_EQ(judge.ten_nearest()[1], (DistancePair{3, 4}));
  // A query that is no trip finds trip 0 as well.
  EXPECT_TRUE(judge.add(data[0].points));
  EXPECT_EQ(judge.queries(), 2u);
  EXPECT_EQ(judge.recall().shares()[0][1], 0.5);
  EXPECT_EQ(judge.ten_nearest().size(), 20u);
}

TEST(Judge, LeavesOutWhatTheModelCannotTake) {
  const Dataset data = ladder(5);
  const auto trips = memory_source(data, Space());
  const ListedTrips model({0, 1, 2, 3, 4}, {});
  Judge judge(*trips, model, {});
  const std::vector<Position> far{{100, 100}, {90'000, 100}};
  EXPECT_FALSE(judge.add(far));
  EXPECT_EQ(judge.queries(), 0u);
  EXPECT_EQ(judge.recall(), RecallCurve());
  EXPECT_TRUE(judge.distances().empty());
}

TEST(Judge, StopsWhenTimeIsUpOrItIsTold) {
  const Dataset data = ladder(300);
  const auto trips = memory_source(data, Space());
  std::vector<std::int64_t> rows(300);
  std::iota(rows.begin(), rows.end(), 0);
  const ListedTrips model(rows, {});
  // So few say nothing.
  EXPECT_EQ(judge_model(*trips, model, 300, rows, std::chrono::seconds(0), {}), std::nullopt);
  std::uint64_t told = 0;
  const auto all =
      judge_model(*trips, model, 300, rows, std::chrono::hours(1), [&](const ProgressState& state) {
        EXPECT_EQ(state.total, 300u);
        told = state.done;
      });
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->samples, 300u);
  EXPECT_EQ(all->trips, 300u);
  EXPECT_EQ(told, 300u);
  EXPECT_EQ(judge_model(*trips, model, 300, {}, std::chrono::hours(1), {}), std::nullopt);
  EXPECT_THROW(judge_model(*trips, model, 300, rows, std::chrono::hours(1),
                           [](const ProgressState& state) {
                             if (state.done == 5) throw Error(ErrorCode::interrupted, "enough");
                           }),
               Error);
}

class Promises : public testing::Test {
 protected:
  static Dataset trips_of(std::size_t count, std::uint64_t seed) {
    std::vector<std::size_t> lengths;
    for (std::size_t i = 0; i < count; ++i) lengths.push_back(5 + i * 13 % 30);
    return random_trips(lengths, seed);
  }

  Promises() { trips_.add_model(model_); }

  SearchResult search(std::size_t query, SearchMode mode, double recall = 0.99,
                      std::size_t candidates = 0) const {
    SearchRequest request{.k = 10, .mode = mode, .recall = recall};
    request.candidates = candidates;
    return trips_.search(queries_[query].points, request);
  }

  static std::size_t shared(const SearchResult& a, const SearchResult& b) {
    std::set<std::string> ids;
    for (const Answer& answer : a.answers) ids.insert(answer.trip.id);
    return static_cast<std::size_t>(
        std::count_if(b.answers.begin(), b.answers.end(),
                      [&](const Answer& answer) { return ids.contains(answer.trip.id); }));
  }

  Model model_ = tiny_model();
  MemoryTrips trips_{trips_of(2500, 1)};
  Dataset queries_ = trips_of(200, 100'000);  // none of these is among the trips
};

// The recall of 200 other queries is not more than .03 below what is asked for, and within .06 of
// what the 200 of the sample say: a query's recall deviates by about .25, so the two means by .025.
TEST_F(Promises, AreKept) {
  for (const double asked : {0.5, 0.8, 0.95}) {
    double found = 0, expected = 0;
    std::size_t candidates = 0;
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      const SearchResult result = search(q, SearchMode::rerank, asked);
      found += static_cast<double>(shared(result, search(q, SearchMode::exact))) / 10;
      ASSERT_TRUE(result.expected_recall.has_value());
      expected = *result.expected_recall;
      candidates = result.candidates;
      EXPECT_EQ(result.work.pairs, candidates);
    }
    found /= static_cast<double>(queries_.size());
    EXPECT_LT(candidates, 2500u) << "so that there is something to miss";
    EXPECT_GE(expected, asked);
    EXPECT_GE(found, asked - 0.03) << candidates;
    EXPECT_NEAR(found, expected, 0.06) << candidates;
  }
}

TEST_F(Promises, SayWhatToExpectOfANumberOfCandidatesAndOfFast) {
  const SearchResult few = search(0, SearchMode::rerank, 0.99, 20);
  const SearchResult fast = search(0, SearchMode::fast);
  EXPECT_EQ(few.candidates, 20u);
  EXPECT_EQ(fast.candidates, 0u);
  ASSERT_TRUE(few.expected_recall && fast.expected_recall);
  EXPECT_LT(*fast.expected_recall, *few.expected_recall);
  EXPECT_EQ(search(0, SearchMode::rerank, 0.1, 2500).expected_recall, 1);
  EXPECT_EQ(search(0, SearchMode::exact).expected_recall, std::nullopt);
  for (const double recall : {0.0, -1.0, 1.01, std::nan("")}) {
    expect_error(ErrorCode::usage, "cannot be promised", "above 0 and at most 1",
                 [&] { search(0, SearchMode::rerank, recall); });
  }
}

// The sample knows nothing of a filter; where few trips pass one, all of them are measured.
TEST_F(Promises, AreNotMadeForFilters) {
  SearchRequest request{.k = 10, .mode = SearchMode::rerank, .recall = 0.5};
  const auto expected = [&] { return trips_.search(queries_[0].points, request).expected_recall; };
  request.filter.excluded = {"trip 1"};
  EXPECT_TRUE(expected().has_value());
  request.filter.box = Box{-1e6, -1e6, 1e6, 1e6};
  EXPECT_FALSE(expected().has_value());
  request.filter.ids = std::vector<std::string>{"trip 1", "trip 2", "trip 3"};
  EXPECT_EQ(expected(), 1);
  EXPECT_EQ(trips_.search(queries_[0].points, request).answers.size(), 2u);
}

// The distances that `fast` shows of ten answers, by trips that were not in the sample.
TEST_F(Promises, DistancesOfFastAreCalibratedByTheTrips) {
  std::vector<double> errors;
  for (std::size_t q = 0; q < queries_.size(); ++q) {
    const SearchResult fast = search(q, SearchMode::fast);
    const SearchResult truth = search(q, SearchMode::rerank, 0.99, 10);
    ASSERT_EQ(shared(fast, truth), 10u);
    for (std::size_t i = 0; i < 10; ++i) {
      if (i > 0) {
        EXPECT_GE(fast.answers[i].distance, fast.answers[i - 1].distance);
      }
      const auto same =
          std::find_if(truth.answers.begin(), truth.answers.end(),
                       [&](const Answer& a) { return a.trip.id == fast.answers[i].trip.id; });
      errors.push_back(fast.answers[i].distance / same->distance - 1);
    }
  }
  std::sort(errors.begin(), errors.end());
  EXPECT_NEAR(errors[errors.size() / 2], 0, 0.1) << "neither too small nor too large by the median";
}

}  // namespace
}  // namespace tsmini
