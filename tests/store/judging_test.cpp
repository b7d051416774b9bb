// When a collection judges its models, and what becomes of the judgement.
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/collection.h"
#include "tsmini/error.h"

#include "store/small_collection.h"
#include "store/sqlite.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

class Judging : public testing::Test {
 protected:
  Collection made(std::size_t trips) const {
    Collection collection = Collection::create(folder_ / "c", small_model());
    collection.add(small_trips(trips));
    return collection;
  }

  static std::optional<Judgement> judgement_of(const Collection& collection) {
    return only_model(collection).judgement;
  }

  SearchResult search(const Collection& collection, SearchMode mode) const {
    return collection.search(query_, {.k = 10, .mode = mode, .recall = 0.8});
  }

  TemporaryFolder folder_;
  std::vector<Position> query_ = random_trip(20, 77);
};

TEST_F(Judging, ComesWithTheIndex) {
  Collection collection = made(1200);
  EXPECT_FALSE(judgement_of(collection).has_value());
  const SearchResult before = search(collection, SearchMode::rerank);
  EXPECT_EQ(before.candidates, 50u);
  EXPECT_FALSE(before.expected_recall.has_value());
  const SearchResult fast_before = search(collection, SearchMode::fast);
  collection.make_index();
  const auto judgement = judgement_of(collection);
  ASSERT_TRUE(judgement.has_value());
  EXPECT_EQ(judgement->trips, 1200u);
  EXPECT_GT(judgement->samples, 0u);
  EXPECT_LE(judgement->samples, 200u);
  EXPECT_EQ(judgement->recall.at(50, 1500), 1) << "more than there are";
  EXPECT_FALSE(judgement->distances.empty());
  collection.verify();
  const Collection another = Collection::open(folder_ / "c");
  EXPECT_EQ(judgement_of(another), judgement);
  const SearchResult after = search(another, SearchMode::rerank);
  // As if one sample more had found nothing.
  const auto samples = static_cast<double>(judgement->samples);
  const double caution = samples / (samples + 1);
  EXPECT_EQ(after.candidates, judgement->recall.candidates_for(10, 0.8 / caution));
  EXPECT_EQ(after.expected_recall, caution * judgement->recall.at(10, after.candidates));
  EXPECT_GE(*after.expected_recall, 0.8);
  // The order by embedding is what it was, the distances are not.
  const SearchResult fast = search(another, SearchMode::fast);
  EXPECT_EQ(fast.expected_recall, caution * judgement->recall.at(10, 10));
  EXPECT_EQ(ids_of(fast), ids_of(fast_before));
  EXPECT_NE(fast.answers[0].distance, fast_before.answers[0].distance);
}

TEST_F(Judging, OfFewTripsIsNotNeeded) {
  Collection collection = made(1000);
  collection.make_index();
  EXPECT_FALSE(judgement_of(collection).has_value());
  const SearchResult result = search(collection, SearchMode::rerank);
  EXPECT_EQ(result.expected_recall, 1);
  EXPECT_EQ(result.candidates, 1000u);
  EXPECT_EQ(ids_of(result), ids_of(search(collection, SearchMode::exact)));
}

TEST_F(Judging, IsDoneAgainAfterGrowthAndCompaction) {
  Collection collection = made(1200);
  collection.make_index();
  const auto first = judgement_of(collection);
  ASSERT_TRUE(first.has_value());
  collection.add(small_trips(599, "u", 2));
  collection.make_index();
  EXPECT_EQ(judgement_of(collection), first) << "grown by less than a half";
  collection.add(small_trips(1, "v", 3));
  collection.make_index();
  ASSERT_TRUE(judgement_of(collection).has_value());
  EXPECT_EQ(judgement_of(collection)->trips, 1800u);
  collection.remove(std::vector<std::string>{"t3"});
  EXPECT_EQ(judgement_of(collection)->trips, 1800u);
  collection.compact();
  ASSERT_TRUE(judgement_of(collection).has_value());
  EXPECT_EQ(judgement_of(collection)->trips, 1799u);
  collection.verify();
}

// One in ten of the index is gone, so that it is made anew.
TEST_F(Judging, GoesWithTheIndexThatItIsOf) {
  Collection collection = made(1200);
  collection.make_index();
  std::vector<std::string> ids;
  for (int i = 0; i < 300; ++i) ids.push_back("t" + std::to_string(i));
  collection.remove(ids);
  collection.make_index();
  EXPECT_EQ(only_model(collection).indexed, 900u);
  EXPECT_FALSE(judgement_of(collection).has_value()) << "of so few all are candidates";
  EXPECT_EQ(search(collection, SearchMode::rerank).candidates, 900u);
}

TEST_F(Judging, MayBeStoppedAndLeavesTheIndex) {
  Collection collection = made(1200);
  const Progress stop = [](const ProgressState& state) {
    if (state.total == 200 && state.done == 3) throw Error(ErrorCode::interrupted, "enough");
  };
  expect_error(ErrorCode::interrupted, "enough", "", [&] { collection.make_index(stop); });
  EXPECT_EQ(only_model(collection).indexed, 1200u);
  EXPECT_FALSE(judgement_of(collection).has_value());
  collection.verify();
  collection.make_index();
  EXPECT_TRUE(judgement_of(collection).has_value());
}

TEST_F(Judging, GoesWithItsModel) {
  Collection collection = made(1200);
  collection.add_model(small_model(Measure::dtw));
  collection.make_index();
  ASSERT_EQ(collection.models().size(), 2u);
  for (const CollectionModel& model : collection.models()) {
    EXPECT_TRUE(model.judgement.has_value()) << model.name;
  }
  EXPECT_NE(collection.models()[0].judgement, collection.models()[1].judgement);
  collection.remove_model("dtw");
  Database database(folder_ / "c/collection.db", Database::Access::read);
  Statement count = database.prepared("SELECT count(*) FROM judgements");
  ASSERT_TRUE(count.step());
  EXPECT_EQ(count.integer(0), 1);
}

// Searches go on without it and say so; whoever looks is told.
TEST_F(Judging, AnAlteredOneIsNotUsed) {
  made(1200).make_index();
  {
    Database database(folder_ / "c/collection.db", Database::Access::write);
    database.run("UPDATE judgements SET judgement = replace(judgement, '\"trips\"', '\"t\"')");
  }
  Collection collection = Collection::open(folder_ / "c");
  for (int i = 0; i < 2; ++i) {
    const SearchResult result = search(collection, SearchMode::rerank);
    EXPECT_EQ(result.candidates, 50u);
    EXPECT_FALSE(result.expected_recall.has_value());
  }
  ASSERT_EQ(collection.notes().size(), 1u);
  EXPECT_TRUE(
      matches(collection.notes()[0], "judgement of a model was altered: .*`compact\\(\\)`"));
  expect_error(ErrorCode::bad_input, "was altered", "`compact\\(\\)`",
               [&] { collection.verify(); });
  collection.compact();
  EXPECT_TRUE(judgement_of(collection).has_value());
  collection.verify();
}

}  // namespace
}  // namespace tsmini
