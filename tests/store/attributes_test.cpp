// What is known of trips besides their points stays with them in a collection, and filters.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tsmini/collection.h"
#include "tsmini/memory_trips.h"

#include "base/text.h"
#include "store/small_collection.h"
#include "store/sqlite.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

// What small_trips() know: a taxi of three, rain where it is known, a fare; every fifth nothing.
std::vector<Attribute> attributes_of_trip(std::size_t i, std::string& taxi) {
  if (i % 5 == 0) return {};
  taxi = "taxi " + std::to_string(i % 3);
  std::vector<Attribute> attributes{{"taxi", std::string_view(taxi)},
                                    {"fare", 2.5 * static_cast<double>(i)},
                                    {"seats", static_cast<std::int64_t>(i % 4)}};
  if (i % 2 == 0) attributes.push_back({"rain", i % 4 == 0});
  return attributes;
}

Dataset known_trips(std::size_t count, const std::string& prefix = "t", std::uint64_t seed = 1) {
  const Dataset plain = small_trips(count, prefix, seed);
  DatasetBuilder builder(Coordinates::planar);
  std::string taxi;
  for (std::size_t i = 0; i < count; ++i) {
    builder.add(plain[i], static_cast<Part>(i % 4), attributes_of_trip(i, taxi));
  }
  return builder.finish(R"({"from":"taxis"})");
}

SearchRequest where(const std::vector<const char*>& conditions, std::size_t k = 1000) {
  SearchRequest request{.k = k, .measure = Measure::frechet};
  for (const char* condition : conditions) {
    request.filter.where.push_back(condition_from(condition));
  }
  return request;
}

// By looking at every trip.
std::vector<std::string> fitting(const Dataset& data, const std::vector<const char*>& conditions) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < data.size(); ++i) {
    bool fits = true;
    for (const char* condition : conditions) {
      const Condition wanted = condition_from(condition);
      fits &= holds(wanted, (*data.attribute(lower_case(wanted.column)))[i]);
    }
    if (fits) ids.emplace_back(data[i].id);
  }
  return ids;
}

class StoreAttributes : public testing::Test {
 protected:
  static std::vector<std::string> sorted(std::vector<std::string> ids) {
    std::sort(ids.begin(), ids.end());
    return ids;
  }
  Collection made(const Dataset& data) const {
    Collection collection = Collection::create(folder_ / "c", Space());
    collection.add(data);
    return collection;
  }
  TemporaryFolder folder_;
};

const std::vector<std::vector<const char*>> some_conditions{
    {"taxi=taxi 1"}, {"taxi!=taxi 1"}, {"fare>100"},      {"fare<=100", "seats=2"}, {"rain=true"},
    {"rain="},       {"rain!=true"},   {"taxi=nobody's"}, {"TAXI=taxi 1"},          {"Fare>100"}};

TEST_F(StoreAttributes, FilterInACollectionAndInMemoryAlike) {
  const Dataset data = known_trips(90);
  const Collection collection = made(data);
  const MemoryTrips memory(data, Space());
  for (const auto& conditions : some_conditions) {
    const auto expected = sorted(fitting(data, conditions));
    const SearchRequest request = where(conditions);
    const auto found = collection.search(data[7].points, request);
    EXPECT_EQ(sorted(ids_of(found)), expected) << conditions.front();
    EXPECT_EQ(ids_of(memory.search(data[7].points, request)), ids_of(found)) << conditions.front();
  }
}

TEST_F(StoreAttributes, ComeWithAnswersAndLeaveWithTheData) {
  const Dataset data = known_trips(40);
  Collection collection = made(data);
  collection.compact();
  const std::vector<OwnedAttribute> expected = [&] {
    std::vector<Attribute> views = attributes_of(data, 7);
    std::erase_if(views, [](const Attribute& a) { return !has_value(a.value); });
    return std::vector<OwnedAttribute>(views.begin(), views.end());
  }();
  ASSERT_EQ(expected.size(), 3U);
  EXPECT_EQ(collection.find("t7")->attributes, expected);
  EXPECT_EQ(collection.search(data[7].points, {.k = 1}).answers.at(0).trip.attributes, expected);
  EXPECT_TRUE(collection.find("t5")->attributes.empty());

  const Dataset back = collection.around(*collection.info().extent, 1000);
  ASSERT_EQ(back.size(), data.size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    EXPECT_EQ(back.part(i), data.part(i));
    ASSERT_EQ(back.attributes().size(), data.attributes().size());
    for (std::size_t c = 0; c < data.attributes().size(); ++c) {
      const AttributeColumn &column = data.attributes()[c], &found = back.attributes()[c];
      EXPECT_EQ(found.name(), column.name()) << "they have their order";
      EXPECT_EQ(found.type(), column.type());
      EXPECT_EQ(found[i], column[i]);
    }
  }
  collection.verify();
}

TEST_F(StoreAttributes, GoWithTheirTrip) {
  const Dataset data = known_trips(40);
  Collection collection = made(data);
  const std::vector<std::string> gone{"t7"};
  collection.remove(gone);
  collection.add(small_trips(8), {.duplicates = Duplicates::replace});
  EXPECT_TRUE(collection.find("t6")->attributes.empty());
  collection.verify();
  const auto left = ids_of(collection.search(data[1].points, where({"taxi=taxi 1"})));
  EXPECT_EQ(std::count(left.begin(), left.end(), "t7"), 0);
  EXPECT_EQ(std::count(left.begin(), left.end(), "t1"), 0);
  EXPECT_EQ(std::count(left.begin(), left.end(), "t13"), 1);
}

