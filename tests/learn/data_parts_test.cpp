// Which trips are learned from and which choose the weights.
#include "learn/data_parts.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/datasets.h"
#include "support/error_expectation.h"

namespace tsmini::learn {
namespace {

Dataset marked(std::size_t train, std::size_t validation) {
  std::vector<OwnedTrajectory> trips;
  std::vector<Part> parts(train, Part::train);
  parts.insert(parts.end(), validation, Part::validation);
  for (std::size_t i = 0; i < parts.size(); ++i)
    trips.push_back({std::to_string(i), {{0.001 * static_cast<double>(i), 1}, {1, 2}}, {}});
  return built(trips, parts);
}

TEST(DataParts, ValidationIsASeededSampleOfMany) {
  const Dataset data = marked(50, 2600);
  const DataParts one = parts_of(data, 1), same = parts_of(data, 1), other = parts_of(data, 2);
  ASSERT_EQ(one.validation.size(), most_for_validation);
  EXPECT_EQ(one.for_validation, 2600u);
  EXPECT_TRUE(std::is_sorted(one.validation.begin(), one.validation.end()));
  EXPECT_EQ(std::adjacent_find(one.validation.begin(), one.validation.end()), one.validation.end());
  for (const std::size_t index : one.validation) EXPECT_EQ(data.part(index), Part::validation);
  EXPECT_EQ(one.validation, same.validation);
  EXPECT_NE(one.validation, other.validation);
  EXPECT_EQ(one.train.size(), 50u);
}

TEST(DataParts, FewAreAllTaken) {
  const DataParts parts = parts_of(marked(50, 2000), 1);
  EXPECT_EQ(parts.validation.size(), 2000u);
  EXPECT_EQ(parts.for_validation, 2000u);
}

// A hint that is followed leads on, to a run or to another hint, never back.
TEST(DataParts, TooFewForABatch) {
  Recipe recipe;
  const auto refuse = [&](std::size_t train, const std::string& message, const std::string& hint) {
    const Dataset data = marked(train, 10);
    expect_error(ErrorCode::bad_input, message, hint,
                 [&] { check_parts(data, parts_of(data, 1), recipe); });
  };
  recipe.batch = 128;
  refuse(100, "100 training trajectories do not fill a batch of 128", "more data, or `batch=100`$");
  refuse(8, "8 training .* batch of 128", "`batch=8` and `loss.k=4`$");
  refuse(3, "3 training trajectories are too few to learn from", "use more data: 4 at least");
  recipe.batch = 8;
  recipe.loss.k = 4;
  const Dataset data = marked(8, 10);
  check_parts(data, parts_of(data, 1), recipe);
  check_recipe(recipe);
}

}  // namespace
}  // namespace tsmini::learn
