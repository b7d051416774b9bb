// Files that were altered, lost or exchanged; disks that are full; others who write.
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/collection.h"

#include "search/index_damage.h"
#include "store/attribute_records.h"
#include "store/folder.h"
#include "store/records.h"
#include "store/small_collection.h"
#include "store/sqlite.h"
#include "store/writing.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

class StoreDamage : public testing::Test {
 protected:
  StoreDamage() {
    Collection collection = Collection::create(path(), small_model());
    collection.add(data_);
    collection.make_index();
    collection.add(small_trips(10, "u", 2));
  }

  std::filesystem::path path() const { return folder_ / "c"; }

  void tamper(const char* sql) const {
    Database database(path() / "collection.db", Database::Access::write);
    database.run(sql);
  }

  std::filesystem::path index_file(const std::filesystem::path& folder) const {
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      if (file.path().filename().string().starts_with("index-")) return file.path();
    }
    ADD_FAILURE() << "there is no index";
    return {};
  }

  static SearchResult nearest(const Collection& collection, const Trajectory& query,
                              SearchMode mode) {
    SearchRequest request;
    request.k = 1;
    request.mode = mode;
    return collection.search(query.points, request);
  }

  void expect_all_found(const Collection& collection) const {
    for (std::size_t i = 0; i < data_.size(); i += 7) {
      for (const SearchMode mode : {SearchMode::fast, SearchMode::exact}) {
        EXPECT_EQ(ids_of(nearest(collection, data_[i], mode)),
                  std::vector{std::string(data_[i].id)});
      }
    }
  }

  void expect_useless(Collection& collection, const std::string& message) const {
    const auto refused = [&](const std::function<void()>& work) {
      expect_error(ErrorCode::failure, message, "open it again", work);
    };
    refused([&] { collection.add(small_trips(3, "w", 4)); });
    refused([&] { collection.remove(std::vector<std::string>{"t1"}); });
    refused([&] { collection.make_index(); });
    refused([&] { collection.compact(); });
    for (const SearchMode mode : {SearchMode::fast, SearchMode::exact}) {
      refused([&] { nearest(collection, data_[0], mode); });
    }
    refused([&] { collection.find("t1"); });
    refused([&] { collection.size(); });
    refused([&] { collection.verify(); });
  }

  TemporaryFolder folder_;
  Dataset data_ = small_trips(80);
};

TEST_F(StoreDamage, AnAlteredTripIsNoAnswer) {
  const std::vector<const char*> alterations{
      "UPDATE trips SET points = zeroblob(length(points)) WHERE id = 't4'",
      "UPDATE trips SET points = substr(points, 1, 17) WHERE id = 't4'",
      "UPDATE trips SET times = NULL WHERE id = 't4'",
      "UPDATE trips SET checksum = checksum + 1 WHERE id = 't4'",
  };
  for (const char* sql : alterations) {
    const auto copy = folder_ / "copy";
    std::filesystem::copy(path(), copy);
    {
      Database database(copy / "collection.db", Database::Access::write);
      database.run(sql);
    }
    const Collection collection = Collection::open(copy);
    for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank, SearchMode::exact}) {
      expect_error(ErrorCode::bad_input, "'t4' \\(row 4\\) was altered", "add it again",
                   [&] { nearest(collection, data_[4], mode); });
    }
    expect_error(ErrorCode::bad_input, "'t4' \\(row 4\\) was altered", "",
                 [&] { collection.verify(); });
    // Others are as good as before.
    EXPECT_EQ(ids_of(nearest(collection, data_[9], SearchMode::fast)),
              std::vector<std::string>{"t9"});
    std::filesystem::remove_all(copy);
  }
}

// What is in an index is not read; what is not there is an error where it is needed.
TEST_F(StoreDamage, AnAlteredEmbeddingIsNoAnswer) {
  for (const char* change : {"embedding = zeroblob(length(embedding))", "embedding = zeroblob(4)",
                             "checksum = checksum + 1"}) {
    const auto copy = folder_ / "copy";
    std::filesystem::copy(path(), copy);
    {
      Database database(copy / "collection.db", Database::Access::write);
      database.run((std::string("UPDATE embeddings_1 SET ") + change + " WHERE row = 84").c_str());
    }
    const Collection collection = Collection::open(copy);
    for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank}) {
      expect_error(ErrorCode::bad_input, "embedding of trip 'u4' \\(row 84\\) was altered",
                   "add it again", [&] { nearest(collection, data_[4], mode); });
    }
    expect_error(ErrorCode::bad_input, "embedding of trip 'u4' \\(row 84\\) was altered", "",
                 [&] { collection.verify(); });
    EXPECT_EQ(ids_of(nearest(collection, data_[9], SearchMode::exact)),
              std::vector<std::string>{"t9"});
    std::filesystem::remove_all(copy);
  }
}