TEST_F(StoreAttributes, ANameThatNoTripHas) {
  const Collection collection = made(known_trips(10));
  expect_error(ErrorCode::bad_input, "no attribute 'colour'", "taxi, fare, seats, rain",
               [&] { collection.search(known_trips(1)[0].points, where({"colour=red"})); });
}

TEST_F(StoreAttributes, AlteredOnesAreRefused) {
  const Dataset data = known_trips(10);
  made(data);
  {
    Database database(folder_ / "c/collection.db", Database::Access::write);
    database.run("UPDATE attributes SET record = '{\"taxi\":\"taxi 2\"}' WHERE row = 1");
  }
  const Collection collection = Collection::open(folder_ / "c");
  const auto refused = [&](const auto& work) {
    expect_error(ErrorCode::bad_input, "attributes of row 1 were altered", "add it again", work);
  };
  refused([&] { collection.find("t1"); });
  refused([&] { collection.search(data[1].points, where({"taxi=taxi 2"})); });
  refused([&] { collection.verify(); });
}

TEST_F(StoreAttributes, ALostRowIsNoticed) {
  const Dataset data = known_trips(10);
  made(data);
  {
    Database database(folder_ / "c/collection.db", Database::Access::write);
    database.run("DELETE FROM attributes WHERE row = 5");  // of a trip that knows nothing
  }
  const Collection collection = Collection::open(folder_ / "c");
  const auto refused = [&](const auto& work) {
    expect_error(ErrorCode::bad_input, "attributes of row 5 are lost", "add it again", work);
  };
  refused([&] { collection.verify(); });
  refused([&] { collection.find("t5"); });
  refused([&] { collection.search(data[1].points, where({"taxi!=taxi 2"})); });
  EXPECT_EQ(ids_of(collection.search(data[1].points, {.k = 1})).at(0), "t1");
}

TEST_F(StoreAttributes, AStrangeRowIsNoticed) {
  made(known_trips(10));
  {
    Database database(folder_ / "c/collection.db", Database::Access::write);
    database.run(
        "INSERT INTO attributes SELECT 99, checksum, part, record FROM attributes WHERE "
        "row = 5");
  }
  expect_error(ErrorCode::bad_input, "attributes of row 99 were altered", "add it again",
               [&] { Collection::open(folder_ / "c").verify(); });
}

TEST_F(StoreAttributes, ProvenanceTellsWhatWasAdded) {
  Collection collection = made(known_trips(10));
  collection.add(known_trips(4, "u", 2));
  collection.add(known_trips(3, "v", 3), {.origin = R"({"data":"more.tsd"})"});
  collection.add(known_trips(3, "v", 3), {.duplicates = Duplicates::skip, .origin = "nothing new"});
  const CollectionInfo info = collection.info();
  EXPECT_EQ(info.provenance, R"({"collection":")" + info.identity + R"(","change":3,"trips":17,)" +
                                 R"("added":[{"trips":14,"from":{"from":"taxis"}},)" +
                                 R"({"trips":3,"from":{"data":"more.tsd"}}]})");
  EXPECT_EQ(collection.around(*info.extent, 2).info().provenance, info.provenance);
}

// The last hundred are those that were used last.
TEST_F(StoreAttributes, ProvenanceTellsWhatWasUsedLast) {
  Collection collection = made(known_trips(10));
  const auto add = [&](int number, const std::string& origin) {
    collection.add(known_trips(1, fmt::format("u{}_", number), 2), {.origin = origin});
  };
  add(0, "the usual one");
  for (int i = 1; i <= 100; ++i) add(i, fmt::format("file {}", i));
  add(101, "the usual one");
  const auto told = nlohmann::json::parse(collection.info().provenance);
  EXPECT_EQ(told["earlier_left_out"], 2);
  ASSERT_EQ(told["added"].size(), 100u);
  EXPECT_EQ(told["added"].front()["from"], "file 2");
  EXPECT_EQ(told["added"].back(), nlohmann::json({{"trips", 2}, {"from", "the usual one"}}));
  collection.verify();
}

TEST_F(StoreAttributes, AlteredOriginsAreNoticed) {
  made(known_trips(10));
  const auto expect_noticed = [&](const char* sql, const std::string& message) {
    {
      Database database(folder_ / "c/collection.db", Database::Access::write);
      database.run(sql);
    }
    expect_error(ErrorCode::bad_input, message, "restore it",
                 [&] { Collection::open(folder_ / "c").verify(); });
  };
  Collection::open(folder_ / "c").verify();
  expect_noticed("UPDATE origins SET added = 9", "9 trips, where 10 were added");
  expect_noticed("UPDATE origins SET added = 11", "11 trips, where 10 were added");
  expect_noticed("UPDATE origins SET added = -10", "-10 trips of origin 1");
  expect_noticed("UPDATE origins SET added = 10, origin = '{\"data\":'", "origin 1 is no JSON");
  expect_noticed("DELETE FROM origins", "0 trips, where 10 were added");
}

}  // namespace
}  // namespace tsmini
