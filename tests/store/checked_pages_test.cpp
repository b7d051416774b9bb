// Bits that flip in the file of the database, in its tables and in the indexes that SQLite keeps.
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tsmini/collection.h"

#include "base/random.h"
#include "store/small_collection.h"
#include "store/sqlite.h"
#include "support/error_expectation.h"
#include "support/files.h"

namespace tsmini {
namespace {

constexpr std::size_t page_size = 8192;

class StorePages : public testing::Test {
 protected:
  StorePages() {
    {
      Collection collection = Collection::create(path(), small_model());
      collection.add(data_);
      collection.make_index();
    }
    bytes_ = read_file(file());
  }

  std::filesystem::path path() const { return folder_ / "c"; }
  std::filesystem::path file() const { return path() / "collection.db"; }

  // What people ask, each answered as by an undamaged collection.
  void ask() const {
    const Collection collection = Collection::open(path());
    for (std::size_t i = 0; i < data_.size(); i += 29) {
      SearchRequest request;
      request.k = 3;
      const auto [low, high] = std::pair(data_[i].points.front(), data_[i].points.back());
      request.filter.box =
          Box{std::min(low.lon, high.lon) - 1e5, std::min(low.lat, high.lat) - 1e5,
              std::max(low.lon, high.lon) + 1e5, std::max(low.lat, high.lat) + 1e5};
      request.filter.ids = {std::string(data_[i].id)};
      for (const SearchMode mode : {SearchMode::fast, SearchMode::rerank, SearchMode::exact}) {
        request.mode = mode;
        ASSERT_EQ(ids_of(collection.search(data_[i].points, request)),
                  std::vector{std::string(data_[i].id)});
      }
      ASSERT_TRUE(collection.find(data_[i].id));
    }
    ASSERT_EQ(collection.size(), data_.size());
  }

  TemporaryFolder folder_;
  Dataset data_ = small_trips(300);
  std::string bytes_;
};

TEST_F(StorePages, AFlippedBitIsNeverAnOtherAnswer) {
  ASSERT_EQ(bytes_.size() % page_size, 0u);
  ASSERT_GT(bytes_.size() / page_size, 20u);
  Random random(1);
  for (std::size_t page = 0; page < bytes_.size() / page_size; ++page) {
    // Also the checksum itself, and in the first page what says that there are any.
    for (const std::size_t at :
         {page == 0 ? 20 : random.below(page_size), random.below(page_size), page_size - 1}) {
      std::string damaged = bytes_;
      damaged[page * page_size + at] ^= static_cast<char>(1 << random.below(8));
      write_file(file(), damaged);
      try {
        ask();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_input) << error.what();
      }
      expect_error(ErrorCode::bad_input, "damaged", "restore it from a copy",
                   [&] { Collection::open(path()).verify(); });
    }
  }
}

TEST_F(StorePages, PagesThatChangedPlaces) {
  for (std::size_t page = 2; page + 1 < bytes_.size() / page_size; page += 3) {
    std::string damaged = bytes_;
    std::swap_ranges(damaged.begin() + static_cast<std::ptrdiff_t>(page * page_size),
                     damaged.begin() + static_cast<std::ptrdiff_t>((page + 1) * page_size),
                     damaged.begin() + static_cast<std::ptrdiff_t>((page + 1) * page_size));
    write_file(file(), damaged);
    expect_error(ErrorCode::bad_input, "damaged", "restore",
                 [&] { Collection::open(path()).verify(); });
  }
}

// What cannot be told from new must not be stored a second time.
TEST_F(StorePages, NothingIsAddedTwice) {
  Random random(2);
  for (std::size_t page = 1; page < bytes_.size() / page_size; ++page) {
    std::string damaged = bytes_;
    damaged[page * page_size + random.below(page_size)] ^= 4;
    write_file(file(), damaged);
    AddOptions options;
    options.duplicates = Duplicates::skip;
    try {
      Collection collection = Collection::open(path());
      EXPECT_EQ(collection.add(data_, options).added, 0u);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input) << error.what();
    }
  }
}

TEST_F(StorePages, ChecksumsStayWhereAllIsWrittenAnew) {
  {
    Collection collection = Collection::open(path());
    collection.add(small_trips(100, "u", 2));
    std::vector<std::string> gone;
    for (std::size_t i = 0; i < 150; ++i) gone.push_back("t" + std::to_string(i));
    collection.remove(gone);
    collection.compact();
    collection.verify();
    EXPECT_EQ(collection.size(), 250u);
  }
  EXPECT_TRUE(Database(file(), Database::Access::read).has_checksums());
  Collection::open(path()).verify();
}

}  // namespace
}  // namespace tsmini
