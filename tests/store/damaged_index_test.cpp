// A damaged index changes no answer of a collection: searches go on without it, and say so.
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/collection.h"

#include "search/index_damage.h"
#include "store/index_of.h"
#include "store/small_collection.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

using Ids = std::vector<std::string>;

// So many trips that a graph of them is followed.
constexpr std::size_t trip_count = 1'300, query_count = 6;

class StoreDamagedIndex : public testing::TestWithParam<IndexKind> {
 protected:
  StoreDamagedIndex() {
    {
      Collection collection = Collection::create(path, small_model(), GetParam());
      collection.add(small_trips(trip_count));
      collection.make_index();
      collection.remove(Ids{"t5"});
      collection.add(small_trips(10, "u", 2));
      for (std::size_t q = 0; q < query_count; ++q) indexed.push_back(answer(collection, q));
    }
    file = index_of(path);
    content = read_file(file);
    std::filesystem::copy(path, folder / "scanned");
    std::filesystem::remove(index_of(folder / "scanned"));
    const Collection without = Collection::open(folder / "scanned");
    for (std::size_t q = 0; q < query_count; ++q) scanned.push_back(answer(without, q));
  }

  // By fast and rerank.
  Ids answer(const Collection& collection, std::size_t query) const {
    Ids ids;
    for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank}) {
      SearchRequest request;
      request.k = 3;
      request.mode = mode;
      request.candidates = 6;
      for (const Answer& a : collection.search(queries[query].points, request).answers) {
        ids.push_back(a.trip.id);
      }
    }
    return ids;
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "c", file;
  std::string content;
  Dataset queries = small_trips(query_count, "q", 3);
  std::vector<Ids> indexed, scanned;  // answers of the undamaged index, and without any
};

TEST_P(StoreDamagedIndex, ChangesNoAnswerInSilence) {
  std::size_t without = 0;
  for (const Damage& damage : damages_of(content, 9, 1)) {
    const Damaged damaged(file, content, damage);
    SCOPED_TRACE(damage.section + " at " + std::to_string(damage.at));
    const Collection collection = Collection::open(path);
    for (std::size_t q = 0; q < query_count; ++q) {
      const Ids ids = answer(collection, q);
      const std::vector<std::string> notes = collection.notes();
      EXPECT_EQ(ids, notes.empty() ? indexed[q] : scanned[q]);
      EXPECT_LE(notes.size(), 1u);
    }
    for (const std::string& note : collection.notes()) {
      EXPECT_TRUE(matches(note, "was altered.*; all trips are scanned instead")) << note;
      EXPECT_FALSE(only_model(collection).index);
      ++without;
    }
  }
  EXPECT_GT(without, 5u);
}

TEST_P(StoreDamagedIndex, IsMadeAnewInPlaceOfExtended) {
  const std::filesystem::path copy = folder / "copy";
  for (const Damage& damage : damages_of(content, 1, 2)) {
    SCOPED_TRACE(damage.section);
    std::filesystem::remove_all(copy);
    std::filesystem::copy(path, copy);
    overwrite(index_of(copy), damage.at, damage.bytes);
    Collection collection = Collection::open(copy);
    expect_error(ErrorCode::bad_input, "was altered", "", [&] { collection.verify(); });
    collection.make_index();
    collection.verify();
    const Collection again = Collection::open(copy);
    EXPECT_EQ(only_model(again).indexed, trip_count + 9);
    for (std::size_t q = 0; q < query_count; ++q) {
      if (GetParam() == IndexKind::hnsw) continue;  // which finds almost all
      EXPECT_EQ(answer(again, q), scanned[q]);
    }
    EXPECT_EQ(again.notes(), Ids());
  }
}

TEST_P(StoreDamagedIndex, IsMetByManyThreadsAtOnce) {
  const FileSection rows = sections_of(content)[0];
  std::string noise = content.substr(rows.offset, rows.size);
  for (char& c : noise) c = static_cast<char>(c ^ 0x55);
  overwrite(file, rows.offset, noise);
  const Collection collection = Collection::open(path);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t q = 0; q < query_count; ++q) {
        const std::size_t query = (q + t) % query_count;
        EXPECT_EQ(answer(collection, query), scanned[query]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(collection.notes().size(), 1u);
}

TEST_P(StoreDamagedIndex, OfTheFirstVersionIsCheckedAndNamed) {
  const std::string old = as_version_1(content);
  write_file(file, old);
  {
    Collection collection = Collection::open(path);
    for (std::size_t q = 0; q < query_count; ++q) EXPECT_EQ(answer(collection, q), indexed[q]);
    ASSERT_EQ(collection.notes().size(), 1u);
    EXPECT_TRUE(matches(collection.notes()[0], "index-.* tsmini 0.1.*was read to check it"));
  }
  for (const Damage& damage : damages_of(old, 3, 3)) {
    const Damaged damaged(file, old, damage);
    const Collection collection = Collection::open(path);
    EXPECT_EQ(answer(collection, 0), scanned[0]);
    ASSERT_EQ(collection.notes().size(), 1u);
    EXPECT_TRUE(matches(collection.notes()[0], "was altered.*scanned instead"));
  }
  Collection::open(path).make_index();
  EXPECT_EQ(Collection::open(path).notes(), Ids());
}

INSTANTIATE_TEST_SUITE_P(Kinds, StoreDamagedIndex,
                         testing::Values(IndexKind::flat, IndexKind::coded, IndexKind::hnsw),
                         [](const auto& param) { return std::string(name_of(param.param)); });

}  // namespace
}  // namespace tsmini