TEST_F(StoreDamage, VerifySeesWhatSearchDoesNot) {
  const std::vector<std::pair<const char*, const char*>> alterations{
      {"UPDATE trips SET max_lon = max_lon + 1 WHERE id = 't5'", "box or times of trip 't5'"},
      {"UPDATE trips SET first_time = 3 WHERE id = 't5'", "box or times of trip 't5'"},
      {"UPDATE state SET trips = trips + 1", "holds 90 trips of .* but says 91"},
      {"UPDATE state SET next_row = 5", "row that was never added"},
      {"DELETE FROM trips WHERE id = 't6'", "holds 89 trips of .* but says 90"},
      {"DELETE FROM embeddings_1 WHERE row = 6", "holds trips that are not in the database"},
      {"DELETE FROM embeddings_1 WHERE row = 85", "embeddings of model 'frechet' are not those of"},
      {"INSERT INTO unfit VALUES (85, 1)", "embeddings of model 'frechet' are not those of"},
      {"INSERT INTO removed (row) VALUES (7)", "says of trip 't7', which is there, that it was"},
  };
  for (const auto& [sql, message] : alterations) {
    const auto copy = folder_ / "copy";
    std::filesystem::copy(path(), copy);
    {
      Database database(copy / "collection.db", Database::Access::write);
      database.run(sql);
    }
    const Collection collection = Collection::open(copy);
    expect_error(ErrorCode::bad_input, message, "", [&] { collection.verify(); });
    std::filesystem::remove_all(copy);
  }
}

// 0.1.0 stored whatever a model gave.
TEST_F(StoreDamage, VerifySeesEmbeddingsThatNoSearchCanUse) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  for (const float value : {std::nanf(""), infinite, -infinite, 1e30F, 1e18F}) {
    const auto copy = folder_ / "copy";
    std::filesystem::copy(path(), copy);
    {
      Database database(copy / "collection.db", Database::Access::write);
      CollectionState state = CollectionState::read(database);
      const Dataset trip = small_trips(1, "odd", 9);
      std::vector<float> embedding(32, 0.5F);
      embedding[17] = value;
      insert_trip(database, state.next_row, trip[0]);
      insert_attributes(database, state.next_row, Part::none, {});
      insert_embedding(database, 1, state.next_row++, embedding);
      database.run("UPDATE models SET embedded = embedded + 1");
      state.points += static_cast<std::int64_t>(trip[0].size());
      ++state.trips;
      state.write(database);
    }
    const Collection collection = Collection::open(copy);
    expect_error(ErrorCode::bad_input,
                 "collection.db: the embedding of trip 'odd0' is not finite or too large",
                 "remove it, and add another", [&] { collection.verify(); });
    std::filesystem::remove_all(copy);
  }
}

// A trip that is gone from the database: where the files of exact search know of it, its row is
// missed; where they do not, the count of trips is wrong.
TEST_F(StoreDamage, ExactSearchMissesATrip) {
  tamper("DELETE FROM trips WHERE id = 't6'");
  const Collection collection = Collection::open(path());
  expect_error(ErrorCode::bad_input, "collection.db: there is no trip of row 6", "",
               [&] { nearest(collection, data_[6], SearchMode::exact); });
  EXPECT_EQ(ids_of(nearest(collection, data_[9], SearchMode::exact)),
            std::vector<std::string>{"t9"});
  tamper("DELETE FROM trips WHERE row = 85");
  const Collection again = Collection::open(path());
  expect_error(ErrorCode::bad_input, "collection.db: holds 89 trips, but says 90", "restore",
               [&] { nearest(again, data_[9], SearchMode::exact); });
  EXPECT_EQ(ids_of(nearest(again, data_[9], SearchMode::fast)), std::vector<std::string>{"t9"});
}

// Added, removed and removed again from what is in memory: the count is right all the way.
TEST_F(StoreDamage, ExactSearchCountsWhatChanged) {
  Collection collection = Collection::open(path());
  Collection writer = Collection::open(path());
  for (int round = 0; round < 12; ++round) {
    const std::string prefix = "c" + std::to_string(round) + "-";
    writer.add(small_trips(10, prefix, static_cast<std::uint64_t>(20 + round)));
    expect_all_found(collection);
    writer.remove(std::vector<std::string>{prefix + "3", "u" + std::to_string(round % 10)}, true);
    expect_all_found(collection);
    writer.remove(std::vector<std::string>{prefix + "4"});
    if (round % 4 == 3) writer.compact();
    expect_all_found(collection);
  }
}

