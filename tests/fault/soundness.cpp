#include "fault/soundness.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tsmini/error.h"

namespace tsmini {
namespace {

std::string printed(const Ids& ids) {
  return fmt::format("{} trips: {}", ids.size(), fmt::join(ids, " "));
}

Ids present_of(const Collection& collection, const std::vector<Ids>& states) {
  Ids present;
  for (const Ids& state : states) {
    for (const std::string& id : state) {
      if (collection.find(id)) present.insert(id);
    }
  }
  return present;
}

void expect_found(const Collection& collection, const std::string& id) {
  const auto trip = collection.find(id);
  ASSERT_TRUE(trip) << id;
  for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank, SearchMode::exact}) {
    SearchRequest request;
    request.k = 1;
    request.mode = mode;
    EXPECT_EQ(ids_of(collection.search(trip->points, request)), std::vector{id}) << name_of(mode);
  }
}

void expect_work_goes_on(const std::filesystem::path& path) {
  const Dataset more = small_trips(3, "afterwards", 77);
  Collection collection = Collection::open(path);
  const std::uint64_t before = collection.size();
  EXPECT_EQ(collection.add(more).added, more.size());
  const std::vector<std::string> one{std::string(more[0].id)};
  EXPECT_EQ(collection.remove(one), 1U);
  expect_found(collection, std::string(more[1].id));
  collection.make_index();
  expect_found(collection, std::string(more[2].id));
  EXPECT_EQ(collection.size(), before + more.size() - 1);
  collection.verify();
}

}  // namespace

std::size_t expect_sound(const std::filesystem::path& path, const std::vector<Ids>& states) {
  std::size_t which = states.size();
  try {
    const Collection collection = Collection::open(path);
    collection.verify();
    for (const std::string& note : collection.notes()) ADD_FAILURE() << note;
    const Ids present = present_of(collection, states);
    EXPECT_EQ(collection.size(), present.size()) << "something is there twice, or unasked";
    const auto place = std::find(states.begin(), states.end(), present);
    which = static_cast<std::size_t>(place - states.begin());
    if (place == states.end()) {
      ADD_FAILURE() << "it holds " << printed(present) << "\nin place of " << printed(states[0])
                    << "\nor " << printed(states.back());
    }
    if (!present.empty()) {
      expect_found(collection, *present.begin());
      expect_found(collection, *present.rbegin());
    }
    expect_work_goes_on(path);
  } catch (const Error& error) {
    ADD_FAILURE() << error.what() << " (" << error.hint() << ")";
  }
  return which;
}

}  // namespace tsmini