TEST_F(StoreDamage, BytesOfTheDatabase) {
  std::string bytes = read_file(path() / "collection.db");
  ASSERT_GT(bytes.size(), 80'000u);
  for (std::size_t at = 20'000; at < 80'000; ++at) bytes[at] = static_cast<char>(at * 31);
  write_file(path() / "collection.db", bytes);
  expect_error(ErrorCode::bad_input, "damaged|altered|holds", "restore", [&] {
    const Collection collection = Collection::open(path());
    collection.verify();
  });
}

TEST_F(StoreDamage, NoDatabase) {
  write_file(path() / "collection.db", "these are a few bytes, but no database at all");
  expect_error(ErrorCode::bad_input, "collection.db: is damaged or no database", "restore",
               [&] { Collection::open(path()); });
  std::filesystem::remove(path() / "collection.db");
  expect_error(ErrorCode::bad_input, "is not a collection", "`create",
               [&] { Collection::open(path()); });
  expect_error(ErrorCode::bad_input, "no such folder", "check the name",
               [&] { Collection::open(folder_ / "nowhere"); });
}

TEST_F(StoreDamage, OfANewerVersion) {
  tamper("UPDATE facts SET value = '3' WHERE name = 'format'");
  expect_error(ErrorCode::bad_input, "has version 3, but this tsmini reads up to 2", "newer tsmini",
               [&] { Collection::open(path()); });
}

TEST_F(StoreDamage, AnotherModel) {
  Model model = small_model();
  model.calibration.scale = 3;
  model.save(path() / "model-1.safetensors");
  const auto check = [&](const std::string& message) {
    Collection collection = Collection::open(path());
    EXPECT_EQ(ids_of(nearest(collection, data_[9], SearchMode::exact)),
              std::vector<std::string>{"t9"});
    expect_error(ErrorCode::usage, "needs a model of frechet", "",
                 [&] { nearest(collection, data_[9], SearchMode::fast); });
    ASSERT_EQ(collection.notes().size(), 1u);
    EXPECT_TRUE(matches(collection.notes()[0], message + ".*searches go on without"));
    expect_error(ErrorCode::bad_input, message, "", [&] { collection.verify(); });
    expect_error(ErrorCode::bad_input, message, "", [&] { collection.add(small_trips(1, "n")); });
  };
  check("is not the model that made the embeddings");
  std::filesystem::remove(path() / "model-1.safetensors");
  check("model-1.safetensors: cannot read");
  Collection collection = Collection::open(path());
  collection.remove_model("frechet");
  collection.add(small_trips(1, "n"));
  collection.verify();
}

// The list of rows is long enough to have blocks of its own in the middle.
TEST_F(StoreDamage, RowsOfAFileThatARemovalLooksUp) {
  const std::filesystem::path other = folder_ / "other";
  const Dataset many = small_trips(9000, "m", 5);
  {
    Collection collection = Collection::create(other, Space());
    collection.add(many);
    collection.make_index();
    collection.remove(std::vector<std::string>{"m4500"});
  }
  for (const auto& entry : std::filesystem::directory_iterator(other)) {
    if (!entry.path().filename().string().starts_with("exact-")) continue;
    const std::string content = read_file(entry.path());
    const FileSection rows = sections_of(content)[0];
    ASSERT_EQ(rows.size, 9000 * sizeof(std::int64_t));
    const std::size_t at = rows.offset + 4500 * sizeof(std::int64_t);
    overwrite(entry.path(), at, std::string(1, static_cast<char>(content[at] ^ 4)));
  }
  const Collection collection = Collection::open(other);
  EXPECT_EQ(ids_of(nearest(collection, many[77], SearchMode::exact)),
            std::vector<std::string>{"m77"});
  EXPECT_EQ(collection.notes().size(), 1u);
}

TEST_F(StoreDamage, TheIndexIsMadeAnew) {
  const std::filesystem::path index = index_file(path());
  const auto check = [&](const std::string& note) {
    {
      Collection collection = Collection::open(path());
      expect_all_found(collection);
      ASSERT_EQ(collection.notes().size(), 1u);
      EXPECT_TRUE(matches(collection.notes()[0], note)) << collection.notes()[0];
      EXPECT_TRUE(matches(collection.notes()[0], "all trips are scanned instead"));
      EXPECT_FALSE(only_model(collection).index);
      EXPECT_EQ(only_model(collection).tail, 90u);
      expect_error(ErrorCode::bad_input, note, "", [&] { collection.verify(); });
      collection.make_index();
      collection.verify();
    }
    const Collection again = Collection::open(path());
    EXPECT_TRUE(again.notes().empty());
    EXPECT_EQ(only_model(again).indexed, 90u);
    expect_all_found(again);
  };
  std::filesystem::remove(index);
  check("index-.*: cannot read");

  write_file(index_file(path()), "short");
  check("index-");

  // The index of another collection, of the same size and model.
  Collection other = Collection::create(folder_ / "other", small_model());
  other.add(small_trips(90, "o", 7));
  other.make_index();
  std::filesystem::copy_file(index_file(folder_ / "other"), index_file(path()),
                             std::filesystem::copy_options::overwrite_existing);
  check("is not the index of this collection");
}

TEST_F(StoreDamage, VerifyReadsTheIndex) {
  const std::filesystem::path index = index_file(path());
  std::string bytes = read_file(index);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 16);
  write_file(index, bytes);
  const Collection collection = Collection::open(path());
  expect_error(ErrorCode::bad_input, "index-", "", [&] { collection.verify(); });
}

TEST_F(StoreDamage, AnotherWriter) {
  Collection collection = Collection::open(path());
  Database other(path() / "collection.db", Database::Access::write);
  const Transaction writing(other, Transaction::Kind::write);
  expect_error(ErrorCode::failure,
               "collection.db: another process is writing to it; 0 of 3 trips were added and stay",
               "try again", [&] { collection.add(small_trips(3, "w", 4)); });
  // Reading goes on.
  expect_all_found(collection);
}

// Both a handle that has not been used yet and one that has connections open.
TEST_F(StoreDamage, AnotherCollectionInItsPlace) {
  Collection unused = Collection::open(path());
  Collection used = Collection::open(path());
  used.add(small_trips(3, "v", 4));
  nearest(used, data_[0], SearchMode::exact);
  std::filesystem::remove_all(path());
  Collection::create(path(), small_model()).add(small_trips(5));
  expect_useless(used, "collection.db: was removed or replaced");
  // Its file may have got the number of the one before.
  expect_useless(unused, "was removed or replaced|another collection took its place");
  const Collection other = Collection::open(path());
  EXPECT_EQ(other.size(), 5u);
  other.verify();
}

// A copy has the same identity, and may have gone another way since it was made.
TEST_F(StoreDamage, ACopyInItsPlace) {
  Collection collection = Collection::open(path());
  std::filesystem::copy(path(), folder_ / "copy");
  collection.add(small_trips(3, "v", 4));
  expect_all_found(collection);
  std::filesystem::rename(path(), folder_ / "before");
  std::filesystem::rename(folder_ / "copy", path());
  Collection::open(path()).add(small_trips(3, "x", 5));
  expect_useless(collection, "collection.db: was removed or replaced");
  EXPECT_EQ(Collection::open(path()).size(), 93u);
  EXPECT_FALSE(Collection::open(path()).find("w0"));
}

TEST_F(StoreDamage, AFolderThatIsGone) {
  Collection collection = Collection::open(path());
  collection.add(small_trips(3, "v", 4));
  expect_all_found(collection);
  std::filesystem::remove_all(path());
  expect_useless(collection, "collection.db: was removed or replaced");
  EXPECT_FALSE(std::filesystem::exists(path()));
}

// While the trips are on their way: none is acknowledged that is not there.
TEST_F(StoreDamage, ReplacedWhileItIsWritten) {
  Collection collection = Collection::open(path());
  bool is_replaced = false;
  const auto replace = [&](const ProgressState& state) {
    if (state.done == 0 || std::exchange(is_replaced, true)) return;
    std::filesystem::rename(path(), folder_ / "before");
    std::filesystem::create_directory(path());
  };
  expect_error(ErrorCode::failure, "was removed or replaced .*; 8,192 of 9,000 trips were added",
               "open it again", [&] { collection.add(small_trips(9000, "w", 4), {}, replace); });
  EXPECT_EQ(Collection::open(folder_ / "before").size(), 90 + most_embedded_at_once);
}

TEST_F(StoreDamage, WhereNoFolderCanBeMade) {
  expect_error(ErrorCode::failure, "it exists already", "another name",
               [&] { Collection::create(path(), small_model()); });
  write_file(folder_ / "file", "x");
  expect_error(ErrorCode::failure, "it is a file", "another name",
               [&] { Collection::create(folder_ / "file", small_model()); });
  expect_error(ErrorCode::failure, "cannot make a collection", "",
               [&] { Collection::create(folder_ / "file" / "below", small_model()); });
  Model broken = small_model();
  broken.tensors.erase(broken.tensors.begin());
  expect_error(ErrorCode::bad_input, "", "", [&] { Collection::create(folder_ / "new", broken); });
  EXPECT_FALSE(std::filesystem::exists(folder_ / "new"));
}

}  // namespace
}  // namespace tsmini
